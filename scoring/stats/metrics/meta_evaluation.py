"""How well metrics follow ratings: every metric with every criterion, at every level."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.stats.base.association import COEFFICIENTS, Coefficient
from scoring.stats.base.resampling import FloatArray, Resampling, tail_p
from scoring.stats.base.result import CONSTANT_RATINGS, TOO_FEW_ITEMS, Interval
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.directions import Directions, direction_of, strength
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.levels import LEVELS, Level, LevelCorrelations, correlations
from scoring.stats.metrics.meta_figure import (
    CONSTANT_MEANS,
    CONSTANT_SCORES,
    NEW_GROUPS,
    NEW_ITEMS,
    NO_DEFINED_GROUP,
    NO_GROUPS,
    NO_SYSTEMS,
    NOT_ASKED,
    THESE_SYSTEMS,
    TOO_FEW_SYSTEMS,
    TOO_MANY_ITEMS,
    MetaFigure,
)
from scoring.stats.metrics.pooled import PooledPairs
from scoring.stats.metrics.system_level import Inference, SystemLevel, nothing_inferred

Progress = Callable[[int, int], None]

# Whose independence the p of each level takes for granted where there is no interval.
TESTS: dict[Level, str] = {"item": "t-items", "group": "t-groups", "system": "none"}


@dataclass(frozen=True)
class MetaEvaluation:
    """Every figure of a meta-evaluation."""

    # By level, coefficient, criterion and metric, in the order asked for and of the table
    figures: list[MetaFigure]
    fingerprint: str  # Of the items
    # seed, replicates: Settings of the intervals
    seed: int
    replicates: int


@dataclass(frozen=True)
class BestMetrics:
    """The metrics that follow one criterion best."""

    criterion: str
    level: str
    coefficient: str
    figures: tuple[MetaFigure, ...]  # The best first; equally strong ones by name


def evaluate_metrics(
    items: MeasuredItems,
    *,
    levels: Sequence[Level] = LEVELS,
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    replicates: int = 2000,
    seed: int,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> MetaEvaluation:
    """Correlate every metric with every criterion.

    Parameters
    ----------
    items
        Mean ratings and scores; `among_criteria()` of them correlates the criteria with one another.
    levels
        Any of `item`, `group`, `system`.
    coefficients
        Any of `pearson`, `spearman`, `kendall`.
    replicates
        Bootstrap replicates of the intervals, over groups (over items where there are none); 0 for none. Over
        systems there are two: for these systems, over whose groups or items the means vary, and for new ones.
    seed
        The same items and seed give the same figures.
    confidence
        Coverage the intervals aim at.
    progress
        Called with (done, total) after every level and coefficient; what it raises is passed on.

    Returns
    -------
    MetaEvaluation
        Signed correlations with interval, p and numbers, or the reason why there is none. Where there is an
        interval, the p is of the same distribution: below 1 − confidence exactly where it leaves 0 out.

    References
    ----------
    HANNA (2022), section 5.1; HAUSER (2023), section 4.2.
    """
    resampling = Resampling(replicates, seed, confidence) if replicates else None
    parts = [(level, coefficient) for level in levels for coefficient in coefficients]
    figures: list[MetaFigure] = []
    for done, (level, coefficient) in enumerate(parts, start=1):
        figures += _Part(items, level, coefficient, resampling, confidence).figures()
        if progress is not None:
            progress(done, len(parts))
    return MetaEvaluation(figures, items.fingerprint, seed, replicates)


def best_metrics(
    figures: Sequence[MetaFigure], k: int, directions: Directions | None = None
) -> list[BestMetrics]:
    """The k best metrics of every criterion, level and coefficient.

    Parameters
    ----------
    figures
        Correlations of metrics with criteria.
    k
        Number of metrics.
    directions
        Declared directions; undeclared metrics count by their absolute value.

    Returns
    -------
    list of BestMetrics
        In the order in which criteria, levels and coefficients first occur. Undefined figures are left out.

    References
    ----------
    HANNA (2022), tables 5, 8 and 9.
    """
    tables: dict[tuple[str, str, str], list[MetaFigure]] = {}
    for figure in figures:
        key = (figure.criterion, figure.level, figure.coefficient)
        tables.setdefault(key, []).append(figure)

    def weakness(figure: MetaFigure) -> tuple[float, str]:
        direction = direction_of(figure.metric, directions or {})
        return -float(round_significant(strength(np.array(figure.estimate), direction))), figure.metric

    return [
        BestMetrics(*key, tuple(sorted((one for one in rows if not one.reason), key=weakness)[:k]))
        for key, rows in tables.items()
    ]


@dataclass(frozen=True)
class _Part:
    """The figures of one level and coefficient."""

    items: MeasuredItems
    level: Level
    coefficient: Coefficient
    resampling: Resampling | None
    confidence: float

    def figures(self) -> Iterator[MetaFigure]:
        found = correlations(self.items, self.level, self.coefficient, self.resampling)
        n_items = PooledPairs(self.items).n
        for criterion in range(len(self.items.criteria)):
            for metric in range(len(self.items.metrics)):
                yield self._figure(found, (metric, criterion), int(n_items[metric, criterion]))

    def _figure(self, found: LevelCorrelations, cell: tuple[int, int], n_items: int) -> MetaFigure:
        metric, criterion = cell
        estimate, n = float(found.estimate[cell]), int(found.n[cell])
        reason = self._reason(cell, n) if math.isnan(estimate) else ""
        name = self.items.criteria[criterion]
        inferred, new = self._inferred(found, cell, reason)
        return MetaFigure(
            criterion=name,
            metric=self.items.metrics[metric],
            metric2="",
            level=self.level,
            coefficient=self.coefficient,
            variant="mean over groups" if self.level == "group" else "",
            estimate=estimate,
            interval=inferred.interval,
            confidence=self.confidence,
            p=inferred.p,
            n_items=n_items,
            n_groups=n if self.level == "group" else self._groups(cell),
            n_systems=n if self.level == "system" else 0,
            n_dropped=int(found.dropped[cell]),
            sample=self.items.rated.get(name),
            reason=reason,
            how=f"p:{self._test(inferred)}",
            holds_for=self._holds_for,
            new_systems=new.interval if new else None,
            new_systems_p=new.p if new else math.nan,
        )

    def _inferred(
        self, found: LevelCorrelations, cell: tuple[int, int], reason: str
    ) -> tuple[Inference, Inference | None]:
        """Interval and p, and those for new systems."""
        if self.level == "system":
            if reason:
                return nothing_inferred(reason), nothing_inferred(reason)
            return self._systems.infer(cell, float(found.estimate[cell]))
        if reason:
            return nothing_inferred(reason), None
        interval = self._interval(found.replicates, cell)
        if interval.reason or found.replicates is None:
            return Inference(interval, float(found.p[cell])), None
        return Inference(interval, tail_p(found.replicates[cell])), None

    @cached_property
    def _systems(self) -> SystemLevel:
        return SystemLevel(self.items, self.coefficient, self.resampling)

    @property
    def _holds_for(self) -> str:
        if self.level == "system":
            return THESE_SYSTEMS
        return NEW_ITEMS if self.items.group is None else NEW_GROUPS

    @property
    def _grouped_items(self) -> bool:
        """Whether the pairs are items of groups, which are not independent, so that no p is reported."""
        return self.level == "item" and self.items.group is not None

    def _test(self, inferred: Inference) -> str:
        """Where the p comes from: the interval's distribution, or a test where there is no interval."""
        if self._grouped_items or math.isnan(inferred.p):
            return "none"
        if not inferred.interval.reason:
            return "of-interval"
        return "kendall" if self.coefficient == "kendall" and self.level == "item" else TESTS[self.level]

    def _groups(self, cell: tuple[int, int]) -> int:
        """Groups of the items that have both values; 0 where items belong to none."""
        if self.items.group is None:
            return 0
        return len(np.unique(self.items.group[PooledPairs(self.items).valid(cell)]))

    def _interval(self, replicates: FloatArray | None, cell: tuple[int, int]) -> Interval:
        if self.resampling is None:
            return Interval.missing(NOT_ASKED)
        if replicates is None:
            return Interval.missing(TOO_MANY_ITEMS)
        return self.resampling.interval(replicates[cell], self.items.unit, self.items.n_units)

    def _reason(self, cell: tuple[int, int], n: int) -> str:
        valid = PooledPairs(self.items).valid(cell)
        if missing := self._missing(n):
            return missing
        if valid.sum() < 2:
            return TOO_FEW_ITEMS
        if _is_constant(self.items.human[valid, cell[1]]):
            return CONSTANT_RATINGS
        if _is_constant(self.items.scores[valid, cell[0]]):
            return CONSTANT_SCORES
        return NO_DEFINED_GROUP if self.level == "group" else CONSTANT_MEANS

    def _missing(self, n: int) -> str:
        """What the level needs and the items lack."""
        if self.level == "group":
            return NO_GROUPS if self.items.group is None else ""
        if self.level == "system":
            few = TOO_FEW_SYSTEMS if n < 2 else ""
            return NO_SYSTEMS if self.items.system is None else few
        return ""


def _is_constant(values: FloatArray) -> bool:
    same = round_significant(values)
    return bool(np.all(same == same[0]))
