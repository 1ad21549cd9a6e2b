"""The alternative annotator test: may a judge replace one of the raters?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.base.cautions import zero_width_part
from scoring.stats.base.multiple_testing import adjusted
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling, draw_units
from scoring.stats.base.result import (
    ANONYMOUS_RATERS,
    CONSTANT_RATINGS,
    TOO_FEW_GROUPS,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    Interval,
    finite_or_none,
)
from scoring.stats.data.table import Ratings
from scoring.stats.judges.closeness import Comparisons, compare_with_raters
from scoring.stats.judges.margin import margin_test
from scoring.stats.judges.unit_sums import FEWEST_FOR_MEANS, Units, interval_of_mean

# What a judge may be behind a rater, who costs more: for crowd workers, trained raters and experts.
EPSILONS = {"crowd": 0.1, "trained": 0.15, "expert": 0.2}
# Items of a rater below which the t distribution is a poor guide, and raters below which a share says little.
FEWEST_ITEMS = 30
FEWEST_RATERS = 3
# Groups of items below which their spread is a poor guide.
FEWEST_GROUPS = 20
FALSE_DISCOVERIES = 0.05
HALF = 0.5


@dataclass(frozen=True)
class RaterLeftOut:
    """The test of a judge against one rater.

    `rater` is empty where all ratings are compared together, without regard to the rater.
    """

    rater: str
    n_items: int
    # judge_share, rater_share: Share of the items on which the judge, and on which the rater, is at least as
    # close to the other raters; they add up to more than 1 where both are equally close
    judge_share: float
    rater_share: float
    p: float  # One-sided, that the rater is ahead of the judge by ε or more; NaN when `reason` is set
    adjusted_p: float  # After Benjamini and Yekutieli, over the raters tested
    method: str  # `t`, `score` or `binomial`; empty when `reason` is set
    reason: str = ""  # Why this rater is not tested

    @property
    def beaten(self) -> bool:
        """Whether the judge does better than being ε behind this rater."""
        return self.adjusted_p < FALSE_DISCOVERIES

    def to_row(self) -> dict[str, str | float | int | bool | None]:
        """The test as a JSON object."""
        return {
            "rater": self.rater,
            "n_items": self.n_items,
            "judge_share": finite_or_none(self.judge_share),
            "rater_share": finite_or_none(self.rater_share),
            "p": finite_or_none(self.p),
            "adjusted_p": finite_or_none(self.adjusted_p),
            "method": self.method,
            "beaten": None if self.reason else self.beaten,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class AlternativeAnnotatorTest:
    """The result of the alternative annotator test for a judge on one criterion."""

    criterion: str
    judge: str
    epsilon: float
    raters: tuple[RaterLeftOut, ...]  # Empty where raters are anonymous
    all_raters: RaterLeftOut  # The same comparison over every rating; its `adjusted_p` is its p
    all_interval: Interval  # Of its `judge_share`
    advantage: float  # Mean over the raters tested of the judge's share; NaN when `reason` is set
    interval: Interval
    reason: str = ""

    @property
    def n_tested(self) -> int:
        """Number of raters with enough items."""
        return sum(not one.reason for one in self.raters)

    @property
    def n_beaten(self) -> int:
        """Number of raters that the judge beats, given the allowance ε."""
        return sum(one.beaten for one in self.raters)

    @property
    def winning_rate(self) -> float:
        """Share of the tested raters that the judge beats; NaN when `reason` is set."""
        return math.nan if self.reason else self.n_beaten / self.n_tested

    @property
    def passes(self) -> bool | None:
        """Whether at least half of the raters are beaten; of anonymous raters, all ratings together.

        None where nothing could be tested, which is no failure.
        """
        if self.reason == ANONYMOUS_RATERS:
            return None if self.all_raters.reason else self.all_raters.beaten
        return None if self.reason else self.winning_rate >= HALF

    @property
    def interval_settings(self) -> str:
        """Settings and cautions of the interval, as a figure's signature has them."""
        parts = (self.interval.settings, zero_width_part(self.interval.low, self.interval.high))
        return "|".join(part for part in parts if part)

    def to_row(self) -> dict[str, object]:
        """The result as a JSON object."""
        return {
            "criterion": self.criterion,
            "judge": self.judge,
            "epsilon": self.epsilon,
            "advantage": finite_or_none(self.advantage),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "interval_method": self.interval.method,
            "interval_reason": self.interval.reason,
            "interval_settings": self.interval_settings,
            "n_tested": self.n_tested,
            "n_beaten": self.n_beaten,
            "winning_rate": finite_or_none(self.winning_rate),
            "passes": self.passes,
            "reason": self.reason,
            "all_raters": self.all_raters.to_row(),
            "all_low": finite_or_none(self.all_interval.low),
            "all_high": finite_or_none(self.all_interval.high),
            "all_interval_reason": self.all_interval.reason,
            "raters": [one.to_row() for one in self.raters],
        }


def alternative_annotator_test(
    ratings: Ratings, judge: FloatArray, name: str, *, epsilon: float, resampling: Resampling
) -> AlternativeAnnotatorTest:
    """Test whether a judge may replace a rater, each rater left out in turn.

    Parameters
    ----------
    ratings : Ratings
        Ratings of one criterion: numbers, or options where they are `nominal`.
    judge : ndarray of float, shape (items,)
        The judge's value of each item code, NaN where there is none.
    name : str
        Name of the judge.
    epsilon : float
        By how much the judge may be behind a rater, as a difference of two shares of items, from 0 to 1.
    resampling : Resampling
        Replicates, seed and confidence of the interval of the advantage.

    Returns
    -------
    AlternativeAnnotatorTest
        A rater with fewer than 30 compared items, or 20 groups, or with items that all raters have rated the
        same, is not tested. Fewer than three tested raters have no winning rate (`too_few_raters`), nor have
        slots that are shared by different people (`anonymous_raters`); for these the comparison over all
        ratings remains, with an interval of Student’s t that needs 30 items or groups. Where all ratings are
        the same, nothing is tested (`constant_ratings`).

    Notes
    -----
    The paper tests each rater by a paired t test over independent items. Where judge and rater seldom differ,
    and for groups of items, other tests take its place (`margin_test`). The comparison over all ratings is
    our own: each item gives the mean over its ratings.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, sections 3 and 4.
    Benjamini and Yekutieli (2001), The control of the false discovery rate under dependency.
    """
    found = compare_with_raters(ratings, judge)
    items, shares = np.unique(found.item), _mean_by_item(found)
    pooled = _left_out(ratings, "", items, shares, epsilon)
    codes = range(len(ratings.raters)) if ratings.identified else ()
    raters = _adjusted([_of_rater(ratings, found, code, epsilon) for code in codes])
    tested = np.flatnonzero([not one.reason for one in raters])
    reason = _refusal(ratings, pooled, len(tested))
    advantage, interval = math.nan, Interval.missing(reason)
    if not reason:
        advantage = float(np.mean([raters[code].judge_share for code in tested]))
        interval = _interval(ratings, found, tested, resampling)
    return AlternativeAnnotatorTest(
        criterion=ratings.criterion,
        judge=name,
        epsilon=epsilon,
        raters=raters,
        all_raters=pooled,
        all_interval=_interval_of_all(ratings, items, shares[0], resampling.confidence),
        advantage=advantage,
        interval=interval,
        reason=reason,
    )


def _refusal(ratings: Ratings, pooled: RaterLeftOut, n_tested: int) -> str:
    """Why there is no winning rate; empty when there is one."""
    if pooled.reason == CONSTANT_RATINGS:
        return CONSTANT_RATINGS
    if not ratings.identified:
        return ANONYMOUS_RATERS
    return TOO_FEW_RATERS if n_tested < FEWEST_RATERS else ""


def _interval_of_all(ratings: Ratings, items: IntArray, shares: FloatArray, confidence: float) -> Interval:
    """Interval of the mean share of the judge over items, by what items or their groups differ by."""
    units = Units.of(None if ratings.group is None else ratings.group[items], len(items))
    found = interval_of_mean(shares, units, confidence, FEWEST_FOR_MEANS)
    return found if found.reason else replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def _of_rater(ratings: Ratings, found: Comparisons, code: int, epsilon: float) -> RaterLeftOut:
    own = found.rater == code
    shares = np.stack([found.judge[own], found.person[own]]).astype(np.float64)
    return _left_out(ratings, ratings.raters[code], found.item[own], shares, epsilon)


def _mean_by_item(found: Comparisons) -> FloatArray:
    """Over the ratings of each item, how often the judge and how often the rater is at least as close."""
    items, code = np.unique(found.item, return_inverse=True)
    size = np.bincount(code, minlength=len(items))
    sums = [np.bincount(code, one, minlength=len(items)) for one in (found.judge, found.person)]
    return np.stack(sums) / np.maximum(size, 1)


def _left_out(
    ratings: Ratings, rater: str, items: IntArray, shares: FloatArray, epsilon: float
) -> RaterLeftOut:
    """The test of a rater from two rows, of judge and rater, of an entry each item."""
    n = len(items)
    judge, person = (float(one.mean()) if n else math.nan for one in shares)
    units = None if ratings.group is None else ratings.group[items]
    if reason := _untestable(ratings, items, units):
        return RaterLeftOut(rater, n, judge, person, math.nan, math.nan, "", reason)
    test = margin_test(shares[1] - shares[0], epsilon, units)
    return RaterLeftOut(rater, n, judge, person, test.p, test.p, test.method)


def _untestable(ratings: Ratings, items: IntArray, units: IntArray | None) -> str:
    """Why these items test nothing; empty when they do."""
    if len(items) < FEWEST_ITEMS:
        return TOO_FEW_ITEMS
    if units is not None and len(np.unique(units)) < FEWEST_GROUPS:
        return TOO_FEW_GROUPS
    values = ratings.value[np.isin(ratings.item, items)]
    return CONSTANT_RATINGS if (values == values[0]).all() else ""


def _adjusted(raters: Sequence[RaterLeftOut]) -> tuple[RaterLeftOut, ...]:
    """The tests with p values that control the false discovery rate under any dependence."""
    p = adjusted(np.array([one.p for one in raters], dtype=np.float64), "benjamini-yekutieli")
    return tuple(replace(one, adjusted_p=float(own)) for one, own in zip(raters, p, strict=True))


def _interval(ratings: Ratings, found: Comparisons, tested: IntArray, resampling: Resampling) -> Interval:
    """Bootstrap interval of the mean share of the judge, over items or groups drawn with their raters."""
    unit = found.item if ratings.group is None else ratings.group[found.item]
    codes = np.unique(unit, return_inverse=True)[1]
    place = np.full(len(ratings.raters), -1)
    place[tested] = np.arange(len(tested))
    own = place[found.rater] >= 0
    n_units = int(codes.max()) + 1
    cell = codes[own] * len(tested) + place[found.rater[own]]
    closer, compared = (
        np.bincount(cell, weights, minlength=n_units * len(tested)).reshape(n_units, len(tested))
        for weights in (found.judge[own].astype(np.float64), np.ones(len(cell)))
    )
    generator = resampling.generator("advantage", ratings.criterion)
    drawn = []
    for size in resampling.chunks(n_units):
        counts = draw_units(generator, np.ones(n_units, dtype=np.int64), size).T
        with np.errstate(invalid="ignore"):
            drawn.append((counts @ closer / (counts @ compared)).mean(axis=1))
    return resampling.interval(np.concatenate(drawn), ratings.unit, n_units)
