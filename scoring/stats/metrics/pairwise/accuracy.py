"""Pairwise accuracy of metrics with calibrated ties."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from scoring.stats.base.cautions import zero_width_part
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray, Resampling
from scoring.stats.base.result import DEFINITIONS_VERSION, TOO_FEW_ITEMS, Interval, finite_or_none
from scoring.stats.data.bootstrap.bootstrap_draws import unit_draws
from scoring.stats.data.directions import Directions
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.meta_figure import (
    NEW_GROUPS,
    NEW_ITEMS,
    NO_DEFINED_GROUP,
    NO_GROUPS,
    NO_SYSTEMS,
    NOT_ASKED,
    TOO_MANY_ITEMS,
)
from scoring.stats.metrics.pairwise.calibration import CalibratedMetric, Fold
from scoring.stats.metrics.pairwise.drawn_pairs import DrawnGroups, DrawnPairs
from scoring.stats.metrics.pairwise.pairs import Pairs
from scoring.stats.metrics.pooled import MOST_PAIRED_ITEMS

Grouping = Literal["group", "none", "system"]
GROUPINGS: tuple[Grouping, ...] = ("group", "none", "system")
MOST_PAIRS = MOST_PAIRED_ITEMS * (MOST_PAIRED_ITEMS - 1) // 2
# Parts into which groups are divided for thresholds that are not fitted on the pairs they are judged by.
# Pairs of different groups are judged only where both fall into the same part, so these parts are greater.
FOLDS: dict[str, int] = {"group": 5, "none": 2, "system": 2}
# Numbers that stay in memory from one figure to the next.
MOST_CACHED = 20_000_000
FITTED = "epsilon:fitted_threshold"
NOTHING_HELD_OUT = "nothing_held_out"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PairwiseAccuracy:
    """How often a metric orders, or ties, two items as the raters do."""

    criterion: str  # Rated criterion
    metric: str  # Metric
    grouping: Grouping  # Items of one group, of one system, or any two items
    epsilon: float  # Greatest difference of scores that counts as a tie; NaN without an estimate
    estimate: float  # Accuracy at `epsilon`, mean over groups or systems; NaN exactly when `reason` is set
    interval: Interval  # Of the accuracy at this `epsilon`
    confidence: float  # Nominal coverage of the interval
    at_zero: float  # Accuracy where only equal scores count as a tie
    all_tied: float  # Accuracy of a metric that ties all pairs: the share of pairs that the raters tie
    held_out: (
        float  # Accuracy at thresholds fitted on other groups or items; NaN where `held_out_reason` is set
    )
    held_out_reason: str  # Why there is no held-out accuracy
    n_items: int  # Items that have both values
    n_pairs: int  # Pairs compared
    n_blocks: int  # Groups or systems with a pair; 1 without grouping
    n_dropped: int  # Groups or systems without a pair
    reason: str  # Why there is no estimate
    how: str  # Settings for the signature

    @property
    def interval_method(self) -> str:
        """Code of the interval's method; `none:<reason>` without one."""
        return f"none:{self.interval.reason}" if self.interval.reason else self.interval.method

    @property
    def signature(self) -> str:
        """One line that says how the figure was computed."""
        parts = (
            "acc_eq",
            f"grouping:{self.grouping}",
            FITTED if not self.reason else "",
            f"items:{self.n_items}",
            f"pairs:{self.n_pairs}",
            f"blocks:{self.n_blocks}",
            f"dropped:{self.n_dropped}",
            f"interval:{self.interval_method}",
            self.interval.settings,
            zero_width_part(self.interval.low, self.interval.high),
            self.how,
            f"confidence:{self.confidence:g}",
            f"definitions:{DEFINITIONS_VERSION}",
        )
        return "|".join(part for part in parts if part)

    def to_row(self) -> dict[str, Any]:
        """The figure as a JSON object; NaN becomes None."""
        return {
            "criterion": self.criterion,
            "metric": self.metric,
            "grouping": self.grouping,
            "epsilon": finite_or_none(self.epsilon),
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "confidence": self.confidence,
            "interval_method": self.interval_method,
            "at_zero": finite_or_none(self.at_zero),
            "all_tied": finite_or_none(self.all_tied),
            "held_out": finite_or_none(self.held_out),
            "held_out_reason": self.held_out_reason,
            "n_items": self.n_items,
            "n_pairs": self.n_pairs,
            "n_blocks": self.n_blocks,
            "n_dropped": self.n_dropped,
            "reason": self.reason,
            "signature": self.signature,
        }


def pairwise_accuracies(
    items: MeasuredItems,
    *,
    directions: Directions,
    seed: int,
    replicates: int = 2000,
    groupings: Sequence[Grouping] | None = None,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> list[PairwiseAccuracy]:
    """Tie-calibrated pairwise accuracy of every metric with every criterion.

    Two items are a pair that a metric gets right if it puts them in the order of their mean ratings, or ties
    them and the raters tie them too. A metric ties scores that differ by no more than ε. ε is the threshold
    with the greatest accuracy, one for all groups or systems.

    Parameters
    ----------
    items
        Mean ratings and scores.
    directions
        Declared directions; a metric without one counts as if higher were better, because a sign taken from
        these ratings would make chance look like skill.
    seed
        Of the intervals and of the folds.
    replicates
        Bootstrap replicates over groups (over items where there are none), at the fitted ε; 0 for no
        intervals.
    groupings
        Any of `group` (pairs within a group), `none` (any two items) and `system` (pairs within a system); by
        default those that the items allow.
    confidence
        Coverage the intervals aim at.
    progress
        Called with (done, total) after every grouping and metric; what it raises is passed on.

    Returns
    -------
    list of PairwiseAccuracy
        By grouping, metric and criterion, in the order of the table.

    References
    ----------
    Deutsch, Foster & Freitag (2023), "Ties Matter", sections 6 and 7.
    """
    resampling = Resampling(replicates, seed, confidence) if replicates else None
    asked = list(groupings or allowed_groupings(items))
    found: list[PairwiseAccuracy] = []
    total = len(asked) * len(items.metrics)
    for grouping in asked:
        part = _Part(items, grouping, directions, seed, resampling, confidence)
        for metric in range(len(items.metrics)):
            found += part.of_metric(metric)
            if progress is not None:
                progress(len(found) // max(len(items.criteria), 1), total)
    return found


def allowed_groupings(items: MeasuredItems) -> list[Grouping]:
    """The groupings that the items allow.

    Parameters
    ----------
    items
        Items with or without groups and systems.
    """
    has = {"group": items.group is not None, "none": True, "system": items.system is not None}
    return [grouping for grouping in GROUPINGS if has[grouping]]


@dataclass(frozen=True)
class _Part:
    """The accuracies of one grouping."""

    items: MeasuredItems
    grouping: Grouping
    directions: Directions
    seed: int
    resampling: Resampling | None
    confidence: float

    def of_metric(self, metric: int) -> Iterator[PairwiseAccuracy]:
        """The accuracy of one metric with each criterion."""
        name, scores = self.items.metrics[metric], self.items.scores[:, metric]
        scores = -scores if self.directions.get(name) == "lower" else scores
        ordered: dict[bytes, _Sample] = {}
        for place, criterion in enumerate(self.items.criteria):
            human = self.items.human[:, place]
            valid = np.isfinite(scores) & np.isfinite(human)
            if reason := self._missing(valid):
                yield self._undefined(name, criterion, int(valid.sum()), reason)
                continue
            key = valid.tobytes()
            if key not in ordered:
                ordered[key] = self._sample(valid, scores)
            yield self._figure(name, criterion, ordered[key], human)

    def _missing(self, valid: BoolArray) -> str:
        if self.grouping == "group" and self.items.group is None:
            return NO_GROUPS
        if self.grouping == "system" and self.items.system is None:
            return NO_SYSTEMS
        if valid.sum() < 2:
            return TOO_FEW_ITEMS
        sizes = np.bincount(self._blocks[valid]).astype(np.float64)
        pairs = float((sizes * (sizes - 1)).sum() / 2)
        if pairs > MOST_PAIRS:
            return TOO_MANY_ITEMS
        return "" if pairs else NO_DEFINED_GROUP

    @cached_property
    def _blocks(self) -> IntArray:
        """Block of each item."""
        codes = {"group": self.items.group, "system": self.items.system}.get(self.grouping)
        return np.zeros(len(self.items.items), dtype=np.int64) if codes is None else codes

    def _sample(self, valid: BoolArray, scores: FloatArray) -> "_Sample":
        n_blocks = int(self._blocks.max()) + 1
        pairs = Pairs.within(self._blocks, n_blocks, np.flatnonzero(valid))
        calibrated = CalibratedMetric(pairs, scores)
        return _Sample(
            int(valid.sum()), calibrated, self._folds(calibrated.pairs), self._resampled(calibrated.pairs)
        )

    def _folds(self, pairs: Pairs) -> list[Fold]:
        """Parts of the units of resampling, each judged by a threshold fitted on the others."""
        number = min(FOLDS[self.grouping], self.items.n_units)
        generator = Resampling(1, self.seed).generator("folds")
        part = generator.permutation(np.arange(self.items.n_units) % max(number, 1))
        first, second = (part[self.items.unit_codes[side]] for side in (pairs.first, pairs.second))
        return [
            Fold(pairs.weights((first != code) & (second != code)), (first == code) & (second == code))
            for code in range(number if number > 1 else 0)
        ]

    def _resampled(self, pairs: Pairs) -> DrawnGroups | DrawnPairs | None:
        if self.resampling is None:
            return None
        return DrawnGroups(pairs) if self.grouping == "group" else DrawnPairs(pairs, self.items.unit_codes)

    def _figure(self, metric: str, criterion: str, sample: "_Sample", human: FloatArray) -> PairwiseAccuracy:
        calibrated, pairs = sample.calibrated, sample.calibrated.pairs
        order, weights = pairs.signs(human), sample.weights
        best = calibrated.calibrate(order, weights)
        held_out = calibrated.held_out(order, sample.folds)
        return PairwiseAccuracy(
            criterion=criterion,
            metric=metric,
            grouping=self.grouping,
            epsilon=best.epsilon,
            estimate=best.accuracy,
            interval=self._interval(sample, calibrated.correct(order, best.epsilon)),
            confidence=self.confidence,
            at_zero=float(weights @ calibrated.correct(order, 0.0)),
            all_tied=float(weights @ (order == 0)),
            held_out=held_out,
            held_out_reason=NOTHING_HELD_OUT if math.isnan(held_out) else "",
            n_items=sample.n_items,
            n_pairs=len(pairs),
            n_blocks=int((pairs.sizes > 0).sum()),
            n_dropped=int((pairs.sizes == 0).sum()),
            reason="",
            how=f"direction:{self.directions.get(metric, 'unsigned')}|folds:{len(sample.folds)}"
            f"|for:{NEW_ITEMS if self.items.group is None else NEW_GROUPS}",
        )

    def _undefined(self, metric: str, criterion: str, n_items: int, reason: str) -> PairwiseAccuracy:
        return PairwiseAccuracy(
            criterion=criterion,
            metric=metric,
            grouping=self.grouping,
            epsilon=math.nan,
            estimate=math.nan,
            interval=Interval.missing(reason),
            confidence=self.confidence,
            at_zero=math.nan,
            all_tied=math.nan,
            held_out=math.nan,
            held_out_reason=reason,
            n_items=n_items,
            n_pairs=0,
            n_blocks=0,
            n_dropped=0,
            reason=reason,
            how="",
        )

    def _interval(self, sample: "_Sample", correct: BoolArray) -> Interval:
        if self.resampling is None or sample.resampled is None:
            return Interval.missing(NOT_ASKED)
        shares = sample.resampled.shares_of(correct.astype(np.float64), self._draws())
        interval = self.resampling.interval(shares, self.items.unit, self.items.n_units)
        return interval if interval.reason else replace(interval, method=f"{interval.method}:at epsilon")

    def _draws(self) -> Iterable[FloatArray]:
        return self._cached_draws or self._new_draws()

    @cached_property
    def _cached_draws(self) -> list[FloatArray]:
        """The draws of units, which are the same for every figure, where they take little memory."""
        cells = self.items.n_units * (self.resampling.replicates if self.resampling else 0)
        return list(self._new_draws()) if cells <= MOST_CACHED else []

    def _new_draws(self) -> Iterator[FloatArray]:
        if self.resampling is None:
            return iter(())
        return unit_draws(self.items.n_units, len(self.items.items), self.resampling)()


@dataclass(frozen=True)
class _Sample:
    """The pairs of a metric over the items that have both values."""

    n_items: int
    calibrated: CalibratedMetric
    folds: list[Fold]
    resampled: DrawnGroups | DrawnPairs | None

    @cached_property
    def weights(self) -> FloatArray:
        """Weight of each sorted pair in the accuracy."""
        return self.calibrated.pairs.weights()
