"""Scores of candidates by any of the metrics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from scoring.textmetrics import overlap, statistics
from scoring.textmetrics.bertscore import BertScore, TokenVectors, bertscore
from scoring.textmetrics.candidates import (
    GROUP_OF_ONE,
    NO_ENCODER,
    NO_GROUP,
    NO_LANGUAGE_MODEL,
    NO_REFERENCE,
    NO_SIMILARITY,
    NO_SOURCE,
    RUN_OF_ONE,
    Candidate,
    Outcome,
    Resources,
    defect,
)
from scoring.textmetrics.diversity import TextSet
from scoring.textmetrics.registry import METRICS, Family, Metric

Outcomes = dict[str, Outcome]
ONE_BY_ONE: dict[Family, Callable[[Candidate], Outcomes]] = {
    "bleu": overlap.bleu,
    "chrf": overlap.chrf,
    "rouge": overlap.rouge,
    "meteor": overlap.meteor,
    "against_source": statistics.against_source,
    "alone": statistics.alone,
}


class LibraryMissing(ImportError):
    """A metric's library is not installed; the code is `metric_library_missing`."""

    code = "metric_library_missing"


def score(
    names: Iterable[str],
    candidates: Sequence[Candidate],
    resources: Resources | None = None,
    *,
    run: Sequence[Candidate] | None = None,
) -> dict[str, list[Outcome]]:
    """Score candidates by metrics.

    Parameters
    ----------
    names
        Keys of `METRICS`.
    candidates
        Texts with what they are compared to.
    resources
        Models, and which set Self-BLEU and Distinct compare within.
    run
        All candidates of the run, where `candidates` are only some of them.

    Returns
    -------
    dict of str to list of Outcome
        By metric, in the order of `candidates`; what cannot be computed has a reason and no value.

    Raises
    ------
    KeyError
        For an unknown metric.
    LibraryMissing
        When the package that computes a metric is not installed.
    """
    metrics = [METRICS[name] for name in names]
    require_libraries(metric.library for metric in metrics)
    resources = resources or Resources()
    cleaned = [_without_bad_references(candidate) for candidate in candidates]
    whole = cleaned if run is None else run
    by_family: dict[Family, list[Outcomes]] = {}
    results = {}
    for metric in metrics:
        if metric.family not in by_family:
            by_family[metric.family] = _family(metric, cleaned, whole, resources)
        results[metric.name] = [outcomes[metric.name] for outcomes in by_family[metric.family]]
    return results


def require_libraries(names: Iterable[str]) -> None:
    """Refuse to compute without the packages that metrics need.

    Parameters
    ----------
    names
        Names of packages; an empty one is ignored.

    Raises
    ------
    LibraryMissing
        With the way to install it.
    """
    for name in sorted(set(names) - {""}):
        try:
            version(name)
        except PackageNotFoundError as error:
            raise LibraryMissing(
                f"{name} is not installed here. Run this on a worker, or run "
                "pip install 'groundwork-ratings[worker]'."
            ) from error


def signature(name: str, resources: Resources) -> str:
    """How a metric was computed: variant, set and version of its library, stored with its scores.

    Parameters
    ----------
    name
        Name of the metric.
    resources
        Resources of the scores.

    Returns
    -------
    str
        The models themselves describe their own checkpoints.
    """
    metric = METRICS[name]
    parts = [metric.signature]
    if "set" in metric.needs:
        parts.append(f"set {resources.reference_set}")
    if metric.library:
        parts.append(f"{metric.library} {version(metric.library)}")
    return ", ".join(parts)


def _without_bad_references(candidate: Candidate) -> Candidate:
    sound = tuple(reference for reference in candidate.references if not defect(reference))
    return replace(candidate, references=sound)


def _family(
    metric: Metric, candidates: Sequence[Candidate], run: Sequence[Candidate], resources: Resources
) -> list[Outcomes]:
    """The outcomes of all metrics of a family, one per candidate."""
    names = [other.name for other in METRICS.values() if other.family == metric.family]
    reasons = [_hindrance(metric, candidate) for candidate in candidates]
    sound = [candidate for candidate, reason in zip(candidates, reasons, strict=True) if not reason]
    computed = iter(_computed(metric.family, sound, run, resources))
    return [dict.fromkeys(names, Outcome(None, reason)) if reason else next(computed) for reason in reasons]


def _hindrance(metric: Metric, candidate: Candidate) -> str:
    if reason := defect(candidate.text):
        return reason
    if "references" in metric.needs and not candidate.references:
        return NO_REFERENCE
    if "source" in metric.needs and (reason := defect(candidate.source)):
        return NO_SOURCE if not candidate.source.strip() else f"source_{reason}"
    return ""


def _computed(
    family: Family, candidates: Sequence[Candidate], run: Sequence[Candidate], resources: Resources
) -> list[Outcomes]:
    if family == "bertscore":
        return _bertscores(candidates, resources)
    if family == "perplexity":
        return _perplexities(candidates, resources)
    if family in {"self_bleu", "distinct"}:
        return _within_sets(family, candidates, run, resources)
    compute = ONE_BY_ONE[family]
    return [compute(candidate) for candidate in candidates]


def _perplexities(candidates: Sequence[Candidate], resources: Resources) -> list[Outcomes]:
    if resources.perplexity is None:
        return [{"perplexity": Outcome(None, NO_LANGUAGE_MODEL)} for _ in candidates]
    answers = resources.perplexity([candidate.text for candidate in candidates])
    return [{"perplexity": Outcome(answer.perplexity, answer.reason, answer.truncated)} for answer in answers]


def _bertscores(candidates: Sequence[Candidate], resources: Resources) -> list[Outcomes]:
    names = [name for name, metric in METRICS.items() if metric.family == "bertscore"]
    if resources.encoder is None:
        return [dict.fromkeys(names, Outcome(None, NO_ENCODER)) for _ in candidates]
    texts = list(
        dict.fromkeys(text for candidate in candidates for text in (candidate.text, *candidate.references))
    )
    vectors = dict(zip(texts, resources.encoder(texts), strict=True))
    return [_best_match(candidate, vectors) for candidate in candidates]


def _best_match(candidate: Candidate, vectors: dict[str, TokenVectors]) -> Outcomes:
    own = vectors[candidate.text]
    found: list[tuple[BertScore, bool]] = []
    for reference in candidate.references:
        match = bertscore(own, vectors[reference])
        if match:
            found.append((match, own.truncated or vectors[reference].truncated))
    best, truncated = max(found, key=lambda pair: _closeness(pair[0]))
    return {
        "bertscore_p": Outcome(best.precision, truncated=truncated),
        "bertscore_r": Outcome(best.recall, truncated=truncated),
        "bertscore_f1": Outcome(best.f1, "" if best.f1 is not None else NO_SIMILARITY, truncated),
    }


def _closeness(match: BertScore) -> tuple[bool, float]:
    """What the best reference has most of: a match that has no F1 comes after all that have one."""
    return match.f1 is not None, match.f1 if match.f1 is not None else match.precision + match.recall


def _within_sets(
    family: Family, candidates: Sequence[Candidate], run: Sequence[Candidate], resources: Resources
) -> list[Outcomes]:
    by_group = resources.reference_set == "group"
    members = defaultdict(list)
    for member in run:
        if not defect(member.text):
            members[member.group if by_group else ""].append(member.text)
    sets = {group: TextSet(texts) for group, texts in members.items()}
    names = [name for name, metric in METRICS.items() if metric.family == family]
    found = []
    for candidate in candidates:
        group = candidate.group if by_group else ""
        reason = _lonely(candidate, len(members[group]), by_group=by_group)
        if reason:
            found.append(dict.fromkeys(names, Outcome(None, reason)))
        else:
            texts = sets[group]
            found.append(
                texts.self_bleu(candidate.text) if family == "self_bleu" else texts.distinct(candidate.text)
            )
    return found


def _lonely(candidate: Candidate, members: int, *, by_group: bool) -> str:
    if by_group and not candidate.group:
        return NO_GROUP
    if members > 1:
        return ""
    return GROUP_OF_ONE if by_group else RUN_OF_ONE
