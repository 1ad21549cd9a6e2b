"""The candidates of a literal sentence in the order of quality, creativity and informativeness together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.hauser.base.scores import MetricError, Score
from scoring.hauser.metrics.quality import Quality
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.rounding import round_significant

RATIO: Mapping[str, float] = {"quality": 2, "creativity": 2, "informativeness": 1}


@dataclass(frozen=True, kw_only=True)
class Combined(Score):
    """A candidate's rank in its group.

    Parameters
    ----------
    value
        The weighted mean of its ranks: the smaller, the better.
    ranks
        By metric, 1 the best; candidates with equal values share the mean of their ranks.
    place
        In the order of `value`, 1 the best; None without a value.
    is_tied
        Whether another candidate has the same place.
    """

    ranks: Mapping[str, float]
    place: int | None
    is_tied: bool


def combine(
    quality: Sequence[Quality],
    creativity: Sequence[Score],
    informativeness: Sequence[Score],
    ratio: Mapping[str, float] = RATIO,
) -> list[Combined]:
    """Rank the candidates of one group by the three metrics, combined 2 : 2 : 1.

    Parameters
    ----------
    quality, creativity, informativeness : sequence of Score
        Scores of the candidates, in the same order.
    ratio : mapping of str to float
        Weight of each ranking.

    Returns
    -------
    list of Combined
        In the same order. A candidate that lacks one of the three has no place (`no_` and the metric), and
        the others are ranked without it.

    Raises
    ------
    MetricError
        `mixed_quality` where some qualities lack a part that others have.

    Notes
    -----
    He et al. (2023), section 5. The paper says nothing of ties: equal values share the mean rank, equal
    combined ranks share the place.
    """
    _check_one_metric(quality)
    scores = {"quality": quality, "creativity": creativity, "informativeness": informativeness}
    lacking = [
        next((metric for metric, metric_scores in scores.items() if metric_scores[place].value is None), "")
        for place in range(len(quality))
    ]
    ranked = [place for place, metric in enumerate(lacking) if not metric]
    if not ranked:
        return [_without(metric) for metric in lacking]
    ranks = {
        metric: _ranks([metric_scores[place].value for place in ranked])
        for metric, metric_scores in scores.items()
    }
    weights = [ratio[metric] for metric in ranks]
    means = np.average(np.stack(list(ranks.values())), axis=0, weights=weights)
    places = scipy.stats.rankdata(round_significant(means), method="min").astype(int)
    combined = {
        place: Combined(
            value=float(means[number]),
            ranks={metric: float(of_metric[number]) for metric, of_metric in ranks.items()},
            place=int(places[number]),
            is_tied=bool((places == places[number]).sum() > 1),
        )
        for number, place in enumerate(ranked)
    }
    return [combined.get(place) or _without(metric) for place, metric in enumerate(lacking)]


def _check_one_metric(quality: Sequence[Quality]) -> None:
    metrics = sorted({one.metric for one in quality if one.value is not None})
    if len(metrics) > 1:
        message = (
            f"the candidates of a group have different qualities ({', '.join(metrics)}), which are not "
            "comparable; give the missing sub-scores a weight of 0 for all"
        )
        raise MetricError("mixed_quality", message)


def _ranks(values: Sequence[float | None]) -> FloatArray:
    return np.asarray(
        scipy.stats.rankdata(-round_significant(np.array(values, dtype=np.float64))), dtype=np.float64
    )


def _without(metric: str) -> Combined:
    return Combined(value=None, reason=f"no_{metric}", ranks={}, place=None, is_tied=False)
