"""What a planned study is to find out, and the test or interval that will decide it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

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

    decided: bool  # Whether there is a test or an interval
    found: bool  # Whether it finds the effect
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
    crossed: bool  # Whether each group has items by both systems
    n_systems: int = field(default=2, init=False)

    @cached_property
    def shift(self) -> float:
        """Latent shift of the second system; raises `PowerError` for a difference that is off the scale."""
        return self.answering.shift_for(self.difference)

    def simulate(self, design: Design, generator: np.random.Generator, resampling: Resampling) -> Outcome:
        """Draw the ratings of both systems and compare their means."""
        drawn = simulate_ratings(
            self.answering, design, generator, shifts=(self.shift, 0.0), crossed=self.crossed
        )
        system = np.repeat(np.arange(2, dtype=np.int64), design.items)
        (compared,) = compare_systems(_measured(drawn, system=system, systems=SYSTEMS), resampling)
        found = compared.p < 1 - resampling.confidence and compared.difference * self.difference >= 0
        width = compared.interval.high - compared.interval.low
        return Outcome(math.isfinite(compared.p), bool(found), compared.difference, width)

    def without_effect(self) -> "SystemsDiffer":
        """Two systems with the same mean; a difference in either direction counts as found."""
        return SystemsDiffer(self.answering, 0.0, self.crossed)


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
        scale = math.sqrt(self.answering.quality_variance)
        noise = generator.multivariate_normal(np.zeros(2), self._rest, len(drawn.quality))
        scores = np.outer(drawn.quality / scale, [self.first, self.second]) + noise
        compared = compare_metrics(
            _measured(drawn, metrics=METRICS, scores=scores),
            CRITERION,
            METRICS,
            level="item",
            coefficient=self.coefficient,
            resampling=resampling,
            directions=dict.fromkeys(METRICS, "higher"),
        )
        right = compared.difference * (self.first - self.second) >= 0
        found = compared.p < 1 - resampling.confidence and right
        width = compared.interval.high - compared.interval.low
        return Outcome(math.isfinite(compared.p), bool(found), compared.difference, width)

    def without_effect(self) -> "MetricsDiffer":
        """Two metrics that follow the ratings equally; a difference in either direction counts as found."""
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
        decided = math.isfinite(figure.low)
        return Outcome(decided, figure.low > self.bound, figure.estimate, figure.high - figure.low)

    def without_effect(self) -> None:
        """None: the coefficient follows from the variances."""
        return


def _measured(drawn: SimulatedRatings, **given: Any) -> MeasuredItems:
    n = len(drawn.values)
    nothing = {"system": None, "systems": (), "metrics": (), "scores": np.empty((n, 0))}
    return MeasuredItems(
        items=tuple(map(str, range(n))),
        group=drawn.group,
        groups=() if drawn.group is None else tuple(map(str, range(int(drawn.group.max()) + 1))),
        criteria=(CRITERION,),
        human=drawn.values.mean(axis=1)[:, None],
        **{**nothing, **given},
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
        group=drawn.group,
        categories=points,
        identified=True,
        cannot_rate=0,
        declared=True,
    )
