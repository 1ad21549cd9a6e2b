"""Differences of two reliabilities, of the same items or of two studies, and their equivalence."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import scipy

from scoring.stats.agreement.comparing.feldt import FeldtTest, feldt_independent
from scoring.stats.agreement.comparing.weighted import COMPARED, Compared, Statistic
from scoring.stats.base.cautions import FEW_GROUPS, FEW_ITEMS, zero_width_part
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling, draw_units, tail_p
from scoring.stats.base.result import DEFINITIONS_VERSION, UNDEFINED_REPLICATES, Interval, finite_or_none
from scoring.stats.data.table import Ratings

Design = Literal["paired", "independent"]
Verdict = Literal["equivalent", "beyond_margin", "undecided"]
# Two one-sided tests at 5 % succeed if this interval lies inside the margin.
CONFIDENCE_OF_EQUIVALENCE = 0.90
# The only coefficient with a test of its own.
TESTED = "icc3k"
# With fewer items or groups, intervals of differences contain the true value less often than stated, see
# `docs/statistics/coverage.md`.
FEW_FOR_DIFFERENCES = 100
# Replicates that are computed at once.
CHUNK = 200


@dataclass(frozen=True)
class ReliabilityDifference:
    """The difference of one coefficient between two sets of ratings."""

    coefficient: str  # Key
    variant: str  # Level of α, weights of AC2; empty for others
    design: Design  # `paired` where both are drawn together, `independent` where each has its own draws
    # first, second: The coefficient of each; NaN where it has none
    first: float
    second: float
    estimate: float  # First less second; NaN exactly when `reason` is set
    interval: Interval
    confidence: float
    narrow: Interval  # At 90 %, for equivalence
    p: float  # Two-sided p of no difference, from the interval's distribution
    feldt: FeldtTest | None  # Of ICC3k of independent sets; None for others
    # n_first, n_second: Items of each; n_shared: Items of both
    n_first: int
    n_second: int
    n_shared: int
    reason: str = ""  # Why there is no difference

    @property
    def interval_method(self) -> str:
        """Code of the interval's method; `none:<reason>` without one."""
        return f"none:{self.interval.reason}" if self.interval.reason else self.interval.method

    @property
    def signature(self) -> str:
        """One line that says how the difference was computed."""
        parts = (
            f"difference:{self.coefficient}",
            self.variant,
            f"design:{self.design}",
            f"items:{self.n_first}/{self.n_second}",
            f"shared:{self.n_shared}",
            f"interval:{self.interval_method}",
            self.interval.settings,
            zero_width_part(self.interval.low, self.interval.high),
            f"confidence:{self.confidence:g}",
            f"definitions:{DEFINITIONS_VERSION}",
        )
        return "|".join(part for part in parts if part)

    def to_row(self) -> dict[str, Any]:
        """The difference as a JSON object; NaN becomes None."""
        feldt = self.feldt or FeldtTest(math.nan, math.nan)
        return {
            "coefficient": self.coefficient,
            "variant": self.variant,
            "design": self.design,
            "first": finite_or_none(self.first),
            "second": finite_or_none(self.second),
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "confidence": self.confidence,
            "low_90": finite_or_none(self.narrow.low),
            "high_90": finite_or_none(self.narrow.high),
            "interval_method": self.interval_method,
            "p": finite_or_none(self.p),
            "feldt": finite_or_none(feldt.statistic),
            "feldt_p": finite_or_none(feldt.p),
            "feldt_reason": feldt.reason,
            "n_first": self.n_first,
            "n_second": self.n_second,
            "n_shared": self.n_shared,
            "reason": self.reason,
            "signature": self.signature,
        }


def compare_reliability(
    first: Ratings, second: Ratings, name: str, *, design: Design, resampling: Resampling
) -> ReliabilityDifference:
    """Difference of a coefficient between two sets of ratings, with a bootstrap interval.

    Parameters
    ----------
    first, second
        Ratings of two criteria, versions or studies.
    name
        Key in `COMPARED`, such as `alpha-ordinal` or `icc2k`.
    design
        `paired`: items (or groups) of both are drawn together, so that an item that both have comes equally
        often in both; items that only one has are drawn too. `independent`: each set has its own draws, as
        of two studies.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    ReliabilityDifference
        Percentile interval of the differences, for new items or groups and these raters; with fewer than 100
        of them it has the caution `few_items` or `few_groups`. ICC2 and ICC3 need
        complete ratings here (`incomplete_design`). ICC3k of independent sets has Feldt's test as well.
    """
    compared = COMPARED[name]
    one, other = _estimate(compared, first), _estimate(compared, second)
    reason = compared.reason(first) or compared.reason(second)
    if not reason and not math.isfinite(one - other):
        reason = UNDEFINED_REPLICATES
    interval, narrow, p = Interval.missing(reason), Interval.missing(reason), math.nan
    if not reason:
        differences, unit, n_units = _replicates(compared, (first, second), design, resampling)
        interval = _with_caution(resampling.interval(differences, unit, n_units), unit, n_units)
        narrow = _narrow(interval, differences)
        p = math.nan if interval.reason else tail_p(differences)
    tested = name == TESTED and design == "independent"
    return ReliabilityDifference(
        coefficient=compared.key,
        variant=compared.variant,
        design=design,
        first=one,
        second=other,
        estimate=math.nan if reason else one - other,
        interval=interval,
        confidence=resampling.confidence,
        narrow=narrow,
        p=p,
        feldt=feldt_independent(first, second) if tested else None,
        n_first=first.n_items,
        n_second=second.n_items,
        n_shared=len(set(first.items) & set(second.items)),
        reason=reason,
    )


def equivalence(difference: dict[str, Any], margin: float) -> Verdict | None:
    """Whether two reliabilities are equivalent, by two one-sided tests at 5 %.

    Parameters
    ----------
    difference
        Row of a difference, with its interval at 90 %.
    margin
        Greatest difference that does not matter, above 0; chosen before the ratings are seen.

    Returns
    -------
    str or None
        `equivalent` if the interval lies within ± margin, `beyond_margin` if it lies outside, else
        `undecided`; None without an interval.

    References
    ----------
    Schuirmann (1987); Lakens (2017).
    """
    low, high = difference["low_90"], difference["high_90"]
    if low is None or high is None:
        return None
    if -margin < low and high < margin:
        return "equivalent"
    return "beyond_margin" if low > margin or high < -margin else "undecided"


def _estimate(compared: Compared, ratings: Ratings) -> float:
    if compared.reason(ratings):
        return math.nan
    used, statistic = compared.prepare(ratings)
    return float(statistic(np.ones((1, used.n_items)))[0])


def _with_caution(interval: Interval, unit: str, n_units: int) -> Interval:
    caution = FEW_GROUPS if unit == "groups" else FEW_ITEMS
    parts = interval.settings.split("|")
    if interval.reason or n_units >= FEW_FOR_DIFFERENCES or caution in parts:
        return interval
    return replace(interval, settings="|".join([*parts, caution]))


def _narrow(interval: Interval, differences: FloatArray) -> Interval:
    if interval.reason:
        return interval
    tail = (1 - CONFIDENCE_OF_EQUIVALENCE) / 2
    low, high = np.quantile(differences[np.isfinite(differences)], (tail, 1 - tail))
    return Interval(float(low), float(high), interval.method)


def _replicates(
    compared: Compared, both: tuple[Ratings, Ratings], design: Design, resampling: Resampling
) -> tuple[FloatArray, str, int]:
    """Differences in the replicates, what was drawn, and the fewest units that a set was drawn from."""
    prepared = [compared.prepare(ratings) for ratings in both]
    used = [ratings for ratings, _ in prepared]
    if design == "paired":
        units, sizes = _shared_units(*used)
        draws = [_draws(sizes[0], resampling, "paired")]
    else:
        units = [_own_units(ratings) for ratings in used]
        sizes = [int(one.max()) + 1 for one in units]
        draws = [_draws(sizes[0], resampling, "first"), _draws(sizes[1], resampling, "second")]
    differences = []
    for drawn in zip(*draws, strict=True):
        one, other = drawn[0][:, units[0]], drawn[-1][:, units[1]]
        differences.append(_defined(prepared[0][1], one) - _defined(prepared[1][1], other))
    unit = "groups" if any(ratings.group is not None for ratings in used) else "items"
    return np.concatenate(differences), unit, min(sizes)


def _defined(statistic: Statistic, weights: FloatArray) -> FloatArray:
    """The coefficient of each replicate; NaN where fewer than two items were drawn."""
    enough = (weights > 0).sum(axis=1) > 1
    values = np.full(len(weights), math.nan)
    if enough.any():
        values[enough] = statistic(weights[enough])
    return values


def _draws(n_units: int, resampling: Resampling, stream: str) -> Iterator[FloatArray]:
    """How often each unit is drawn, in chunks of shape (replicates, units)."""
    generator = resampling.generator("difference", stream)
    for size in resampling.sizes(CHUNK):
        yield draw_units(generator, np.ones(n_units, dtype=np.int64), size).T


def _own_units(ratings: Ratings) -> IntArray:
    return np.arange(ratings.n_items) if ratings.group is None else ratings.group


def _shared_units(first: Ratings, second: Ratings) -> tuple[list[IntArray], list[int]]:
    """Unit of each item of two sets: items that have a group or an item in common are drawn together."""
    labels = np.concatenate([np.asarray(one.items, dtype=object) for one in (first, second)])
    _, item = np.unique(labels.astype(str), return_inverse=True)
    nodes = int(item.max()) + 1
    # Each item is joined with the nodes of its groups.
    rows, columns = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for own, ratings in zip(np.split(item, [first.n_items]), (first, second), strict=True):
        if ratings.group is not None:
            rows.append(own)
            columns.append(nodes + ratings.group)
            nodes += int(ratings.group.max()) + 1
    joined = np.concatenate(rows), np.concatenate(columns)
    graph = scipy.sparse.coo_array((np.ones(len(joined[0])), joined), shape=(nodes, nodes))
    _, component = scipy.sparse.csgraph.connected_components(graph, directed=False)
    _, unit = np.unique(component[item], return_inverse=True)
    number = int(unit.max()) + 1
    return [one.astype(np.int64) for one in np.split(unit, [first.n_items])], [number]
