"""What a planned study is to find out, and the test or interval that will decide it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from scoring.stats.agreement.coefficients import AC2, ALPHAS, FLEISS, ONE_WAY, TWO_WAY, Family
from scoring.stats.base.association import Coefficient
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.data.table import Ratings
from scoring.stats.metrics.comparing.comparison import compare_metrics
from scoring.stats.metrics.comparing.systems import compare_systems
from scoring.stats.metrics.power.answering import (
    Answering,
    Design,
    PowerError,
    SimulatedRatings,
    simulate_ratings,
)

CRITERION = "rating"
SYSTEMS = ("first", "second")
METRICS = ("first", "second")
# By coefficient and variant, what computes it.
COEFFICIENTS: Mapping[tuple[str, str], Family] = {
    ("icc1", ""): ONE_WAY,
    ("icc1k", ""): ONE_WAY,
    ("icc2", ""): TWO_WAY,
    ("icc2k", ""): TWO_WAY,
    ("alpha", "ordinal"): ALPHAS["ordinal"],
    ("alpha", "interval"): ALPHAS["interval"],
    ("fleiss", ""): FLEISS,
    ("ac2", ""): AC2,
}


@dataclass(frozen=True)
class Outcome:
    """What one simulated study finds."""

    found: bool  # Whether the test or interval decides as hoped
    estimate: float  # NaN where there is none
    width: float  # Of the interval; NaN without one


class Question(Protocol):
    """A question that one simulated study answers."""

    @property
    def n_systems(self) -> int:
        """Systems whose items are rated."""
        ...

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw one study and test it."""
        ...

    def without_effect(self) -> "Question | None":
        """The same question where there is nothing to find; None for one that has no such case."""
        ...


@dataclass(frozen=True)
class SystemsDiffer:
    """Whether the mean ratings of two systems differ: the paired bootstrap of `compare_systems` decides."""

    answering: Answering
    difference: float  # In points of the scale
    grouped: bool  # Whether both systems have an item in each group
    n_systems: int = field(default=2, init=False)

    @cached_property
    def shift(self) -> float:
        """Latent shift of the second system; raises `PowerError` for a difference that is off the scale."""
        return self.answering.shift_for(self.difference)

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw the ratings of both systems and compare their means."""
        drawn = simulate_ratings(
            self.answering, design, generator, shifts=(self.shift, 0.0), grouped=self.grouped
        )
        (found,) = compare_systems(self._measured(drawn, design.items), resampling)
        significant = found.p < 1 - resampling.confidence
        right = found.difference * self.difference >= 0
        return Outcome(significant and right, found.difference, found.interval.high - found.interval.low)

    def without_effect(self) -> "SystemsDiffer":
        """Two systems with the same mean."""
        return SystemsDiffer(self.answering, 0.0, self.grouped)

    def _measured(self, drawn: SimulatedRatings, items: int) -> MeasuredItems:
        group = np.tile(np.arange(items, dtype=np.int64), 2) if self.grouped else None
        return _measured(
            drawn.values.mean(axis=1),
            group=group,
            groups=tuple(map(str, range(items))) if self.grouped else (),
            system=np.repeat(np.arange(2, dtype=np.int64), items),
            systems=SYSTEMS,
        )


@dataclass(frozen=True)
class MetricsDiffer:
    """Whether one metric follows the ratings more closely than another, by the test of `compare_metrics`."""

    answering: Answering
    # Correlations of both metrics with the latent quality of items, and with one another
    first: float
    second: float
    between: float
    coefficient: Coefficient
    n_systems: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        """Refuse correlations that cannot be at the same time."""
        if not self._possible:
            raise PowerError(
                "impossible_correlations",
                f"No metrics have correlations of {self.first:g} and {self.second:g} with the quality"
                f" and {self.between:g} with each other.",
            )

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw ratings and scores, and compare the correlations over items."""
        drawn = simulate_ratings(self.answering, design, generator)
        scale = math.sqrt(self.answering.item + self.answering.group)
        noise = generator.multivariate_normal(np.zeros(2), self._rest, len(drawn.quality))
        scores = np.outer(drawn.quality / scale, [self.first, self.second]) + noise
        compared = compare_metrics(
            _measured(drawn.values.mean(axis=1), scores=scores),
            CRITERION,
            METRICS,
            level="item",
            coefficient=self.coefficient,
            resampling=resampling,
            directions=dict.fromkeys(METRICS, "higher"),
        )
        right = compared.difference * (self.first - self.second) >= 0
        significant = compared.p < 1 - resampling.confidence
        return Outcome(
            bool(significant and right), compared.difference, compared.interval.high - compared.interval.low
        )

    def without_effect(self) -> "MetricsDiffer":
        """Two metrics that follow the ratings equally."""
        mean = (self.first + self.second) / 2
        return MetricsDiffer(self.answering, mean, mean, self.between, self.coefficient)

    @property
    def _rest(self) -> FloatArray:
        """Covariance of both metrics that the quality does not explain, shape (2, 2)."""
        shared = self.between - self.first * self.second
        return np.array([[1 - self.first**2, shared], [shared, 1 - self.second**2]], dtype=np.float64)

    @property
    def _possible(self) -> bool:
        limits = all(-1 < one < 1 for one in (self.first, self.second, self.between))
        return limits and float(np.linalg.det(self._rest)) > 0


@dataclass(frozen=True)
class CoefficientAbove:
    """Whether the whole confidence interval of a coefficient is above a bound."""

    answering: Answering
    coefficient: str
    variant: str
    bound: float
    n_systems: int = field(default=1, init=False)

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw ratings and compute the coefficient with its interval."""
        ratings = _rated(simulate_ratings(self.answering, design, generator), self.answering.points)
        figures = COEFFICIENTS[self.coefficient, self.variant].compute(ratings, resampling)
        figure = next(one for one in figures if one.coefficient == self.coefficient)
        return Outcome(figure.low > self.bound, figure.estimate, figure.high - figure.low)

    def without_effect(self) -> None:
        """None: the coefficient follows from the variances."""
        return


def _measured(human: FloatArray, **given: object) -> MeasuredItems:
    nothing = {
        "group": None,
        "groups": (),
        "system": None,
        "systems": (),
        "scores": np.empty((len(human), 0)),
    }
    scores = given.get("scores")
    return MeasuredItems(
        items=tuple(map(str, range(len(human)))),
        criteria=(CRITERION,),
        human=human[:, None],
        metrics=() if scores is None else METRICS,
        **{**nothing, **given},  # type: ignore[arg-type]
    )


def _rated(drawn: SimulatedRatings, points: FloatArray) -> Ratings:
    items, k = drawn.values.shape
    occurring, raters = np.unique(drawn.raters.ravel(), return_inverse=True)
    return Ratings(
        criterion=CRITERION,
        item=np.repeat(np.arange(items, dtype=np.int64), k),
        rater=raters.astype(np.int64),
        value=drawn.values.ravel(),
        items=np.array([str(one) for one in range(items)], dtype=object),
        raters=tuple(str(one) for one in occurring),
        group=None,
        categories=points,
        identified=True,
        cannot_rate=0,
        declared=True,
    )
