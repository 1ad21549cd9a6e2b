"""How many items and raters a study needs, from variance components or from a pilot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.variance.anova import MeanSquares, f_interval
from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.base.resampling import FloatArray

NO_ITEM_VARIANCE = "no_item_variance"
OUT_OF_REACH = "out_of_reach"

SIMULATIONS = 200
MOST_RATERS = 100_000


@dataclass(frozen=True)
class Range:
    """A number between two limits; equal limits for a known one."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse limits in the wrong order, and what is not a finite number."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ValueError(
                f"A range needs two finite numbers, the lower one first, not {self.low} and {self.high}."
            )

    @classmethod
    def at(cls, value: float) -> "Range":
        """A known number."""
        return cls(value, value)

    def __format__(self, spec: str) -> str:
        """The number, or both limits where they read differently, each in the given format."""
        low, high = format(self.low, spec), format(self.high, spec)
        return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class ComponentRanges:
    """Variances of item, rater and residual, each known within limits."""

    # item, rater, residual: Variances of single ratings
    item: Range
    rater: Range
    residual: Range

    def __post_init__(self) -> None:
        """Refuse negative variances, and none at all."""
        if min(self.item.low, self.rater.low, self.residual.low) < 0:
            raise ValueError("A variance is below 0. Enter 0 if an estimate is negative.")
        if any(one.item + one.rater + one.residual == 0 for one in (self.worst, self.best)):
            raise ValueError("All variances may be 0. Enter at least one variance above 0.")

    @property
    def worst(self) -> Components:
        """The limits with the least reliability."""
        return Components(self.item.low, self.rater.high, self.residual.high)

    @property
    def best(self) -> Components:
        """The limits with the greatest reliability."""
        return Components(self.item.high, self.rater.low, self.residual.low)


@dataclass(frozen=True)
class Prices:
    """Price and time of one rating."""

    rating: Range  # Price of one rating
    seconds: Range  # Time per rating


@dataclass(frozen=True)
class PlanRow:
    """One design: a number of items and a number of raters per item."""

    # items, raters: Items, and raters per item
    items: int
    raters: int
    reliability: Range  # Of the mean rating: what ICC1k and ICC2k both estimate
    # Median width of the interval of ICC1k (different raters for every item) and of ICC2k (the same raters
    # for all items); None with one rater or without variance
    width_different_raters: Range | None
    width_same_raters: Range | None
    ratings: int  # items × raters
    # cost, hours: Cost and rating time of all ratings; None without prices
    cost: Range | None
    hours: Range | None


@dataclass(frozen=True)
class Plan:
    """Designs to choose from, and their assumptions."""

    rows: list[PlanRow]  # By items and raters
    target: float  # The desired reliability of the mean rating
    # Least and greatest number of raters per item that reach the target; None where `reason` is set
    raters_needed: tuple[int, int] | None
    reason: str  # `no_item_variance`, or `out_of_reach` where more than 100,000 raters would be needed
    assumptions: tuple[str, ...]  # In words


def reliability_of_mean(components: Components, raters: int) -> float:
    """Reliability of the mean of k ratings, with rater differences counted as error.

    Parameters
    ----------
    components
        Variances of item, rater and residual.
    raters
        k.

    Returns
    -------
    float
        σ²_item / (σ²_item + (σ²_rater + σ²_residual)/k), what ICC1k and ICC2k estimate; NaN without variance.

    References
    ----------
    Shrout & Fleiss (1979); Brennan (2001), D study with raters random.
    """
    noise = (components.rater + components.residual) / raters
    total = components.item + noise
    return components.item / total if total > 0 else math.nan


def raters_needed(components: Components, target: float) -> int | None:
    """Raters per item for a target reliability of their mean.

    Parameters
    ----------
    components
        Variances of item, rater and residual.
    target
        Between 0 and 1, both excluded.

    Returns
    -------
    int or None
        The least k; None where there is no item variance or k is beyond 100,000.

    References
    ----------
    Spearman (1910); Brown (1910).
    """
    if not 0 < target < 1:
        raise ValueError(f"The target reliability is {target}. It must be between 0 and 1.")
    if components.item <= 0:
        return None
    exact = target / (1 - target) * (components.rater + components.residual) / components.item
    needed = max(1, math.ceil(exact * (1 - 1e-12)))
    return needed if needed <= MOST_RATERS else None


def plan(
    components: ComponentRanges,
    *,
    items: Sequence[int],
    raters: Sequence[int],
    target: float,
    prices: Prices | None = None,
    seed: int,
    confidence: float = 0.95,
    simulations: int = SIMULATIONS,
    assumptions: Sequence[str] = (),
) -> Plan:
    """Reliability, interval width, cost and time of designs.

    Parameters
    ----------
    components
        Variance components, each a number or a range.
    items, raters
        Numbers of items and of raters per item to compare.
    target
        Target reliability of the mean rating.
    prices
        Price and seconds of a rating.
    seed
        Seed of the simulated intervals.
    confidence
        Coverage of the intervals.
    simulations
        Simulated studies a design.
    assumptions
        Source of the components; included in the result.

    Returns
    -------
    Plan
        Ranges run from the least to the most favourable limits of the components.

    Raises
    ------
    ValueError
        For fewer than two items, less than one rater, or a target outside (0, 1).

    References
    ----------
    Shrout & Fleiss (1979); McGraw & Wong (1996); Doros & Lew (2010) for planning by interval width.
    """
    if min(items) < 2 or min(raters) < 1:
        raise ValueError("A design needs at least 2 items and 1 rater per item.")
    widths = _Widths(seed, confidence, simulations)
    rows = [_row(components, n, k, prices, widths) for n in items for k in raters]
    fewest, most = raters_needed(components.best, target), raters_needed(components.worst, target)
    reached = None if fewest is None or most is None else (fewest, most)
    reason = "" if reached else (NO_ITEM_VARIANCE if components.worst.item <= 0 else OUT_OF_REACH)
    return Plan(rows, target, reached, reason, (*assumptions, *_assumptions(components, prices, widths)))


@dataclass(frozen=True)
class _Widths:
    """Simulated widths of intervals."""

    seed: int
    confidence: float
    simulations: int

    @property
    def tails(self) -> tuple[float, float]:
        tail = (1 - self.confidence) / 2
        return tail, 1 - tail

    def one_way(self, components: Components, n: int, k: int) -> float:
        """Median width of ICC1k's interval where raters differ from item to item."""
        noise = components.rater + components.residual
        rows = (k * components.item + noise) * self._chi(n - 1, n, k)
        within = noise * self._chi(n * (k - 1), n, k, stream=1)
        ratio = rows / within
        below, above = (float(scipy.stats.f.ppf(tail, n - 1, n * (k - 1))) for tail in reversed(self.tails))
        return float(np.median((below - above) / ratio))

    def two_way(self, components: Components, n: int, k: int) -> float:
        """Median width of ICC2k's interval where all raters rate all items."""
        item, rater, residual = components.item, components.rater, components.residual
        squares = (
            (k * item + residual) * self._chi(n - 1, n, k, stream=2),
            (n * rater + residual) * self._chi(k - 1, n, k, stream=3),
            residual * self._chi((n - 1) * (k - 1), n, k, stream=4),
        )
        found = []
        for rows, columns, error in zip(*squares, strict=True):
            within = (columns + (n - 1) * error) / n
            ms = MeanSquares(n, k, float(rows), float(columns), float(error), float(within))
            interval = f_interval("icc2k", ms, self.tails)
            found.append(math.inf if interval.reason else interval.high - interval.low)
        return float(np.median(found))

    def _chi(self, df: int, n: int, k: int, stream: int = 0) -> FloatArray:
        """Mean squares of variance 1, shape (simulations,)."""
        generator = np.random.default_rng([self.seed, stream, n, k])
        return np.asarray(generator.chisquare(df, self.simulations) / df, dtype=np.float64)


def _row(components: ComponentRanges, n: int, k: int, prices: Prices | None, widths: _Widths) -> PlanRow:
    corners = [components.best, components.worst]
    simulated = k > 1 and all(min(one.item, one.residual) > 0 for one in corners)
    ratings = n * k
    return PlanRow(
        items=n,
        raters=k,
        reliability=_range([reliability_of_mean(one, k) for one in corners]),
        width_different_raters=_range([widths.one_way(one, n, k) for one in corners]) if simulated else None,
        width_same_raters=_range([widths.two_way(one, n, k) for one in corners]) if simulated else None,
        ratings=ratings,
        cost=None if prices is None else _times(prices.rating, ratings),
        hours=None if prices is None else _times(prices.seconds, ratings / 3600),
    )


def _range(values: Sequence[float]) -> Range:
    return Range(min(values), max(values))


def _times(unit: Range, number: float) -> Range:
    return Range(unit.low * number, unit.high * number)


def _assumptions(components: ComponentRanges, prices: Prices | None, widths: _Widths) -> tuple[str, ...]:
    assumptions = [
        (
            f"Variance between items {components.item:.3g}, between raters {components.rater:.3g},"
            f" residual {components.residual:.3g}."
        ),
        (
            "Items, raters and residuals are normal and independent. New raters are like those behind the"
            " variances."
        ),
        (
            f"CI widths are medians over {widths.simulations} simulated studies"
            f" (confidence {widths.confidence:.0%}, seed {widths.seed})."
        ),
        (
            "ICC1k (different raters for every item) and ICC2k (the same raters for all items) have the same"
            " reliability here. Only the widths of their CIs differ."
        ),
    ]
    if prices is not None:
        price, seconds = f"{prices.rating:,g}", f"{prices.seconds:,g}"
        assumptions.append(f"A rating costs {price} and takes {seconds} s. Other costs are not included.")
    return tuple(assumptions)
