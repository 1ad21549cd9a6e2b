"""Laplace approximation to the likelihood of a cumulative logit with crossed random effects."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement.ordinal.crossed_effects import Curvature, Factors
from scoring.stats.agreement.ordinal.cumulative_logit import Terms, by_threshold, terms
from scoring.stats.base.resampling import FloatArray, IntArray

MOST_STEPS = 100
CONVERGED = 1e-12
SMALLEST_STEP = 2.0**-20


@dataclass(frozen=True)
class OrdinalDesign:
    """Ratings of one criterion as the model has them."""

    category: IntArray  # 0 to K − 1, every one of which occurs; shape (ratings,)
    categories: int  # K
    fixed: FloatArray  # Indicators of the systems but the first, shape (ratings, systems − 1)
    factors: Factors
    # Set of thresholds of each rating, shape (ratings,), and number of sets; 0 and 1 where all have the same
    of_set: IntArray | int = 0
    sets: int = 1


@dataclass(frozen=True)
class Parameters:
    """Thresholds, fixed effects and standard deviations of the random effects."""

    thresholds: FloatArray  # Increasing, shape (K − 1,); of several sets one after the other
    fixed: FloatArray  # Shape (systems − 1,)
    scales: FloatArray  # Shape (factors,)

    @property
    def vector(self) -> FloatArray:
        """All of them, one after the other."""
        return np.concatenate((self.thresholds, self.fixed, self.scales))

    def replaced(self, vector: FloatArray) -> "Parameters":
        """Parameters of the same shapes with the values of a vector."""
        first, second = len(self.thresholds), len(self.thresholds) + len(self.fixed)
        return Parameters(vector[:first], vector[first:second], vector[second:])


@dataclass(frozen=True)
class Approximation:
    """The approximate log likelihood at some parameters."""

    log_likelihood: float
    gradient: FloatArray  # By thresholds, fixed effects and scales
    effects: FloatArray  # Mode of the standardised random effects
    variances: FloatArray  # Their variances given the ratings


class Laplace:
    """Approximates the log likelihood; each evaluation starts from the mode of the one before.

    References
    ----------
    Breslow & Clayton (1993), section 2.1; Christensen (2019), the clmm of R's ordinal, section 3.
    """

    def __init__(self, design: OrdinalDesign) -> None:
        self.design = design
        self._effects = np.zeros(int(design.factors.starts[-1]))

    def at(self, parameters: Parameters) -> Approximation:
        """Evaluate the approximation and its gradient.

        Parameters
        ----------
        parameters : Parameters
            Where to evaluate it.

        Raises
        ------
        ArithmeticError
            The mode of the random effects was not found.
        """
        linear = self.design.fixed @ parameters.fixed
        effects, found = self._mode(parameters, linear)
        curvature = Curvature(self.design.factors, found.weight, parameters.scales)
        self._effects = effects
        joint = float(found.log_likelihood.sum() - effects @ effects / 2)
        return Approximation(
            joint - curvature.log_determinant / 2,
            self._gradient(parameters, effects, found, curvature),
            effects,
            curvature.variances(),
        )

    def _mode(self, parameters: Parameters, linear: FloatArray) -> tuple[FloatArray, Terms]:
        factors, scales = self.design.factors, parameters.scales
        effects = self._effects
        found, height = self._joint(parameters, linear, effects)
        for _ in range(MOST_STEPS):
            slope = factors.sums(found.slope, scales) - effects
            step = Curvature(factors, found.weight, scales).solve(slope)
            if float(step @ slope) < CONVERGED * (1 + abs(height)):
                return effects + step, self._joint(parameters, linear, effects + step)[0]
            share = 1.0
            while share > SMALLEST_STEP:
                next_found, next_height = self._joint(parameters, linear, effects + share * step)
                if next_height >= height:
                    break
                share /= 2
            else:
                return effects, found
            effects, found, height = effects + share * step, next_found, next_height
        raise ArithmeticError("the mode of the random effects was not found")

    def _joint(self, parameters: Parameters, linear: FloatArray, effects: FloatArray) -> tuple[Terms, float]:
        eta = linear + self.design.factors.contributions(effects, parameters.scales)
        thresholds = parameters.thresholds.reshape(self.design.sets, -1)
        found = terms(self.design.category, thresholds, eta, self.design.of_set)
        return found, float(found.log_likelihood.sum() - effects @ effects / 2)

    def _gradient(
        self, parameters: Parameters, effects: FloatArray, found: Terms, curvature: Curvature
    ) -> FloatArray:
        """Total derivative: the mode moves with the parameters, and the curvature with the mode."""
        design, scales = self.design, parameters.scales
        factors, category = design.factors, design.category
        by_factor = curvature.leverages()
        leverage = scales @ by_factor
        moved = found.weight_slope * leverage
        adjoint = curvature.solve(factors.sums(moved, scales))
        spread = factors.contributions(adjoint, scales)
        by_eta = found.slope - (moved - found.weight * spread) / 2
        thresholds = by_threshold(
            category,
            found.upper - (leverage * found.weight_upper + spread * found.slope_upper) / 2,
            found.lower - (leverage * found.weight_lower + spread * found.slope_lower) / 2,
            (design.sets, design.categories - 1),
            design.of_set,
        )
        by_scale = np.empty(len(scales))
        for factor, codes in enumerate(factors.levels):
            unit = factors.part(effects, factor)[codes]
            across = factors.part(adjoint, factor)[codes] @ found.slope
            by_scale[factor] = by_eta @ unit - found.weight @ by_factor[factor] - across / 2
        return np.concatenate((thresholds, design.fixed.T @ by_eta, by_scale))
