"""How well a metric ranks the candidates of a group (HR@k, nDCG@k, MRR), and Borda counts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.base.rounding import round_significant

Ties = Literal["expected", "stable"]
Reading = Literal["human", "metric"]

MINIMUM_SIZE = 3
# Below every correlation.
LEAST = -2.0


@dataclass(frozen=True)
class GroupRanking:
    """One ranking measure over groups."""

    measure: str  # `HR@k`, `nDCG@k` or `MRR`
    ties: Ties  # `expected` or `stable`
    value: float  # Mean over the groups; NaN without one
    by_group: FloatArray  # Measure of each group that counts; NaN where undefined
    n_groups: int  # Groups in the mean
    n_dropped: int  # Groups too small, or where the measure is undefined


@dataclass(frozen=True)
class Places:
    """The places each candidate can take in an order with ties."""

    share: FloatArray  # Probability that a candidate has a rank, shape (candidates, ranks)

    @classmethod
    def of(cls, values: FloatArray, ties: Ties) -> "Places":
        """Places in descending order; ties in file order (`stable`) or all orders alike (`expected`)."""
        order = np.argsort(-values, kind="stable")
        n = len(values)
        share = np.zeros((n, n))
        if ties == "stable":
            share[order, np.arange(n)] = 1.0
            return cls(share)
        sorted_values = values[order]
        starts = np.flatnonzero(np.r_[True, sorted_values[1:] != sorted_values[:-1]])
        for start, end in zip(starts, np.r_[starts[1:], n], strict=True):
            share[np.ix_(order[start:end], np.arange(start, end))] = 1 / (end - start)
        return cls(share)

    def within(self, k: int) -> FloatArray:
        """Probability of being among the first k, shape (candidates,)."""
        return np.asarray(self.share[:, :k].sum(axis=1), dtype=np.float64)


def hit_ratio(
    metric: FloatArray, human: FloatArray, group: IntArray, k: int, ties: Ties = "expected"
) -> GroupRanking:
    """Share of the k best candidates of the metric that are among the k best of the raters.

    Parameters
    ----------
    metric, human
        Score and mean rating of each candidate, shape (candidates,); greater is better.
    group
        Group code of each candidate.
    k
        Number of candidates that count; groups with fewer than three (or k) are left out.
    ties
        `expected`: average over all ways to break the ties of both orders; `stable`: file order.

    Returns
    -------
    GroupRanking
        Mean over the groups.

    References
    ----------
    HAUSER (2023), section 4.2.1 and appendix B.
    """

    def of_group(scores: FloatArray, ratings: FloatArray) -> float:
        chosen = Places.of(scores, ties).within(k) * Places.of(ratings, ties).within(k)
        return float(chosen.sum() / k)

    return _over_groups(f"HR@{k}", of_group, (metric, human, group), ties, max(k, MINIMUM_SIZE))


def ndcg(
    metric: FloatArray, human: FloatArray, group: IntArray, k: int, ties: Ties = "expected"
) -> GroupRanking:
    """Discounted mean rating of the metric's k best candidates, relative to the raters' own order.

    Parameters
    ----------
    metric, human
        Score and mean rating of each candidate, shape (candidates,); greater is better. The gain is the mean
        rating itself.
    group
        Group code of each candidate.
    k
        Number of candidates that count; groups with fewer than three (or k) are left out.
    ties
        As in `hit_ratio`.

    Returns
    -------
    GroupRanking
        Mean over the groups; a group whose ideal gain is not positive is dropped.

    References
    ----------
    HAUSER (2023), eq. 10 and 11, read as the ratio of the two discounted sums.
    """
    discount = 1 / np.log2(np.arange(2, k + 2))

    def of_group(scores: FloatArray, ratings: FloatArray) -> float:
        reached = float(ratings @ Places.of(scores, ties).share[:, :k] @ discount)
        ideal = float(np.sort(ratings)[::-1][:k] @ discount)
        return reached / ideal if ideal > 0 else float("nan")

    return _over_groups(f"nDCG@{k}", of_group, (metric, human, group), ties, max(k, MINIMUM_SIZE))


def reciprocal_rank(
    metric: FloatArray,
    human: FloatArray,
    group: IntArray,
    ties: Ties = "expected",
    *,
    reading: Reading = "metric",
) -> GroupRanking:
    """Mean reciprocal rank of one side's best candidate in the other side's order.

    Parameters
    ----------
    metric, human
        Score and mean rating of each candidate, shape (candidates,); greater is better.
    group
        Group code of each candidate.
    ties
        As in `hit_ratio`.
    reading
        `metric`: rank in the metric's order of the raters' first, the usual one. `human`: rank in the raters'
        order of the metric's first, as HAUSER has it.

    Returns
    -------
    GroupRanking
        Mean over the groups with at least three candidates.

    References
    ----------
    HAUSER (2023), appendix B.
    """

    def of_group(scores: FloatArray, ratings: FloatArray) -> float:
        first, order = (scores, ratings) if reading == "human" else (ratings, scores)
        chosen = Places.of(first, ties).share[:, 0]
        return float(chosen @ Places.of(order, ties).share @ (1 / np.arange(1, len(order) + 1)))

    return _over_groups(f"MRR:{reading}", of_group, (metric, human, group), ties, MINIMUM_SIZE)


def borda(strengths: FloatArray) -> FloatArray:
    """Sum of the ranks of each metric over several columns.

    Parameters
    ----------
    strengths
        One row per metric, one column per criterion and coefficient: correlations in the declared direction
        of the metric, or absolute ones. NaN comes last.

    Returns
    -------
    ndarray, shape (metrics,)
        Sum over the columns of the rank 0 (weakest) … metrics − 1 (strongest); tied metrics share their mean
        rank, so that no order of the input decides.

    References
    ----------
    HANNA (2022), table 6.
    """
    known = round_significant(np.where(np.isnan(strengths), LEAST, strengths))
    return np.asarray((scipy.stats.rankdata(known, axis=0) - 1).sum(axis=1), dtype=np.float64)


def _over_groups(
    measure: str,
    of_group: Callable[[FloatArray, FloatArray], float],
    candidates: tuple[FloatArray, FloatArray, IntArray],
    ties: Ties,
    minimum: int,
) -> GroupRanking:
    metric, human, group = round_significant(candidates[0]), round_significant(candidates[1]), candidates[2]
    values = []
    for code in range(int(group.max()) + 1 if len(group) else 0):
        inside = (group == code) & np.isfinite(metric) & np.isfinite(human)
        values.append(of_group(metric[inside], human[inside]) if inside.sum() >= minimum else float("nan"))
    by_group = np.array(values, dtype=np.float64)
    defined = np.isfinite(by_group)
    mean = float(by_group[defined].mean()) if defined.any() else float("nan")
    return GroupRanking(measure, ties, mean, by_group, int(defined.sum()), int((~defined).sum()))
