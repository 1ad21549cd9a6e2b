"""Derivatives of the likelihood are right, and its inverse curvature is that of the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.ordinal.crossed_effects import Curvature, Factors
from scoring.stats.agreement.ordinal.laplace import Laplace, OrdinalDesign, Parameters
from scoring.stats.base.resampling import FloatArray

SEEDS = st.integers(0, 10**6)


def design_of(seed: int) -> tuple[OrdinalDesign, Parameters]:
    draw = np.random.default_rng(seed)
    categories, ratings = int(draw.integers(2, 6)), int(draw.integers(40, 120))
    sizes = draw.integers(2, 12, size=int(draw.integers(2, 4)))
    codes = {f"factor {at}": draw.integers(0, size, ratings) for at, size in enumerate(sizes)}
    fixed = (draw.integers(0, 3, ratings)[:, None] == np.array([1, 2])).astype(float)
    category = np.concatenate((np.arange(categories), draw.integers(0, categories, ratings - categories)))
    parameters = Parameters(
        np.sort(draw.normal(size=categories - 1)) + np.arange(categories - 1),
        draw.normal(size=2),
        draw.uniform(0.2, 1.5, len(sizes)),
    )
    return OrdinalDesign(category, categories, fixed, Factors.of(codes)), parameters


@settings(max_examples=25)
@given(SEEDS)
def test_the_gradient_is_the_slope_of_the_likelihood(seed: int) -> None:
    design, parameters = design_of(seed)
    laplace, centre = Laplace(design), parameters.vector
    gradient = laplace.at(parameters).gradient
    for at, slope in enumerate(gradient):
        shift = 1e-5 * (np.arange(len(centre)) == at)
        above = laplace.at(parameters.replaced(centre + shift)).log_likelihood
        below = laplace.at(parameters.replaced(centre - shift)).log_likelihood
        assert (above - below) / 2e-5 == pytest.approx(slope, rel=1e-4, abs=1e-3)


def whole(factors: Factors, weight: FloatArray, scales: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The matrix A of all ratings and effects, and H, formed as the formula has them."""
    effects = np.zeros((len(weight), int(factors.starts[-1])))
    for at, codes in enumerate(factors.levels):
        effects[np.arange(len(weight)), factors.starts[at] + codes] = scales[at]
    return effects, effects.T @ (weight[:, None] * effects) + np.eye(effects.shape[1])


@settings(max_examples=25)
@given(SEEDS)
def test_what_is_read_from_the_blocks_is_what_the_whole_matrix_gives(seed: int) -> None:
    design, parameters = design_of(seed)
    weight = np.random.default_rng(seed).uniform(0.01, 0.25, len(design.category))
    curvature = Curvature(design.factors, weight, parameters.scales)
    effects, matrix = whole(design.factors, weight, parameters.scales)
    inverse = np.linalg.inv(matrix)
    assert curvature.log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1], abs=1e-9)
    assert curvature.variances() == pytest.approx(np.diag(inverse), abs=1e-10)
    right = np.random.default_rng(seed + 1).normal(size=len(matrix))
    assert curvature.solve(right) == pytest.approx(inverse @ right, abs=1e-9)
    for at, codes in enumerate(design.factors.levels):
        expected = np.sum(inverse[design.factors.starts[at] + codes] * effects, axis=1)
        assert curvature.leverages()[at] == pytest.approx(expected, abs=1e-9)
