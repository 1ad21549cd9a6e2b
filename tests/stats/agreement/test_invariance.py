"""What no coefficient may depend on, over every coefficient and any table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.stats.agreement.coefficients import COEFFICIENTS
from tests.stats.samples import figures_of, long_form

# α is computed at several levels; its variant says at which.
INTERVALS = {one.key for one in COEFFICIENTS.values() if one.level == "interval"} | {"alpha"}
RANKS = {(one.key, "") for one in COEFFICIENTS.values() if one.level in ("nominal", "ordinal")} | {
    ("alpha", "ordinal")
}


def test_the_level_of_measurement_of_each():
    assert {"icc1", "icc2", "icc3", "icc1k", "icc2k", "icc3k", "held_out_pearson"} <= INTERVALS
    assert {("fleiss", ""), ("ac1", ""), ("exact", ""), ("alpha", "ordinal")} <= RANKS


tables = st.tuples(st.integers(3, 14), st.integers(2, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, np.nan]))
).filter(lambda values: not np.isnan(values).all())  # fmt: skip


def estimates(frame):
    return {
        key: (figure.estimate, figure.reason)
        for key, figure in figures_of(frame, replicates=1).items()
        if not key[1].startswith("rater:")
    }


def assert_same(left, right, where=lambda _key: True):
    for key, (estimate, reason) in left.items():
        if where(key):
            assert right[key][1] == reason, key
            assert right[key][0] == pytest.approx(estimate, abs=1e-5, nan_ok=True), key


@settings(max_examples=40, deadline=None)
@given(values=tables, seed=st.integers(0, 1000))
def test_no_coefficient_depends_on_names_or_on_the_order_of_rows(values, seed):
    frame = long_form(values)
    rng = np.random.default_rng(seed)
    renamed = frame.sample(frac=1, random_state=seed)
    for column in ("item", "rater"):
        names = renamed[column].unique()
        renamed[column] = renamed[column].map(dict(zip(names, rng.permutation(len(names)), strict=True)))
    assert_same(estimates(frame), estimates(renamed))


@settings(max_examples=30, deadline=None)
@given(values=tables, slope=st.sampled_from([0.5, 2.0, 10.0]), shift=st.sampled_from([-20.0, 0.0, 7.0]))
def test_shift_and_scale_change_nothing_measured_on_an_interval_scale(values, slope, shift):
    moved = estimates(long_form(values * slope + shift))
    assert_same(estimates(long_form(values)), moved, lambda key: key[0] in INTERVALS)


@settings(max_examples=30, deadline=None)
@given(values=tables)
def test_a_monotone_change_of_values_changes_nothing_measured_on_ranks(values):
    moved = estimates(long_form(values**3))
    assert_same(estimates(long_form(values)), moved, lambda key: key in RANKS)


@settings(max_examples=30, deadline=None)
@given(values=tables)
def test_estimates_stay_within_their_bounds(values):
    for (coefficient, _), (estimate, reason) in estimates(long_form(values)).items():
        assert np.isnan(estimate) == bool(reason)
        if not reason and not coefficient.endswith("k"):
            assert -1e3 < estimate <= 1 + 1e-9


def test_a_likelihood_without_a_maximum_gives_the_same_figures_in_any_order():
    # It rises to the edge of the possible covariances; one order of the rows used to stop just before it.
    nan = np.nan
    values = np.array([[2.0, 2], [2, 1], [nan, 3], [4, nan], [1, nan], [nan, 3], [1, 1]])
    frame = long_form(values)
    for seed in range(5):
        found = figures_of(frame.sample(frac=1, random_state=seed), replicates=1)
        assert found["icc2", ""].estimate == pytest.approx(13 / 15)
        assert "boundary" in found["icc2", ""].flags
