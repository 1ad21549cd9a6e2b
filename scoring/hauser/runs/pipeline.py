"""All scores of a run's candidates: components, knowledge base, classifiers, groups, prior metrics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from scoring.hauser.base.candidates import Group, Scored, Simile, unusable
from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import Score
from scoring.hauser.components.classifier_input import Cut, literal_cut, simile_cut
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.baseline_metrics import PriorScore, prior_scores
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.informativeness import informativeness
from scoring.hauser.metrics.logic import logical_consistency
from scoring.hauser.metrics.quality import BEST, PARTS, Weights
from scoring.hauser.metrics.relevance import relevance
from scoring.hauser.metrics.sentiment import sentiment_consistency
from scoring.hauser.metrics.within_group import Placed, place_group
from scoring.hauser.runs.score_trace import explanation
from scoring.textmetrics.candidates import Resources

NO_LITERAL = "no_literal"
NO_MODELS = "no_models"
Asked = TypeVar("Asked", bound=Hashable)


class Answer(Protocol):
    """Output of a classifier for one text: probabilities by its labels, or a reason."""

    @property
    def probabilities(self) -> Mapping[str, float]: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True)
class Tools:
    """Tools and settings of scoring."""

    extract: Callable[[str], Extraction]  # From sentences to components
    base: KnowledgeBase
    # From pairs (literal sentence, simile) to probabilities of their relation; None without a model
    nli: Callable[[Sequence[tuple[str, str]]], Sequence[Answer]] | None = None
    # From texts to probabilities of their polarity; None without a model
    sentiment: Callable[[Sequence[str]], Sequence[Answer]] | None = None
    no_models: str = NO_MODELS  # Reason given for a score whose model is missing
    weights: Weights = BEST  # Weights of the parts of quality
    metrics: tuple[str, ...] = ()  # Prior metrics to compute as well
    resources: Resources = field(default_factory=Resources)  # Resources of the prior metrics


@dataclass(frozen=True)
class _Read:
    """A candidate with its components and the beginnings that the sentiment classifier is given."""

    simile: Simile
    refused: str
    components: Extraction
    simile_cut: Cut
    literal_cut: Cut


def score_groups(groups: Sequence[Group], tools: Tools, *, run: Sequence[Group] = ()) -> list[list[Scored]]:
    """Score candidates; each distinct text is given to a model once.

    Parameters
    ----------
    groups : sequence of Group
        Whole groups: normalisation and ranks are within them.
    tools : Tools
        Extractor, knowledge base, models, weights and metrics.
    run : sequence of Group
        All groups of the run, for the metrics that compare with it; empty for `groups`.

    Returns
    -------
    list of list of Scored
        A list per group and an entry per candidate, in their order.

    Raises
    ------
    MetricError
        The classifiers' labels mean nothing (`no_such_label`, `several_labels`) or their answers are no
        probabilities (`bad_probabilities`).

    Notes
    -----
    He et al. (2023), section 3. Names: `relevance`, `logic` and `sentiment`; each with `_normalised`;
    `quality`, which has no value where a part is missing, while `quality[-logic]` and the like then has one;
    `creativity`, `informativeness`, and `combined`, the weighted mean rank of section 5.
    """
    read = [[_read(simile, tools.extract) for simile in group.candidates] for group in groups]
    flat = [one for members in read for one in members]
    parts = _parts(flat, tools)
    prior = iter(prior_scores(groups, tools.metrics, tools.resources, run=run))
    found = iter(parts)
    return [
        _scored_group(group, members, [next(found) for _ in members], [next(prior) for _ in members], tools)
        for group, members in zip(groups, read, strict=True)
    ]


@dataclass(frozen=True)
class Parts:
    """Scores of a candidate that do not depend on its group."""

    relevance: Score
    logic: Score
    sentiment: Score
    creativity: Score
    informativeness: Score
    truncated: tuple[str, ...] = ()


def _read(simile: Simile, extract: Callable[[str], Extraction]) -> _Read:
    refused = unusable(simile.text)
    if refused:
        nothing = Cut("")
        return _Read(simile, refused, Extraction((), refused), nothing, nothing)
    components = extract(simile.text) if simile.given is None else simile.given
    return _Read(
        simile, "", components, simile_cut(simile.text, components), literal_cut(simile.literal, components)
    )


def _parts(read: Sequence[_Read], tools: Tools) -> list[Parts]:
    logics = _logics(read, tools)
    sentiments = _sentiments(read, tools)
    return [
        _part(candidate, logic, sentiment, tools)
        for candidate, logic, sentiment in zip(read, logics, sentiments, strict=True)
    ]


def _part(candidate: _Read, logic: tuple[Score, bool], sentiment: tuple[Score, bool], tools: Tools) -> Parts:
    if candidate.refused:
        return _refused(candidate.refused)
    return Parts(
        relevance=relevance(candidate.components, tools.base),
        logic=logic[0],
        sentiment=sentiment[0],
        creativity=creativity(candidate.components, tools.base),
        informativeness=informativeness(candidate.components),
        truncated=("logic",) * logic[1] + ("sentiment",) * sentiment[1],
    )


def _refused(reason: str) -> Parts:
    nothing = Score(value=None, reason=reason)
    return Parts(nothing, nothing, nothing, nothing, nothing)


def _hindrance(candidate: _Read, model: object, tools: Tools) -> str:
    """Why a pair cannot be classified."""
    if candidate.refused:
        return candidate.refused
    if unusable(candidate.simile.literal):
        return (
            NO_LITERAL
            if not candidate.simile.literal.strip()
            else f"literal_{unusable(candidate.simile.literal)}"
        )
    return tools.no_models if model is None else ""


def _logics(read: Sequence[_Read], tools: Tools) -> list[tuple[Score, bool]]:
    hindered = [_hindrance(candidate, tools.nli, tools) for candidate in read]
    pairs = [
        (candidate.simile.literal, candidate.simile.text)
        for candidate, why in zip(read, hindered, strict=True)
        if not why
    ]
    answers = _asked(tools.nli, pairs)
    found: list[tuple[Score, bool]] = []
    for candidate, why in zip(read, hindered, strict=True):
        if why:
            found.append((Score(value=None, reason=why), False))
            continue
        answer = answers[candidate.simile.literal, candidate.simile.text]
        score = (
            Score(value=None, reason=answer.reason)
            if answer.reason
            else logical_consistency(answer.probabilities)
        )
        found.append((score, answer.truncated))
    return found


def _sentiments(read: Sequence[_Read], tools: Tools) -> list[tuple[Score, bool]]:
    hindered = [_hindrance(candidate, tools.sentiment, tools) for candidate in read]
    asked = [candidate for candidate, why in zip(read, hindered, strict=True) if not why]
    texts = [cut.text for candidate in asked for cut in (candidate.simile_cut, candidate.literal_cut)]
    answers = _asked(tools.sentiment, texts)
    found: list[tuple[Score, bool]] = []
    for candidate, why in zip(read, hindered, strict=True):
        if why:
            found.append((Score(value=None, reason=why), False))
            continue
        of_simile, of_literal = answers[candidate.simile_cut.text], answers[candidate.literal_cut.text]
        reason = of_simile.reason or of_literal.reason
        score = (
            Score(value=None, reason=reason)
            if reason
            else sentiment_consistency(
                candidate.simile_cut, candidate.literal_cut, of_simile.probabilities, of_literal.probabilities
            )
        )
        found.append((score, of_simile.truncated or of_literal.truncated))
    return found


def _asked(
    model: Callable[[Sequence[Asked]], Sequence[Answer]] | None, texts: Sequence[Asked]
) -> dict[Asked, Answer]:
    """A model's answers by text, for each distinct text once, in one call."""
    distinct = list(dict.fromkeys(texts))
    if model is None or not distinct:
        return {}
    return dict(zip(distinct, model(distinct), strict=True))


def _scored_group(
    group: Group,
    read: Sequence[_Read],
    parts: Sequence[Parts],
    prior: Sequence[Mapping[str, PriorScore]],
    tools: Tools,
) -> list[Scored]:
    placed = place_group(
        {part: [getattr(one, part) for one in parts] for part in PARTS},
        [one.creativity for one in parts],
        [one.informativeness for one in parts],
        prior,
        weights=tools.weights,
        belongs=bool(group.key),
    )
    return [
        _scored(candidate, own, rank, own_prior, tools)
        for candidate, own, rank, own_prior in zip(read, parts, placed, prior, strict=True)
    ]


def _scored(
    candidate: _Read, parts: Parts, placed: Placed, prior: Mapping[str, PriorScore], tools: Tools
) -> Scored:
    source = "extracted" if candidate.simile.given is None else candidate.simile.source
    raw = {part: getattr(parts, part) for part in (*PARTS, "creativity", "informativeness")}
    scores: dict[str, Score] = {
        **raw,
        **{f"{name}_normalised": score for name, score in placed.normalised.items()},
        **placed.quality_scores(),
        "combined": placed.combined,
        **prior,
    }
    cut = (*parts.truncated, *(name for name, score in prior.items() if score.truncated))
    truncated = (*cut, *placed.following_from(cut))
    return Scored(
        key=candidate.simile.key,
        scores={name: Score(value=score.value, reason=score.reason) for name, score in scores.items()},
        components=candidate.components,
        source=source,
        explanation={
            **explanation(candidate.simile, candidate.components, raw, placed, tools.base),
            "source": source,
            **({"answers": list(candidate.simile.answers)} if candidate.simile.answers else {}),
            "truncated": list(truncated),
        },
        truncated=truncated,
    )
