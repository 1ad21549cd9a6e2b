"""Correlations of many samples at once are those of scipy, one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from scoring.stats.base.association import COEFFICIENTS, associations, p_value
from tests.stats.reference import reference

VALUES = st.integers(-20, 20).map(lambda whole: whole / 4)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    values=hnp.arrays(
        float, hnp.array_shapes(min_dims=3, max_dims=3, min_side=2, max_side=7), elements=VALUES
    )
)
@settings(max_examples=60, deadline=None)
def test_every_sample_and_pair_of_columns_is_scipys(coefficient, values):
    x, y = values[..., :1], values[..., 1:]
    found = associations(x, y, coefficient)
    assert found.shape == (len(values), 1, values.shape[2] - 1)
    for sample, _, column in np.ndindex(*found.shape):
        expected = reference(x[sample, :, 0], y[sample, :, column], coefficient)
        assert found[sample, 0, column] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_missing_value_leaves_its_column_alone_undefined(coefficient):
    x = np.array([[1.0, 4.0], [2.0, np.nan], [4.0, 1.0]])
    found = associations(x, np.array([[1.0], [3.0], [2.0]]), coefficient)
    assert np.isfinite(found[0, 0])
    assert np.isnan(found[1, 0])


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e9, 1e150])
def test_the_size_of_values_does_not_matter(scale):
    x, y = np.random.default_rng(4).normal(size=(2, 12, 1))
    assert associations(x * scale, y, "pearson") == pytest.approx(associations(x, y, "pearson"), abs=1e-12)


def test_the_smallest_numbers_there_are_have_a_correlation():
    x = np.array([0.0, 0, 1.5e-318, 0])[:, None]
    y = np.array([1.0, 2, 4, 3])[:, None]
    assert associations(x, y, "pearson") == pytest.approx(associations(np.sign(x), y, "pearson"), abs=1e-12)


@given(st.integers(3, 40), st.integers(0, 10_000))
def test_p_is_scipys(n, seed):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    tested = stats.pearsonr(x, y)
    assert p_value(tested.statistic, n) == pytest.approx(tested.pvalue, rel=1e-6)


def test_p_of_too_few_or_perfect_pairs():
    assert np.isnan(p_value(0.5, 2))
    assert np.isnan(p_value(np.nan, 9))
    assert p_value(1.0, 9) == 0
