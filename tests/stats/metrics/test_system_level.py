"""Correlations over systems: what their intervals hold for, and that an interval and its p never disagree."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.system_level import Design, missed
from scoring.stats.base.association import COEFFICIENTS
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.levels import correlations
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.metrics.meta_figure import MetaFigure
from scoring.stats.metrics.system_means import ColumnMeans, SystemPair
from tests.stats.measured_samples import measured, ungrouped


def figures(items: MeasuredItems) -> list[MetaFigure]:
    return evaluate_metrics(items, levels=["system"], replicates=200, seed=1).figures


def leaves_zero_out(low: float, high: float) -> bool:
    return low > 0 or high < 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([3, 6, 9]), st.sampled_from([6, 30]))
def test_an_interval_and_its_p_never_disagree(seed: int, systems: int, groups: int) -> None:
    items = measured(seed, systems=systems, groups=groups, metrics=2, criteria=1, missing=0.1)
    for one in evaluate_metrics(items, replicates=200, seed=1).figures:
        if not one.interval.reason and math.isfinite(one.reported_p):
            assert leaves_zero_out(one.low, one.high) == (one.p < 0.05), one.signature
        if one.new_systems is not None and not one.new_systems.reason:
            new = one.new_systems
            assert leaves_zero_out(new.low, new.high) == (one.new_systems_p < 0.05), one.signature


def test_the_figure_names_what_its_interval_and_p_hold_for() -> None:
    rows = [one.to_row() for one in evaluate_metrics(measured(1, systems=6), replicates=50, seed=1).figures]
    holds = {row["level"]: (row["holds_for"], row["new_systems_method"]) for row in rows}
    assert holds["item"] == holds["group"] == ("new groups", "")
    assert holds["system"] == ("these systems", "fisher-z:systems")
    assert "|for:these systems|new-systems:fisher-z:systems|" in str(rows[-1]["signature"])


def test_few_systems_have_no_interval_for_new_ones() -> None:
    """Five systems are a sample of next to nothing; what these five do is known from their groups."""
    for one in figures(measured(1, systems=5, groups=30)):
        assert one.new_systems is not None
        assert one.new_systems_method == "none:too_few_systems"
        assert math.isnan(one.new_systems_p)
        assert math.isfinite(one.low)


def test_few_groups_have_no_interval_for_these_systems() -> None:
    found = figures(measured(1, systems=6, groups=4))
    assert {one.interval_method for one in found} == {"none:too_few_groups"}
    assert {math.isnan(one.p) for one in found} == {True}


@pytest.mark.parametrize(
    ("systems", "groups", "few"), [(10, 40, False), (11, 40, True), (11, 95, True), (11, 96, False)]
)
def test_ranks_of_many_systems_have_a_caution_up_to_the_measured_number_of_groups(
    systems: int, groups: int, few: bool
) -> None:
    found = figures(measured(1, systems=systems, groups=groups, metrics=1, criteria=1))
    cautious = {one.coefficient for one in found if "few_for_ranks" in cautions_of(one.signature)}
    assert cautious == ({"spearman", "kendall"} if few else set())


def test_the_interval_holds_the_estimate() -> None:
    for seed in range(6):
        for one in figures(measured(seed, systems=7, groups=12)):
            assert one.new_systems is not None
            for interval in (one.interval, one.new_systems):
                assert interval.reason or interval.low <= one.estimate <= interval.high


def pair_of(items: MeasuredItems) -> SystemPair:
    metric, criterion = (ColumnMeans.of(items, values[:, 0]) for values in (items.scores, items.human))
    return SystemPair.of(metric, criterion)


def test_the_noise_is_the_mean_square_of_system_by_group_in_complete_data() -> None:
    """Against the two-way analysis of variance: its interaction over the groups is the variance of a mean."""
    items = measured(2, systems=5, groups=9, metrics=1, criteria=1)
    pair = pair_of(items)
    for column, values in enumerate((items.scores[:, 0], items.human[:, 0])):
        table = values.reshape(9, 5)
        rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
        assert pair.noise[column, column] == pytest.approx((rest**2).sum() / (8 * 4) / 9)


def test_new_systems_have_the_interval_of_a_sample_of_systems_where_means_have_no_noise() -> None:
    items = measured(4, systems=12, groups=6, metrics=1, criteria=1)
    x, y = without_noise(items)
    exact = replace(items, scores=x[:, None], human=y[:, None])
    (found, *_) = figures(exact)
    assert found.new_systems is not None
    expected = stats.pearsonr(*means_of(exact)).confidence_interval(0.95)
    assert (found.new_systems.low, found.new_systems.high) == pytest.approx((expected.low, expected.high))
    assert (found.low, found.high) == pytest.approx((found.estimate, found.estimate))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_correlation_of_0_without_noise_is_no_evidence_of_one(coefficient: str) -> None:
    """Its interval of these systems is 0 alone, and a p of 0 with it would say the opposite."""
    items = measured(4, systems=4, groups=6, metrics=1, criteria=1)
    assert items.system is not None
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 1.0, 2.0])
    exact = replace(items, scores=x[items.system][:, None], human=y[items.system][:, None])
    found = next(one for one in figures(exact) if one.coefficient == coefficient)
    assert (found.estimate, found.low, found.high) == (0, 0, 0)
    assert found.p == 1


def without_noise(items: MeasuredItems) -> tuple[FloatArray, FloatArray]:
    """Every item with the means of its system."""
    assert items.system is not None
    metric, criterion = means_of(items)
    return metric[items.system], criterion[items.system]


def means_of(items: MeasuredItems) -> tuple[FloatArray, FloatArray]:
    metric, criterion = (ColumnMeans.of(items, values[:, 0]) for values in (items.scores, items.human))
    return metric.means, criterion.means


def test_freed_of_noise_a_correlation_is_further_from_that_of_noise_alone() -> None:
    """Means of few items correlate less than true means, and as much as their noise if those do not."""
    design = Design("continuous", 0.2, 0.7, 20, 30)
    pair = pair_of(design.simulate(np.random.default_rng(1))[0])
    alone = pair.by_noise_alone
    assert alone > 0
    freed = pair.without_noise(np.array([alone, alone + 0.1, alone - 0.1]))
    assert freed[0] == pytest.approx(0)
    assert freed[1] == pytest.approx(-freed[2])
    assert freed[1] > 0.1


@pytest.mark.parametrize("factor", [1e200, 1e-200])
def test_the_unit_of_a_metric_does_not_matter(factor: float) -> None:
    items = measured(3, systems=6, groups=10, metrics=1, criteria=1)
    for one, other in zip(figures(items), figures(replace(items, scores=items.scores * factor)), strict=True):
        assert (one.low, one.high, one.p) == pytest.approx((other.low, other.high, other.p))
        assert one.new_systems_p == pytest.approx(other.new_systems_p)


def test_items_without_groups_are_the_units() -> None:
    items = measured(3, systems=6, groups=10, metrics=1, criteria=1)
    alone = replace(ungrouped(items), system=items.system, systems=items.systems)
    assert {one.interval_method.partition(":")[2] for one in figures(alone)} == {"items"}
    # Each item tells of the noise of its own system alone, whose mean takes one degree of freedom.
    assert pair_of(alone).df("items") == 6 * 10 - 6
    assert pair_of(items).df("groups") == 10 - 1


def test_the_estimate_is_that_of_the_means() -> None:
    items = measured(3, systems=6, groups=10)
    for coefficient in COEFFICIENTS:
        plain = correlations(items, "system", coefficient).estimate
        found = [one.estimate for one in figures(items) if one.coefficient == coefficient]
        assert found == pytest.approx(list(plain.T.ravel()))


@pytest.mark.parametrize("systems", [6, 10])
def test_intervals_hold_the_truth_of_these_and_of_new_systems_about_95_times_in_a_hundred(
    systems: int,
) -> None:
    """The percentile interval over groups held it in 82% of studies, and that of new systems in 75%."""
    sides: dict[str, list[float]] = {}
    for seed in range(60):
        for key, side, _ in missed(Design("skewed 1–5", 0.4, 0.7, systems, 30), seed, 120):
            sides.setdefault(key, []).append(side)
    for key, found in sides.items():
        assert np.nanmean(np.array(found) == 0) > 0.86, key
