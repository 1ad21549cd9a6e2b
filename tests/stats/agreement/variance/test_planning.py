"""How many raters and items a study needs, and what the answer takes for granted."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.agreement.variance.pilot import PilotError, pilot_components
from scoring.stats.agreement.variance.planning import (
    ComponentRanges,
    Prices,
    Range,
    plan,
    raters_needed,
    reliability_of_mean,
)
from scoring.stats.base.resampling import Resampling
from tests.stats.samples import likert, long_form, ratings_of

VARIANCE = st.floats(0.01, 10)
COMPONENTS = st.builds(Components, VARIANCE, VARIANCE, VARIANCE)
KNOWN = ComponentRanges(Range.at(1.0), Range.at(0.2), Range.at(0.8))
RESAMPLING = Resampling(replicates=50, seed=1)


@given(COMPONENTS, st.floats(0.05, 0.99))
def test_the_raters_needed_reach_the_target_and_one_fewer_does_not(components, target):
    k = raters_needed(components, target)
    assert k is not None
    assert reliability_of_mean(components, k) >= target - 1e-9
    assert k == 1 or reliability_of_mean(components, k - 1) < target + 1e-9


@given(COMPONENTS, st.integers(1, 50))
def test_more_raters_follow_spearman_and_brown(components, k):
    single = reliability_of_mean(components, 1)
    assert reliability_of_mean(components, k) == pytest.approx(k * single / (1 + (k - 1) * single))


def test_without_item_variance_no_number_of_raters_is_enough():
    assert raters_needed(Components(0.0, 1.0, 1.0), 0.8) is None
    ranges = ComponentRanges(Range(0.0, 1.0), Range.at(0.1), Range.at(1.0))
    found = plan(ranges, items=[10], raters=[3], target=0.8, seed=1, simulations=20)
    assert (found.raters_needed, found.reason) == (None, "no_item_variance")


def test_a_target_beyond_reach_says_so():
    weak = ComponentRanges(Range.at(1e-6), Range.at(0.0), Range.at(1.0))
    assert plan(weak, items=[10], raters=[3], target=0.9, seed=1, simulations=20).reason == "out_of_reach"


def test_the_widths_are_those_of_simulated_ratings():
    rng = np.random.default_rng(5)
    widths: dict[str, list[float]] = {"icc1k": [], "icc2k": []}
    for _ in range(400):
        item = rng.normal(0, 1, (40, 1))
        crossed = item + rng.normal(0, math.sqrt(0.2), (1, 4)) + rng.normal(0, math.sqrt(0.8), (40, 4))
        nested = item + rng.normal(0, 1, (40, 4))
        for values, key, figures in (
            (crossed, "icc2k", two_way_figures),
            (nested, "icc1k", one_way_figures),
        ):
            found = next(
                one for one in figures(ratings_of(long_form(values)), RESAMPLING) if one.coefficient == key
            )
            widths[key].append(found.high - found.low)
    (row,) = plan(KNOWN, items=[40], raters=[4], target=0.8, seed=1, simulations=2000).rows
    assert row.width_different_raters is not None
    assert row.width_same_raters is not None
    assert row.width_different_raters.low == pytest.approx(np.median(widths["icc1k"]), rel=0.1)
    assert row.width_same_raters.low == pytest.approx(np.median(widths["icc2k"]), rel=0.1)


def test_more_items_make_the_interval_narrower_and_cost_more():
    prices = Prices(Range.at(0.1), Range(20, 40))
    few, many = plan(KNOWN, items=[20, 200], raters=[5], target=0.8, prices=prices, seed=1).rows
    assert many.width_different_raters is not None
    assert few.width_different_raters is not None
    assert many.width_different_raters.high < few.width_different_raters.low
    assert (few.ratings, many.ratings) == (100, 1000)
    assert many.cost == Range.at(100.0)
    assert many.hours is not None
    assert (many.hours.low, many.hours.high) == pytest.approx((1000 * 20 / 3600, 1000 * 40 / 3600))


def test_ranges_run_over_all_that_the_components_allow():
    ranges = ComponentRanges(Range(0.5, 1.5), Range(0.1, 0.3), Range(0.6, 1.0))
    found = plan(ranges, items=[30], raters=[3], target=0.8, seed=1, simulations=50)
    inside = [
        Components(item, rater, residual)
        for item in (0.5, 1.5)
        for rater in (0.1, 0.3)
        for residual in (0.6, 1.0)
    ]
    values = [reliability_of_mean(one, 3) for one in inside]
    needed = [raters_needed(one, 0.8) or 0 for one in inside]
    (row,) = found.rows
    assert row.reliability == Range(min(values), max(values))
    assert found.raters_needed == (min(needed), max(needed))


def test_the_assumptions_are_part_of_the_plan_and_the_seed_of_the_assumptions():
    found = plan(KNOWN, items=[20], raters=[2], target=0.7, seed=17, assumptions=["from the pilot"])
    assert found.assumptions[0] == "from the pilot"
    assert any("seed 17" in assumption for assumption in found.assumptions)
    assert found == plan(KNOWN, items=[20], raters=[2], target=0.7, seed=17, assumptions=["from the pilot"])


def test_one_rater_has_a_reliability_without_interval():
    (row,) = plan(KNOWN, items=[20], raters=[1], target=0.7, seed=1).rows
    assert row.reliability == Range.at(0.5)
    assert (row.width_different_raters, row.width_same_raters) == (None, None)


@pytest.mark.parametrize("change", [{"items": [1]}, {"raters": [0]}, {"target": 1.0}])
def test_impossible_designs_are_refused(change):
    with pytest.raises(ValueError, match=r"design needs|target"):
        plan(KNOWN, **{"items": [10], "raters": [2], "target": 0.8, "seed": 1, **change})


@pytest.mark.parametrize("limits", [(2.0, 1.0), (math.nan, 1.0), (0.0, math.inf)])
def test_a_range_that_is_none_is_refused(limits):
    with pytest.raises(ValueError, match="range"):
        Range(*limits)


def test_negative_or_no_variances_are_refused():
    with pytest.raises(ValueError, match="below 0"):
        ComponentRanges(Range(-0.1, 1.0), Range.at(0.0), Range.at(1.0))
    with pytest.raises(ValueError, match="at least one variance above 0"):
        ComponentRanges(Range.at(0.0), Range.at(0.0), Range.at(0.0))


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_crossed_pilot_gives_back_its_own_reliability(missing):
    ratings = ratings_of(long_form(likert(3, 60, 5, missing=missing)))
    pilot = pilot_components(ratings, RESAMPLING)
    icc2 = next(one for one in two_way_figures(ratings, RESAMPLING) if one.coefficient == "icc2")
    assert reliability_of_mean(pilot.estimate, 1) == pytest.approx(icc2.estimate)
    assert reliability_of_mean(pilot.ranges.worst, 1) == pytest.approx(icc2.low, abs=1e-6)
    assert reliability_of_mean(pilot.ranges.best, 1) == pytest.approx(icc2.high, abs=1e-6)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_pilot_of_slots_gives_back_its_own_reliability(missing):
    ratings = ratings_of(long_form(likert(4, 60, 5, missing=missing)), identified=False)
    pilot = pilot_components(ratings, RESAMPLING)
    icc1 = one_way_figures(ratings, RESAMPLING)[0]
    assert reliability_of_mean(pilot.estimate, 1) == pytest.approx(icc1.estimate)
    assert pilot.estimate.rater == 0
    assert "one-way" in pilot.assumptions[0]


def test_a_pilot_without_overlap_is_refused_with_the_reason():
    with pytest.raises(PilotError) as refusal:
        pilot_components(ratings_of(long_form([[3.0, np.nan], [np.nan, 4.0]])), RESAMPLING)
    assert refusal.value.code == "no_overlap"
