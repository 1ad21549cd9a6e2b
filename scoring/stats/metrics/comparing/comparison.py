"""Which of two metrics follows a criterion better: the difference of their correlations and its tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from scoring.stats.base.association import Coefficient
from scoring.stats.base.cautions import zero_width_part
from scoring.stats.base.multiple_testing import Adjustment, adjusted
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, Resampling, tail_p
from scoring.stats.base.result import DEFINITIONS_VERSION, Interval, finite_or_none
from scoring.stats.data.directions import Direction, Directions, direction_of, sign, strength
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.permutation import permutation_p
from scoring.stats.metrics.comparing.williams import UNDEFINED_CORRELATION, WilliamsTest, williams
from scoring.stats.metrics.levels import Level, correlations, group_correlations
from scoring.stats.metrics.meta_figure import (
    NEW_GROUPS,
    NEW_ITEMS,
    NEW_SYSTEMS,
    TOO_MANY_ITEMS,
    UNKNOWN_COVERAGE,
)

Decider = Literal["williams", "bootstrap", "permutation"]
Turned = tuple[Direction, Direction]

AS_IN_THE_PAPER = "as in the paper"


@dataclass(frozen=True)
class Comparison:
    """Two metrics on one criterion."""

    criterion: str
    first: str
    second: str
    level: Level
    coefficient: Coefficient
    # r_first, r_second: Signed correlations of the metrics with the criterion over the items that have
    # all three values
    r_first: float
    r_second: float
    r_between: float  # The correlation of the two metrics, both turned so that higher is better
    # Strength of the first less strength of the second: correlations in the declared direction,
    # absolute ones for unsigned metrics. NaN exactly when `reason` is set.
    difference: float
    # Interval of the difference, by paired bootstrap over groups, or over items where there are none. Over
    # systems it is missing, and so is the p: replicates have the noise of the means twice, which draws down
    # the metric with more of it, and no interval that corrects this for a difference has been measured
    interval: Interval
    p_bootstrap: float  # Two-sided, from the same replicates
    p_permutation: float  # Two-sided, see `permutation_p`
    # williams, williams_paper: Williams's test two-sided and signed by the directions, and as HANNA has
    # it
    williams: WilliamsTest
    williams_paper: WilliamsTest
    # The test whose p counts: `bootstrap` over items and groups where items belong to groups, because then
    # neither the items nor the groups' mean correlations are one sample of independent pairs; otherwise, and
    # over systems, `williams`, but `permutation` for Kendall's τ, of which Williams's statistic, made for
    # Pearson's r, has another distribution
    decides: Decider
    # n_items, n_groups, n_systems, n_dropped: Size of the data; `n_dropped` counts groups at group
    # level, items elsewhere
    n_items: int
    n_groups: int
    n_systems: int
    n_dropped: int
    confidence: float  # Nominal coverage of the interval
    p_adjusted: float = math.nan  # `p` adjusted for the family it was tested in; NaN outside a family
    adjustment: str = ""  # Method of the adjustment
    reason: str = ""  # Why there is no difference

    @property
    def p(self) -> float:
        """The p of the test that decides."""
        by_test = {
            "bootstrap": self.p_bootstrap,
            "permutation": self.p_permutation,
            "williams": self.williams.p,
        }
        return by_test[self.decides]

    @property
    def holds_for(self) -> str:
        """What the interval and the p of the difference hold for."""
        if self.level == "system":
            return NEW_SYSTEMS
        return NEW_GROUPS if self.n_groups else NEW_ITEMS

    @property
    def williams_label(self) -> str:
        """The name of Williams's test as pages show it with the figure."""
        return self.williams.variant if self.decides == "williams" else AS_IN_THE_PAPER

    def to_row(self) -> dict[str, str | float | int | None]:
        """The comparison as a JSON object; NaN becomes None."""
        return {
            "criterion": self.criterion,
            "metric": self.first,
            "metric2": self.second,
            "level": self.level,
            "coefficient": self.coefficient,
            "variant": "difference",
            "estimate": finite_or_none(self.difference),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "confidence": self.confidence,
            "interval_method": f"none:{self.interval.reason}"
            if self.interval.reason
            else self.interval.method,
            "r_first": finite_or_none(self.r_first),
            "r_second": finite_or_none(self.r_second),
            "r_between": finite_or_none(self.r_between),
            "decides": self.decides,
            "p": finite_or_none(self.p),
            "holds_for": self.holds_for,
            "p_adjusted": finite_or_none(self.p_adjusted),
            "adjustment": self.adjustment,
            "p_bootstrap": finite_or_none(self.p_bootstrap),
            "p_permutation": finite_or_none(self.p_permutation),
            "williams": self.williams_label,
            "williams_t": finite_or_none(self.williams.t),
            "williams_p": finite_or_none(self.williams.p),
            "williams_reason": self.williams.reason,
            "williams_paper_t": finite_or_none(self.williams_paper.t),
            "williams_paper_p": finite_or_none(self.williams_paper.p),
            "n_items": self.n_items,
            "n_groups": self.n_groups,
            "n_systems": self.n_systems,
            "n_dropped": self.n_dropped,
            "reason": self.reason,
            "signature": self.signature,
        }

    @property
    def signature(self) -> str:
        """One line that says how the comparison was computed."""
        parts = (
            "difference",
            self.coefficient,
            f"level:{self.level}",
            self.interval.settings,
            zero_width_part(self.interval.low, self.interval.high),
            f"for:{self.holds_for}",
            f"decides:{self.decides}",
            f"definitions:{DEFINITIONS_VERSION}",
        )
        return "|".join(part for part in parts if part)


def compare_metrics(
    items: MeasuredItems,
    criterion: str,
    metrics: tuple[str, str],
    *,
    level: Level,
    coefficient: Coefficient,
    resampling: Resampling,
    directions: Directions | None = None,
) -> Comparison:
    """Compare two metrics over the items that have both scores and a rating.

    Parameters
    ----------
    items
        Mean ratings and scores.
    criterion
        The criterion both are correlated with.
    metrics
        The first and the second metric.
    level, coefficient
        Level and coefficient of the correlations.
    resampling
        Bootstrap replicates, as many permutations, seed and confidence.
    directions
        Declared directions; the sign of an undeclared metric does not count.

    Returns
    -------
    Comparison
        With a permutation test and Williams's test, and but for systems a paired bootstrap.

    Raises
    ------
    MeasuredItemsError
        `unknown_criterion` or `unknown_metric`.

    References
    ----------
    Williams (1959); Deutsch, Dror & Roth (2021); HANNA (2022), section 5.3.
    """
    asked = items.select(criteria=[criterion], metrics=metrics)
    pair = _shared(asked, level, coefficient)
    found = correlations(pair, level, coefficient).estimate[:, 0] if pair.items else np.full(2, math.nan)
    declared = [direction_of(metric, directions or {}) for metric in metrics]
    signs = [sign(float(r), direction) for r, direction in zip(found, declared, strict=True)]
    turned = replace(pair, scores=pair.scores * signs)
    return _Tests(turned, level, coefficient, _when_turned(declared), resampling).comparison(asked, found)


def compare_family(
    items: MeasuredItems,
    criterion: str,
    metrics: Sequence[str],
    *,
    level: Level,
    coefficient: Coefficient,
    resampling: Resampling,
    directions: Directions | None = None,
    adjustment: Adjustment = "holm",
) -> list[Comparison]:
    """Compare every two of some metrics, with p values adjusted for their number.

    Parameters
    ----------
    items, criterion, level, coefficient, resampling, directions
        As in `compare_metrics`.
    metrics
        The metrics to compare.
    adjustment
        `holm` or `benjamini-hochberg`; the family is all pairs on this criterion.

    Returns
    -------
    list of Comparison
        One for each pair, in the order of `metrics`, with `p_adjusted`.
    """
    compared = [
        compare_metrics(
            items,
            criterion,
            pair,
            level=level,
            coefficient=coefficient,
            resampling=resampling,
            directions=directions,
        )
        for pair in combinations(metrics, 2)
    ]
    p = adjusted(np.array([one.p for one in compared], dtype=np.float64), adjustment)
    return [
        replace(one, p_adjusted=float(value), adjustment=adjustment)
        for one, value in zip(compared, p, strict=True)
    ]


def bootstrap_p(differences: FloatArray, n_units: int) -> float:
    """Two-sided p of a difference from its bootstrap replicates.

    Parameters
    ----------
    differences
        Shape (replicates,); undefined ones are left out.
    n_units
        Number of items or groups that were drawn from; fewer than five have no p, as they have no interval.

    Returns
    -------
    float
        From the tail beyond zero, see `tail_p`: below 1 − confidence exactly where the interval leaves 0 out.
    """
    return tail_p(differences) if n_units >= FEWEST_UNITS else math.nan


def _shared(pair: MeasuredItems, level: Level, coefficient: Coefficient) -> MeasuredItems:
    """The items with all three values; at group level those of groups where both correlations are defined."""
    valid = np.isfinite(pair.scores).all(axis=1) & np.isfinite(pair.human[:, 0])
    shared = pair.keep(np.asarray(valid, dtype=np.bool_))
    if level == "group" and shared.group is not None:
        by_group = group_correlations(shared, coefficient).sum(axis=(1, 2))
        shared = shared.keep(np.asarray(np.isfinite(by_group)[shared.group], dtype=np.bool_))
    return shared


def _when_turned(declared: Sequence[Direction]) -> Turned:
    """The directions of metrics after those that point down have been turned."""
    first, second = declared
    return ("unsigned" if first == "unsigned" else "higher", "unsigned" if second == "unsigned" else "higher")


@dataclass(frozen=True)
class _Tests:
    """The tests of two metrics turned so that higher is better, on items that have all three values."""

    pair: MeasuredItems
    level: Level
    coefficient: Coefficient
    directions: Turned
    resampling: Resampling

    def comparison(self, asked: MeasuredItems, signed: FloatArray) -> Comparison:
        undefined = bool(np.isnan(signed).any())
        reason = UNDEFINED_CORRELATION if undefined else ""
        r = np.full(2, math.nan) if undefined else correlations(*self._what).estimate[:, 0]
        between = math.nan if undefined else self._between()
        replicates = None if undefined else self._replicates()
        n = self._n()
        oriented = (float(r[0]), float(r[1]), between, n)
        return Comparison(
            criterion=asked.criteria[0],
            first=asked.metrics[0],
            second=asked.metrics[1],
            level=self.level,
            coefficient=self.coefficient,
            r_first=float(signed[0]),
            r_second=float(signed[1]),
            r_between=between,
            difference=math.nan if undefined else float(self._contrast(r[None])[0]),
            interval=self._interval(replicates, reason),
            p_bootstrap=math.nan if replicates is None else bootstrap_p(replicates, self.pair.n_units),
            p_permutation=math.nan
            if undefined
            else permutation_p(*self._what, self._contrast, self.resampling),
            williams=williams(*oriented),
            williams_paper=williams(*oriented, "paper"),
            decides=self._decides(),
            n_items=len(self.pair.items),
            n_groups=len(self.pair.groups),
            n_systems=len(self.pair.systems),
            n_dropped=self._dropped(asked),
            confidence=self.resampling.confidence,
            reason=reason,
        )

    @property
    def _what(self) -> tuple[MeasuredItems, Level, Coefficient]:
        return self.pair, self.level, self.coefficient

    def _contrast(self, r: FloatArray) -> FloatArray:
        """Difference of the strengths, from shape (..., 2)."""
        first, second = self.directions
        return np.asarray(strength(r[..., 0], first) - strength(r[..., 1], second), dtype=np.float64)

    def _between(self) -> float:
        both = correlations(self.pair.among_metrics(), self.level, self.coefficient)
        return float(both.estimate[0, 1])

    def _replicates(self) -> FloatArray | None:
        found = correlations(*self._what, self.resampling).replicates
        return None if found is None else self._contrast(found[:, 0].T)

    def _interval(self, replicates: FloatArray | None, reason: str) -> Interval:
        if replicates is None:
            without = UNKNOWN_COVERAGE if self.level == "system" else TOO_MANY_ITEMS
            return Interval.missing(reason or without)
        return self.resampling.interval(replicates, self.pair.unit, self.pair.n_units)

    def _n(self) -> int:
        by_level = {
            "item": len(self.pair.items),
            "group": len(self.pair.groups),
            "system": len(self.pair.systems),
        }
        return by_level[self.level]

    def _decides(self) -> Decider:
        if self.pair.group is not None and self.level != "system":
            return "bootstrap"
        return "permutation" if self.coefficient == "kendall" else "williams"

    def _dropped(self, asked: MeasuredItems) -> int:
        if self.level == "group":
            return len(asked.groups) - len(self.pair.groups)
        return len(asked.items) - len(self.pair.items)
