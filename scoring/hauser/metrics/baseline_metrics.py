"""The metrics that HAUSER is compared with, for the candidates of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hauser.base.candidates import Group
from scoring.hauser.base.scores import Score
from scoring.textmetrics.candidates import Candidate, Outcome, Resources
from scoring.textmetrics.registry import METRICS
from scoring.textmetrics.scores import LibraryMissing, score

LIBRARY_MISSING = "metric_library_missing"
# Footnote 9 of He et al. (2023): those of quality are normalised as its own parts are.
OF_QUALITY = frozenset({"bleu", "rouge", "meteor", "bertscore", "perplexity"})


@dataclass(frozen=True, kw_only=True)
class PriorScore(Score):
    """A prior metric's score; `truncated` where a model saw only the beginning."""

    truncated: bool = False


def prior_scores(
    groups: Sequence[Group], names: Sequence[str], resources: Resources, *, run: Sequence[Group] = ()
) -> list[dict[str, PriorScore]]:
    """Scores of every candidate by the metrics named.

    Parameters
    ----------
    groups : sequence of Group
        The candidates.
    names : sequence of str
        Keys of `scoring.textmetrics.registry.METRICS`.
    resources : Resources
        Models and reference set.
    run : sequence of Group
        All groups of the run; empty for `groups`.

    Returns
    -------
    list of dict of str to PriorScore
        One per candidate, through all groups. A metric whose library is not installed has no value
        (`metric_library_missing`).
    """
    asked = _candidates(groups)
    whole = _candidates(run) if run else asked
    found: list[dict[str, PriorScore]] = [{} for _ in asked]
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(METRICS[name].family, []).append(name)
    for of_family in families.values():
        for name, outcomes in _outcomes(of_family, asked, whole, resources).items():
            for position, outcome in enumerate(outcomes):
                found[position][name] = PriorScore(
                    value=outcome.value, reason=outcome.reason, truncated=outcome.truncated
                )
    return found


def _outcomes(
    names: Sequence[str], asked: Sequence[Candidate], run: Sequence[Candidate], resources: Resources
) -> dict[str, list[Outcome]]:
    try:
        return score(names, asked, resources, run=run)
    except LibraryMissing:
        return {name: [Outcome(None, LIBRARY_MISSING)] * len(asked) for name in names}


def _candidates(groups: Sequence[Group]) -> list[Candidate]:
    return [
        Candidate(simile.text, simile.references, simile.literal, group.key)
        for group in groups
        for simile in group.candidates
    ]


def inverted(name: str) -> bool:
    """Whether a metric of quality is normalised upside down, so that higher is better."""
    return METRICS[name].direction == "lower"


def of_quality(name: str) -> bool:
    """Whether the paper uses a metric for quality, so that it is normalised within its group."""
    return METRICS[name].family in OF_QUALITY
