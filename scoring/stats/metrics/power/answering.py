"""How simulated raters answer: a latent value of item, rater and noise, cut into the points of a scale."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import scipy

from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import FloatArray, IntArray

NODES = 61
# A shift of so many standard deviations puts every rating at an end of the scale.
FARTHEST_SD = 40.0


class PowerError(CodedError):
    """A plan that cannot be simulated."""


@dataclass(frozen=True)
class Answering:
    """Ratings of the average item are at a point where their latent value is between its two thresholds."""

    points: FloatArray  # Values of the scale, rising, shape (points,)
    thresholds: FloatArray  # Rising, shape (points - 1,)
    # Variances of the latent values. The items of a group share the variance of groups
    item: float
    group: float
    rater: float
    noise: float
    distribution: Literal["normal", "logistic"]  # Of the noise
    # Latent shifts of the systems among which items are divided; their mean is 0
    systems: tuple[float, ...] = (0.0,)

    @classmethod
    def of_components(
        cls, components: Components, mean: float, points: FloatArray, shared: float = 0.0
    ) -> Self:
        """Normal values that are rounded to the nearest point of the scale.

        Parameters
        ----------
        components : Components
            Variances of item, rater and residual of single ratings before they are rounded.
        mean : float
            Their mean.
        points : ndarray
            Values of the scale, rising, shape (points,).
        shared : float
            Share of the items' variance that the items of a group have in common, from 0 to 1.

        Raises
        ------
        PowerError
            `no_variance`: items do not differ, or there is nothing else; a variance is negative; or
            `mean_off_scale`.
        """
        item, rater, residual = components.item, components.rater, components.residual
        if min(item, residual) <= 0 or rater < 0:
            raise PowerError("no_variance", "The variances of item and residual must be above 0.")
        if not points[0] < mean < points[-1]:
            raise PowerError(
                "mean_off_scale", f"The mean {mean:g} is not between {points[0]:g} and {points[-1]:g}."
            )
        thresholds = (points[1:] + points[:-1]) / 2 - mean
        return cls(points, thresholds, item * (1 - shared), item * shared, rater, residual, "normal")

    @classmethod
    def of_model(cls, model: Mapping[str, Any]) -> Self:
        """Answers under an ordinal mixed model, with its systems around the average system.

        Parameters
        ----------
        model : mapping
            As `model_json` gives it.

        Raises
        ------
        PowerError
            `no_variance`: the model found no differences between items or groups.
        """
        variances = {one["factor"]: float(one["variance"]) for one in model["variances"]}
        item, group = variances.get("items", 0.0), variances.get("groups", 0.0)
        if item + group <= 0:
            raise PowerError("no_variance", "The model found no differences between items.")
        effects = [0.0, *model["effects"].values()]
        mean = sum(effects) / len(effects)
        thresholds = np.array(model["thresholds"], dtype=np.float64) - mean
        points = np.array(model["values"], dtype=np.float64)
        return cls(
            points,
            thresholds,
            item,
            group,
            variances.get("raters", 0.0),
            math.pi**2 / 3,
            "logistic",
            tuple(float(one) - mean for one in effects),
        )

    @property
    def quality_variance(self) -> float:
        """Variance of the latent quality of items, with that of groups and systems."""
        return self.item + self.group + float(np.var(self.systems))

    def expected(self, shift: float) -> float:
        """The mean rating of many items of the average system, with all latent values shifted."""
        above = 1 - self.share_below(self.thresholds - shift)
        return float(self.points[0] + np.diff(self.points) @ above)

    def shift_for(self, difference: float) -> float:
        """The shift that changes the mean rating by a difference.

        Parameters
        ----------
        difference : float
            In points of the scale.

        Raises
        ------
        PowerError
            `difference_off_scale`: no shift is enough, because the mean would leave the scale.
        """
        now = self.expected(0.0)
        farthest = float(np.ptp(self.thresholds)) + FARTHEST_SD * math.sqrt(self._variance)
        low, high = self.expected(-farthest) - now, self.expected(farthest) - now
        if not low < difference < high:
            raise PowerError(
                "difference_off_scale",
                f"The mean rating is {now:.2f}. A difference of {difference:g} would leave the scale.",
            )
        return float(
            scipy.optimize.brentq(lambda shift: self.expected(shift) - now - difference, -farthest, farthest)
        )

    def ratings(self, latent: FloatArray) -> FloatArray:
        """The points of latent values, of any shape."""
        return np.asarray(self.points[np.searchsorted(self.thresholds, latent)], dtype=np.float64)

    def draw_noise(self, generator: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Latent noise of ratings."""
        if self.distribution == "normal":
            return generator.normal(0, math.sqrt(self.noise), shape)
        return generator.logistic(0, math.sqrt(3 * self.noise) / math.pi, shape)

    def share_below(self, bounds: FloatArray) -> FloatArray:
        """Probability of a latent value below each bound, for items of the average system."""
        if self.distribution == "normal":
            return np.asarray(scipy.stats.norm.cdf(bounds / math.sqrt(self._variance)), dtype=np.float64)
        nodes, weights = self._effects
        scale = math.sqrt(3 * self.noise) / math.pi
        return np.asarray(scipy.special.expit((bounds[:, None] - nodes) / scale) @ weights, dtype=np.float64)

    @property
    def _variance(self) -> float:
        return self.item + self.group + self.rater + self.noise

    @cached_property
    def _effects(self) -> tuple[FloatArray, FloatArray]:
        """Nodes and weights of the sum of the effects of item, group and rater, which is normal."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        return nodes * math.sqrt(self._variance - self.noise), weights / weights.sum()


@dataclass(frozen=True)
class Design:
    """Numbers of a study to be simulated."""

    items: int  # Of each system; of the study where there are none
    raters: int  # Ratings of each item
    pool: int  # Raters of the study; each item is rated by `raters` of them, drawn at random
    # Items of a group, of each system; 0 where items belong to no groups
    in_group: int = 0

    def __post_init__(self) -> None:
        """Refuse an impossible study."""
        if self.items < 2 or self.raters < 1:
            raise PowerError("design_too_small", "A design needs at least 2 items and 1 rating per item.")
        if self.pool < self.raters:
            raise PowerError(
                "pool_too_small",
                f"{self.raters} ratings per item need at least {self.raters} raters, not {self.pool}.",
            )


@dataclass(frozen=True)
class SimulatedRatings:
    """Ratings of items, one column for each rating of an item."""

    quality: FloatArray  # Latent quality of each item, shape (items,)
    values: FloatArray  # Shape (items, ratings per item)
    raters: IntArray  # Number of the rater, the same shape
    group: IntArray | None  # Number of each item's group; None where items belong to no groups


def simulate_ratings(
    answering: Answering,
    design: Design,
    generator: np.random.Generator,
    *,
    shifts: tuple[float, ...] | None = None,
    crossed: bool = False,
) -> SimulatedRatings:
    """Draw items, raters and ratings.

    Parameters
    ----------
    answering : Answering
        Variances and scale.
    design : Design
        Numbers of items, ratings per item and raters, and the size of groups.
    generator : Generator
        Source of all draws.
    shifts : tuple of float, optional
        Latent shift of each of the systems that are compared, whose items follow one another. Without it, the
        items of the design are divided among the systems of `answering`.
    crossed : bool
        Whether each group has items by all compared systems; otherwise each system has groups of its own.

    Returns
    -------
    SimulatedRatings
        Of all items. Without groups, each item has an effect of a group of its own.
    """
    n, compared = design.items, len(shifts or (0.0,))
    size = design.in_group or int(crossed)
    within = np.arange(n) // max(size, 1)
    group = np.concatenate(
        [within + (0 if crossed else place * (within[-1] + 1)) for place in range(compared)]
    )
    effect = generator.normal(0, math.sqrt(answering.group), int(group.max()) + 1)
    own = generator.normal(0, math.sqrt(answering.item), n * compared)
    # Systems of a study alternate within its groups.
    shift = np.resize(answering.systems, n) if shifts is None else np.repeat(shifts, n)
    quality = effect[group] + own + shift
    severity = generator.normal(0, math.sqrt(answering.rater), design.pool)
    raters = draw_raters(design, n * compared, generator)
    noise = answering.draw_noise(generator, raters.shape)
    values = answering.ratings(quality[:, None] + severity[raters] + noise)
    return SimulatedRatings(quality, values, raters, group.astype(np.int64) if size else None)


def draw_raters(design: Design, items: int, generator: np.random.Generator) -> IntArray:
    """The different raters of the pool who answer each item, shape (items, ratings per item)."""
    if design.pool == design.raters:
        return np.tile(np.arange(design.raters, dtype=np.int64), (items, 1))
    order = generator.random((items, design.pool)).argpartition(design.raters - 1, axis=1)
    return np.asarray(order[:, : design.raters], dtype=np.int64)
