"""Candidates that raters put in order: their mean ranks, their strengths, and each pair of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from scoring.stats.base.proportions import share_of
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import Interval, finite_or_none
from scoring.stats.choices.bradley_terry import MOST_COMPETITORS, TOO_MANY_ITEMS
from scoring.stats.choices.orders.coded_orders import Orders
from scoring.stats.choices.orders.strengths import Stages, strength_intervals

# A table of pairs is readable for at most this many candidates.
MOST_IN_PAIRS = 10


@dataclass(frozen=True)
class RankedCandidates:
    """Orders of candidates, where the options of each item show candidates.

    Parameters
    ----------
    criterion
        Name of the question.
    names
        The candidates.
    code
        Candidate of each option, shape (answers, options); -1 where there is none.
    place, rank
        Group and mean rank of each option as `Orders` has them.
    item, rater
        Item and rater of each answer, from 0.
    unit
        What is resampled, an item or a group of items, for each answer, from 0.
    drawn
        Name of what that is, `items` or `groups`.
    """

    criterion: str
    names: tuple[str, ...]
    code: IntArray
    place: IntArray
    rank: FloatArray
    item: IntArray
    rater: IntArray
    unit: IntArray
    drawn: str

    @classmethod
    def of(cls, orders: Orders, candidates: Sequence[Sequence[str]]) -> "RankedCandidates":
        """The orders, with the candidate of each option of each answer.

        Answers about an item that has the same candidate twice are left out.
        """
        chosen = [row for row, names in enumerate(candidates) if len(set(names)) == len(names)]
        names = sorted({name for row in chosen for name in candidates[row]})
        number = {name: place for place, name in enumerate(names)}
        width = len(orders.options)
        code = np.array([[number[name] for name in candidates[row]] for row in chosen], dtype=np.int64)
        place = orders.place[chosen].reshape(-1, width)
        labels = np.array([orders.items[row] for row in chosen], dtype=str)
        items, item = np.unique(labels, return_inverse=True)
        _, rater = np.unique(np.array([orders.raters[row] for row in chosen], dtype=str), return_inverse=True)
        units, drawn = orders.units_of([str(one) for one in items])
        return cls(
            orders.criterion,
            tuple(names),
            np.where(place < 0, -1, code.reshape(-1, width)),
            place,
            orders.ranks[chosen].reshape(-1, width),
            item.astype(np.int64),
            rater.astype(np.int64),
            units[item] if len(items) else item.astype(np.int64),
            drawn,
        )

    @property
    def n_units(self) -> int:
        """Number of items, or groups of items, that are resampled."""
        return int(self.unit.max()) + 1 if len(self.unit) else 0


def candidate_rows(ranked: RankedCandidates, resampling: Resampling) -> list[dict[str, Any]]:
    """Mean rank and Plackett–Luce strength of each candidate.

    Parameters
    ----------
    ranked
        Orders of candidates.
    resampling
        Replicates (for strengths at most 500 are used), seed and confidence of the bootstrap over items, or
        over their groups.

    Returns
    -------
    list of dict
        `candidate`, `n` (answers about it), `mean_rank` with `rank_low`, `rank_high` and
        `rank_interval_method`, `strength` with `low`, `high` and `interval_method`, and `reason`, why there
        are no strengths: `tied_ranks` where options above the last are tied, `too_many_items` with more than
        60 candidates, else as `plackett_luce` refuses. The best mean rank first.
    """
    means, ranges = _mean_ranks(ranked, resampling)
    strengths, intervals, reason = _strengths(ranked, resampling)
    asked = np.bincount(ranked.code[ranked.code >= 0], minlength=len(ranked.names))
    rows = [
        {
            "criterion": ranked.criterion,
            "candidate": name,
            "n": int(asked[number]),
            "mean_rank": float(means[number]),
            "rank_low": finite_or_none(ranges[number].low),
            "rank_high": finite_or_none(ranges[number].high),
            "rank_interval_method": _method(ranges[number]),
            "strength": finite_or_none(float(strengths[number])),
            "low": finite_or_none(intervals[number].low),
            "high": finite_or_none(intervals[number].high),
            "interval_method": _method(intervals[number]),
            "reason": reason,
        }
        for number, name in enumerate(ranked.names)
    ]
    return sorted(rows, key=lambda row: (row["mean_rank"], row["candidate"]))


def pair_rows(ranked: RankedCandidates, resampling: Resampling) -> list[dict[str, Any]]:
    """How often each candidate is put above each other one, and how often raters agree on that.

    Parameters
    ----------
    ranked
        Orders of candidates.
    resampling
        With the confidence of the intervals.

    Returns
    -------
    list of dict
        `first`, `second`, `n`, `above`, `ties`, `below`, `share` (a tie is half a win of the first) with its
        interval, and `agreement`, the share of pairs of raters of an item who put both in the same order.
        Empty with more than ten candidates.
    """
    if len(ranked.names) > MOST_IN_PAIRS:
        return []
    by_candidate = _by_candidate(ranked)
    rows = []
    for first, second in combinations(range(len(ranked.names)), 2):
        places = by_candidate[:, [first, second]]
        both = np.flatnonzero((places >= 0).all(axis=1))
        if len(both):
            sign = np.sign(places[both, 1] - places[both, 0])
            share = share_of((sign + 1) / 2, ranked.unit[both], resampling.confidence, ranked.drawn)
            rows.append(
                {
                    "criterion": ranked.criterion,
                    "first": ranked.names[first],
                    "second": ranked.names[second],
                    "n": len(both),
                    "above": int((sign > 0).sum()),
                    "ties": int((sign == 0).sum()),
                    "below": int((sign < 0).sum()),
                    **share.to_row(),
                    "agreement": finite_or_none(_pairs_alike(sign, ranked.item[both])),
                }
            )
    return rows


def _strengths(ranked: RankedCandidates, resampling: Resampling) -> tuple[FloatArray, list[Interval], str]:
    n = len(ranked.names)
    if n > MOST_COMPETITORS:
        return np.full(n, np.nan), [Interval.missing(TOO_MANY_ITEMS)] * n, TOO_MANY_ITEMS
    stages = Stages.of(ranked.code, ranked.place, ranked.unit, n, ranked.n_units)
    return strength_intervals(stages, ranked.criterion, resampling, ranked.drawn)


def _mean_ranks(ranked: RankedCandidates, resampling: Resampling) -> tuple[FloatArray, list[Interval]]:
    n, n_units = len(ranked.names), ranked.n_units
    asked = ranked.code >= 0
    cell = (np.broadcast_to(ranked.unit[:, None], ranked.code.shape) * n + ranked.code)[asked]
    sums = np.bincount(cell, weights=ranked.rank[asked], minlength=n_units * n).reshape(n_units, n)
    sizes = np.bincount(cell, minlength=n_units * n).reshape(n_units, n).astype(np.float64)
    means = sums.sum(axis=0) / sizes.sum(axis=0)
    if n_units < FEWEST_UNITS:
        return means, [nothing_to_draw(ranked.drawn)] * n
    generator = resampling.generator(ranked.criterion, "mean_rank")
    shares = np.full(n_units, 1 / n_units)
    found = []
    for size in resampling.chunks(n_units + n):
        drawn = generator.multinomial(n_units, shares, size=size).astype(np.float64)
        weighted = drawn @ sizes
        found.append(
            np.divide(drawn @ sums, weighted, out=np.full(weighted.shape, np.nan), where=weighted > 0)
        )
    replicates = np.concatenate(found)
    return means, [resampling.interval(replicates[:, one], ranked.drawn, n_units) for one in range(n)]


def _by_candidate(ranked: RankedCandidates) -> IntArray:
    """Place of each candidate in each answer, -1 where it is not about it."""
    found = np.full((len(ranked.code), len(ranked.names)), -1, dtype=np.int64)
    answer, option = np.nonzero(ranked.code >= 0)
    found[answer, ranked.code[answer, option]] = ranked.place[answer, option]
    return found


def _pairs_alike(sign: IntArray, item: IntArray) -> float:
    """Share of pairs of answers about one item with the same sign; NaN where no item has two answers."""
    _, codes = np.unique(item, return_inverse=True)
    counts = np.zeros((int(codes.max()) + 1, 3))
    np.add.at(counts, (codes, sign + 1), 1.0)
    sizes = counts.sum(axis=1)
    pairs = float((sizes * (sizes - 1)).sum())
    return float((counts * (counts - 1)).sum() / pairs) if pairs else float("nan")


def _method(interval: Interval) -> str:
    return f"none:{interval.reason}" if interval.reason else interval.method
