"""Standard errors with two thresholds close together, where those of R's clmm part from ours."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scoring.stats.agreement.ordinal.crossed_effects import Factors
from scoring.stats.agreement.ordinal.fit import OrdinalFit, fit
from scoring.stats.agreement.ordinal.laplace import Laplace, OrdinalDesign
from scoring.stats.agreement.ordinal.ordinal_model import ITEMS, RATERS, level_codes
from scoring.stats.base.resampling import FloatArray
from tests.stats.agreement.ordinal.designs import Simulated, simulated

# One of 240 ratings is between the second and the third threshold.
CLOSE = Simulated(8, 60, 6, 4, cuts=(-1.0, 0.5, 0.515, 1.5))
# The step of `ordinal:::deriv12`, by which clmm takes its second differences.
STEP_OF_CLMM = 1e-4


@pytest.fixture(scope="module")
def fitted() -> tuple[OrdinalDesign, OrdinalFit]:
    frame = simulated(CLOSE)
    codes = {ITEMS: level_codes(frame["item"])[1], RATERS: level_codes(frame["rater"])[1]}
    values, category = np.unique(frame["value"], return_inverse=True)
    design = OrdinalDesign(category, len(values), np.zeros((len(frame), 0)), Factors.of(codes))
    return design, fit(design)


def second_differences(likelihood: Callable[[FloatArray], float], at: FloatArray, step: float) -> FloatArray:
    """Curvature from values of the likelihood alone."""
    shifts = step * np.eye(len(at))

    def entry(one: FloatArray, other: FloatArray) -> float:
        alike = likelihood(at + one + other) + likelihood(at - one - other)
        return (alike - likelihood(at + one - other) - likelihood(at - one + other)) / (4 * step**2)

    return np.array([[entry(one, other) for other in shifts] for one in shifts])


def by_distances(design: OrdinalDesign, found: OrdinalFit) -> FloatArray:
    """Standard errors by curvature in the first threshold and the logarithms of the distances."""
    laplace, parameters, count = Laplace(design), found.parameters, design.categories - 1

    def thresholds(free: FloatArray) -> FloatArray:
        steps = np.concatenate((free[:1], np.exp(free[1:count])))
        return np.concatenate((np.cumsum(steps), free[count:]))

    vector = parameters.vector
    free = np.concatenate((vector[:1], np.log(np.diff(vector[:count])), vector[count:]))
    curvature = second_differences(
        lambda one: laplace.at(parameters.replaced(thresholds(one))).log_likelihood, free, 1e-3
    )
    slopes = np.eye(len(free))
    slopes[:count, :count] = np.tril(
        np.concatenate(([1.0], np.diff(vector[:count])))[None, :].repeat(count, 0)
    )
    return np.asarray(np.sqrt(np.diag(slopes @ np.linalg.inv(-curvature) @ slopes.T)), dtype=np.float64)


def as_clmm_does(design: OrdinalDesign, found: OrdinalFit) -> FloatArray:
    """Standard errors by the differences of `deriv12`: three points on the diagonal, four off it."""
    laplace, parameters, step = Laplace(design), found.parameters, STEP_OF_CLMM

    def likelihood(one: FloatArray) -> float:
        return laplace.at(parameters.replaced(one)).log_likelihood

    at = parameters.vector
    curvature = second_differences(likelihood, at, step)
    for place, shift in enumerate(step * np.eye(len(at))):
        three = likelihood(at + shift) - 2 * likelihood(at) + likelihood(at - shift)
        curvature[place, place] = three / step**2
    return np.asarray(np.sqrt(np.diag(np.linalg.inv(-curvature))), dtype=np.float64)


def test_they_are_those_of_the_curvature_in_the_distances_between_thresholds(fitted) -> None:
    design, found = fitted
    assert np.diff(found.parameters.thresholds).min() < 0.03
    assert found.standard_errors == pytest.approx(by_distances(design, found), rel=1e-4)


def test_differences_as_clmm_takes_them_give_others(fitted) -> None:
    """Their errors grow with step² / distance⁴ and do not cancel where both thresholds move together."""
    design, found = fitted
    thresholds = slice(0, design.categories - 1)
    differences = (as_clmm_does(design, found) - found.standard_errors)[thresholds]
    assert np.abs(differences).max() > 0.0005
