"""Results that depend on the other candidates of a literal sentence: normalisation, quality and ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from scoring.hauser.base.scores import Score
from scoring.hauser.metrics.baseline_metrics import inverted, of_quality
from scoring.hauser.metrics.combine import Combined, combine
from scoring.hauser.metrics.normalisation import Normalised, normalise
from scoring.hauser.metrics.quality import PARTS, QUALITY, Quality, Weights, quality

NO_GROUP = "no_group"
OTHER_QUALITY = "other_quality"


@dataclass(frozen=True)
class Placed:
    """The results of a candidate within its group."""

    normalised: Mapping[str, Normalised]  # By part of quality, and by prior metric of quality
    quality: Quality  # From the parts that have a value
    combined: Combined
    n: int  # Candidates in the group

    def quality_scores(self) -> dict[str, Score]:
        """Quality by its name; where a part is missing, `quality` has the reason in place of a value."""
        own = self.quality
        if own.metric == QUALITY or own.value is None:
            return {QUALITY: own}
        return {QUALITY: Score(value=None, reason=f"no_{'_'.join(own.missing)}"), own.metric: own}

    def following_from(self, metrics: Collection[str]) -> list[str]:
        """The candidate's further scores that depend on some of its metrics."""
        own = self.quality
        used = [part for part, weight in asdict(own.weights).items() if weight and part not in own.missing]
        found = [f"{name}_normalised" for name in self.normalised if name in metrics]
        if not set(used) & set(metrics):
            return found
        return [*found, own.metric, *(["combined"] if self.combined.value is not None else [])]


def place_group(
    parts: Mapping[str, Sequence[Score]],
    creativity: Sequence[Score],
    informativeness: Sequence[Score],
    prior: Sequence[Mapping[str, Score]],
    *,
    weights: Weights,
    belongs: bool,
) -> list[Placed]:
    """Normalise, weigh and rank the candidates of one group.

    Parameters
    ----------
    parts : mapping of str to sequence of Score
        `relevance`, `logic` and `sentiment` of each candidate.
    creativity, informativeness : sequence of Score
        Scores of the candidates.
    prior : sequence of mapping of str to Score
        Prior metrics of each candidate.
    weights : Weights
        Weights of the parts of quality.
    belongs : bool
        Whether the candidates are a group; otherwise nothing is comparable (`no_group`).

    Returns
    -------
    list of Placed
        In the order of the candidates. Where some lack a part of quality that others have, those with the
        quality that most have are ranked, and the rest have no place (`other_quality`).
    """
    of_prior = {
        name: [one[name] for one in prior] for name in (prior[0] if prior else ()) if of_quality(name)
    }
    normalised = {
        name: _normalise(scores, belongs=belongs, turned=name not in PARTS and inverted(name))
        for name, scores in {**parts, **of_prior}.items()
    }
    number = len(creativity)
    own = [
        quality({part: normalised[part][position] for part in PARTS}, weights) for position in range(number)
    ]
    ranked = _combined(own, creativity, informativeness)
    return [
        Placed(
            {name: of_metric[position] for name, of_metric in normalised.items()},
            own[position],
            ranked[position],
            number,
        )
        for position in range(number)
    ]


def _normalise(scores: Sequence[Score], *, belongs: bool, turned: bool) -> list[Normalised]:
    if not belongs:
        return [
            Normalised(
                value=None,
                reason=score.reason or NO_GROUP,
                raw=score.value,
                low=score.value,
                high=score.value,
            )
            for score in scores
        ]
    found = normalise(scores)
    if not turned:
        return found
    return [one if one.value is None else replace(one, value=1 - one.value) for one in found]


def _combined(
    own: Sequence[Quality], creativity: Sequence[Score], informativeness: Sequence[Score]
) -> list[Combined]:
    kinds = Counter(one.metric for one in own if one.value is not None)
    if len(kinds) <= 1:
        return combine(own, creativity, informativeness)
    usual = min(kinds, key=lambda kind: (-kinds[kind], len(kind), kind))
    comparable = [
        one if one.metric == usual else replace(one, value=None, reason=OTHER_QUALITY) for one in own
    ]
    return [
        replace(rank, reason=OTHER_QUALITY) if one.reason == OTHER_QUALITY else rank
        for one, rank in zip(comparable, combine(comparable, creativity, informativeness), strict=True)
    ]
