"""Correlations at item, group and system level against scipy on plain loops and repeated items."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.base.association import COEFFICIENTS
from scoring.stats.base.resampling import Resampling
from scoring.stats.metrics.levels import LEVELS, correlations, group_correlations
from tests.stats.measured_samples import measured, ungrouped
from tests.stats.reference import REFERENCE, reference

RESAMPLING = Resampling(replicates=20, seed=5)
RESAMPLED = ("item", "group")
samples = st.builds(
    measured, st.integers(0, 10_000), groups=st.integers(2, 8), missing=st.sampled_from([0.0, 0.2, 0.6])
)


def plain(items, level, coefficient, drawn=None):
    """The correlations from plain loops over the units drawn, each as often as drawn."""
    units = np.arange(items.n_units) if drawn is None else drawn
    rows = [np.flatnonzero(items.unit_codes == unit) for unit in units]
    found = np.full((len(items.metrics), len(items.criteria)), np.nan)
    for metric, criterion in np.ndindex(*found.shape):
        x, y = items.scores[:, metric], items.human[:, criterion]
        if level == "group":
            values = [pairwise(x[inside], y[inside], coefficient) for inside in rows]
            found[metric, criterion] = np.nanmean(values) if np.isfinite(values).any() else np.nan
        elif level == "system":
            every = np.concatenate(rows)
            of_systems = [every[items.system[every] == code] for code in range(len(items.systems))]
            by_system = np.round([[mean(column[own]) for own in of_systems] for column in (x, y)], 12)
            found[metric, criterion] = pairwise(by_system[0], by_system[1], coefficient)
        else:
            every = np.concatenate(rows)
            found[metric, criterion] = pairwise(x[every], y[every], coefficient)
    return found


def mean(values):
    known = values[np.isfinite(values)]
    return known.mean() if len(known) else np.nan


def pairwise(x, y, coefficient):
    both = np.isfinite(x) & np.isfinite(y)
    return reference(x[both], y[both], coefficient)


def replicates(items, level, coefficient):
    """The bootstrap replicates, shape (metrics, criteria, replicates)."""
    found = correlations(items, level, coefficient, RESAMPLING).replicates
    assert found is not None
    return found


def multisets(items, resampling):
    """The units that each replicate draws."""
    weights = resampling.generator("units").multinomial(
        items.n_units, np.full(items.n_units, 1 / items.n_units), size=resampling.replicates
    )
    return [np.repeat(np.arange(items.n_units), row) for row in weights]


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
@given(items=samples)
@settings(max_examples=15, deadline=None)
def test_estimates_are_those_of_plain_loops_over_scipy(level, coefficient, items):
    found = correlations(items, level, coefficient)
    np.testing.assert_allclose(found.estimate, plain(items, level, coefficient), atol=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", RESAMPLED)
@given(items=samples)
@settings(max_examples=4, deadline=None)
def test_a_replicate_is_the_correlation_of_the_items_really_repeated(level, coefficient, items):
    found = replicates(items, level, coefficient)
    for place, drawn in enumerate(multisets(items, RESAMPLING)):
        np.testing.assert_allclose(found[..., place], plain(items, level, coefficient, drawn), atol=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_without_groups_single_items_are_drawn(coefficient):
    items = ungrouped(measured(3, groups=5))
    found = replicates(items, "item", coefficient)
    for place, drawn in enumerate(multisets(items, RESAMPLING)):
        np.testing.assert_allclose(found[..., place], plain(items, "item", coefficient, drawn), atol=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_p_over_items_is_scipys(coefficient):
    items = measured(8, missing=0.1)
    found = correlations(items, "item", coefficient)
    for metric, criterion in np.ndindex(*found.p.shape):
        x, y = items.scores[:, metric], items.human[:, criterion]
        both = np.isfinite(x) & np.isfinite(y)
        test = REFERENCE[coefficient]
        assert found.p[metric, criterion] == pytest.approx(test(x[both], y[both]).pvalue, rel=1e-6)
        assert found.n[metric, criterion] == both.sum()
        assert found.dropped[metric, criterion] == (~both).sum()


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 10_000), shift=st.integers(-50, 50), scale=st.sampled_from([0.001, 0.3, 7.0]))
@settings(max_examples=8, deadline=None)
def test_the_order_of_items_and_a_shifted_or_scaled_metric_change_nothing(
    level, coefficient, seed, shift, scale
):
    items = measured(seed, missing=0.1)
    order = np.random.default_rng(seed).permutation(len(items.items))
    shuffled = replace(
        items,
        items=tuple(np.array(items.items)[order]),
        group=items.unit_codes[order],
        system=None if items.system is None else items.system[order],
        human=items.human[order],
        scores=items.scores[order] * scale + shift,
    )
    before, after = (correlations(each, level, coefficient) for each in (items, shuffled))
    np.testing.assert_allclose(after.estimate, before.estimate, atol=1e-9)
    if level in RESAMPLED:
        drawn = [replicates(each, level, coefficient) for each in (items, shuffled)]
        np.testing.assert_allclose(drawn[1], drawn[0], atol=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_a_reversed_metric_has_the_opposite_sign(level):
    items = measured(2)
    for coefficient in COEFFICIENTS:
        found = correlations(items, level, coefficient).estimate
        reversed_items = replace(items, scores=-items.scores)
        np.testing.assert_allclose(
            correlations(reversed_items, level, coefficient).estimate, -found, atol=1e-12
        )


def test_equal_sums_of_tenths_tie():
    items = measured(0, groups=4, systems=3, metrics=1, criteria=1)
    scores = np.array([0.1 + 0.2, 0.3, 0.6] * 4)[:, None]
    human = np.array([1.0, 2.0, 3.0] * 4)[:, None]
    found = correlations(replace(items, scores=scores, human=human), "group", "kendall").estimate
    assert found[0, 0] == pytest.approx(2 / np.sqrt(6))


def test_a_group_where_the_correlation_is_undefined_is_dropped_and_counted():
    items = measured(6, groups=5)
    human = items.human.copy()
    human[items.group == 2, 0] = 3.0
    found = correlations(replace(items, human=human), "group", "pearson")
    assert (found.n[0, 0], found.dropped[0, 0]) == (4, 1)


def test_a_system_without_scores_is_dropped_and_counted():
    items = measured(6, systems=6)
    scores = items.scores.copy()
    scores[items.system == 3, 1] = np.nan
    partly = replace(items, scores=scores)
    found = correlations(partly, "system", "spearman")
    assert (found.n[1, 0], found.dropped[1, 0]) == (5, 1)
    assert np.isfinite(found.estimate).all()


@pytest.mark.parametrize("level", ["group", "system"])
def test_without_groups_or_systems_there_is_no_correlation_of_them(level):
    found = correlations(ungrouped(measured(1)), level, "pearson", RESAMPLING)
    assert np.isnan(found.estimate).all()
    assert found.replicates is None


def test_the_same_settings_draw_the_same_units_for_every_metric():
    items = measured(9)
    twice = replace(items, scores=items.scores[:, [0, 0, 1]])
    for level in RESAMPLED:
        found = replicates(twice, level, "pearson")
        np.testing.assert_array_equal(found[0], found[1])


def test_p_over_groups_is_that_of_a_t_test():
    items = measured(5, groups=9)
    by_group = group_correlations(items, "pearson")
    expected = stats.ttest_1samp(by_group, 0, axis=0, nan_policy="omit").pvalue
    np.testing.assert_allclose(correlations(items, "group", "pearson").p, expected, rtol=1e-9)


def test_ratings_that_differ_by_rounding_only_do_not_vary():
    items = measured(0, groups=4, systems=3, metrics=1, criteria=1)
    scores = np.array([0.1 + 0.2, 0.3, 0.3] * 4)[:, None]
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            assert np.isnan(correlations(replace(items, scores=scores), level, coefficient).estimate).all()
