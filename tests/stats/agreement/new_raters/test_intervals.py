"""Intervals for new raters: what they hold for, when there are none, and what they say of themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.simulated_studies import Population
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.new_raters.limits import (
    Drawable,
    Limited,
    Replicates,
    Transform,
    limits_for_new_raters,
)
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable
from tests.stats.samples import long_form

SEVERE = Population(1.0, 1.0, 0.5)


def table_of(items: int, raters: int, *, seed: int = 1, identified: bool = True, **changes) -> RatingsTable:
    population, rng = replace(SEVERE, **changes), np.random.default_rng(seed)
    frame = population.rate(rng, items, population.draw_raters(rng, raters))
    return RatingsTable.from_frame(frame, identified=identified, scales={"quality": (1, 5)})


def figures_of(table: RatingsTable, *, seed: int = 3, replicates: int = 200):
    found = figures_for_new_raters(table, seed=seed, replicates=replicates).figures
    return {(one.coefficient, one.variant.split(",")[0]): one for one in found}


def test_estimates_and_variants_are_those_of_the_report():
    table = table_of(40, 6)
    report = {
        (one.coefficient, one.variant): one for one in reliability(table, seed=3, replicates=50).figures
    }
    found = figures_for_new_raters(table, seed=3, replicates=50).figures
    assert len(found) == 10
    for one in found:
        same = report[one.coefficient, one.variant]
        assert (one.estimate, one.n_items, one.n_raters) == (same.estimate, same.n_items, same.n_raters)


def test_a_value_that_one_item_decides_may_be_anything():
    """Samples without the item that all rate 100 have an α near 0, far from the estimate near 1."""
    values = np.random.default_rng(0).integers(1, 3, (40, 6)).astype(float)
    values[0] = 100
    table = RatingsTable.from_frame(long_form(values), identified=True)
    found = figures_of(table)
    interval = found["alpha", "interval"]
    assert (interval.low, interval.high) == pytest.approx((-1 / 5, 1), abs=0.01)
    assert math.isfinite(found["alpha", "ordinal"].low)


def test_raters_who_differ_in_severity_make_the_intervals_wider_than_those_for_the_same_raters():
    table = table_of(200, 6)
    report = {one.coefficient: one for one in reliability(table, seed=3, replicates=200).figures}
    for key, one in figures_of(table).items():
        if key[0] in {"ac2", "kappa_n", "within_one", "alpha"} and one.variant != "ordinal":
            assert one.high - one.low > 2 * (report[key[0]].high - report[key[0]].low), key


def test_the_same_seed_gives_the_same_figures_and_another_seed_others():
    table = table_of(30, 5)
    one, again, other = figures_of(table), figures_of(table), figures_of(table, seed=4)
    assert one == again
    assert all(one[key].high != other[key].high for key in one)


def test_a_figure_says_how_its_interval_was_made_and_what_to_be_careful_with():
    few = figures_of(table_of(16, 5))
    ac2 = few["ac2", "quadratic"]
    assert ac2.interval_method == "pigeonhole-jackknife-t:items+raters"
    assert "|replicates:200|undefined:1|seed:3|df:" in ac2.signature
    assert cautions_of(ac2.signature) == ("few_items", "few_raters", "edge_of_range")
    many = figures_of(table_of(20, 11))["ac2", "quadratic"]
    assert cautions_of(many.signature) == ()


HELD_OUT = {"held_out_pearson", "held_out_spearman"}


@pytest.mark.parametrize(
    ("groups", "expected"),
    [(5, {"alpha", "fleiss"} | HELD_OUT), (6, HELD_OUT), (19, HELD_OUT), (20, set())],
)
def test_few_groups_are_a_caution_of_the_figures_that_were_measured_outside_with_so_few(groups, expected):
    found = figures_of(table_of(4 * groups, 11, group=0.5, items_a_group=4))
    assert {one.interval_method for one in found.values()} == {"pigeonhole-jackknife-t:groups+raters"}
    cautioned = {key[0] for key, one in found.items() if "few_groups" in cautions_of(one.signature)}
    assert cautioned == expected


def test_few_ungrouped_ratings_are_no_caution_of_alpha_as_its_intervals_were_measured_inside():
    found = figures_of(table_of(20, 4))
    assert {cautions_of(one.signature) for key, one in found.items() if key[0] == "alpha"} == {()}


@pytest.mark.parametrize(
    ("raters", "expected"),
    [
        (4, {"ac1", "ac2", "kappa_n", "exact", "within_one"} | HELD_OUT),
        (5, {"ac1", "ac2", "kappa_n", "exact", "within_one"}),
        (9, {"ac1", "ac2", "kappa_n", "exact", "within_one"}),
        (10, {"ac2", "kappa_n", "within_one"}),
        (11, set()),
    ],
)
def test_few_raters_are_a_caution_of_the_coefficients_whose_coverage_was_measured_outside(raters, expected):
    found = figures_of(table_of(40, raters))
    cautioned = {key[0] for key, one in found.items() if "few_raters" in cautions_of(one.signature)}
    assert cautioned == expected


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (table_of(30, 3), "too_few_raters"),
        (table_of(4, 8), "too_few_items"),
        (table_of(30, 5, identified=False), "anonymous_raters"),
        (table_of(30, 3, identified=False), "anonymous_raters"),
        (table_of(16, 5, group=0.5, items_a_group=4), "too_few_groups"),
    ],
)
def test_too_little_to_draw_from_leaves_the_estimate_and_gives_the_reason(table, reason):
    found = figures_of(table)["exact", ""]
    assert math.isfinite(found.estimate)
    assert (found.interval_method, math.isnan(found.low)) == (f"none:{reason}", True)


def test_exact_agreement_has_the_interval_of_one_value():
    frame = Population(1.0, 0.0, 0.0).rate(np.random.default_rng(1), 30, np.zeros(5))
    found = figures_of(RatingsTable.from_frame(frame, scales={"quality": (1, 5)}))
    assert {(one.estimate, one.low, one.high) for one in found.values()} == {(1.0, 1.0, 1.0)}


def test_error_of_single_ratings_counts_once():
    """Owen (2007): the variance of both has it three times, that of items and that of raters once each."""
    noise = np.random.default_rng(2).normal(0, 0.02, (2, 4000))
    noise /= noise.std(axis=1, ddof=1)[:, None] / 0.02
    both, units, raters = 0.5 + 3**0.5 * noise[0], 0.5 + noise[0], 0.5 + noise[1]
    without_units, without_raters = (
        0.5 + 0.02 / (n - 1) ** 0.5 * np.tile([-1.0, 1.0], n // 2) for n in (40, 30)
    )
    replicates = Replicates(both, units, raters, without_units, without_raters)
    of = Limited(0.5, Transform("share"), 0.0)
    found = limits_for_new_raters(of, replicates, Drawable("items", 40, 30), Resampling(4000, 1))
    df = 4 / (1 / 39 + 1 / 29)
    half = scipy.stats.t.ppf(0.975, df) * 0.02 * of.scale.slope(0.5)
    assert of.scale.forth(found.high) == pytest.approx(half, rel=1e-9)
    assert of.scale.forth(found.low) == pytest.approx(-half, rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "part"), [("intraclass", 1 / 2), ("correlation", 1 / 2), ("share", 1), ("disagreement", 1)]
)
def test_degrees_of_freedom_of_alpha_kappa_and_correlations_are_of_the_parts_that_are_counted(kind, part):
    """Half of the raters' part is in the items' part too: α and correlations count it once here as well."""
    noise = np.random.default_rng(2).normal(0, 0.02, 4000)
    noise *= 0.02 / noise.std(ddof=1)
    both, alone = 0.5 + 1.5**0.5 * noise, 0.5 + 0.5**0.5 * noise
    without_units, without_raters = (
        0.5 + 0.02 / (n - 1) ** 0.5 * np.tile([-1.0, 1.0], n // 2) for n in (40, 30)
    )
    replicates = Replicates(both, alone, alone, without_units, without_raters)
    of = Limited(0.5, Transform(kind, 4.0), -0.3)
    found = limits_for_new_raters(of, replicates, Drawable("items", 40, 30), Resampling(4000, 1))
    df = (1 + part) ** 2 / (1 / 39 + part**2 / 29)
    assert f"|df:{df:.1f}" in found.settings


def test_limits_keep_to_the_range_of_the_coefficient():
    """Four raters who share nothing: α is at least −1/3, and agreement beyond chance has an end too."""
    values = np.random.default_rng(0).integers(1, 6, (6, 4)).astype(float)
    table = RatingsTable.from_frame(long_form(values), identified=True, scales={"quality": (1, 5)})
    found = figures_of(table)
    least = {"alpha": -1 / 3, "fleiss": -1 / 3, "ac1": -1 / 4, "ac2": -3.0, "kappa_n": -3.0}
    for key, one in found.items():
        if math.isfinite(one.low):
            assert least.get(key[0], 0.0) - 1e-12 <= one.low <= one.high <= 1, key
    assert found["ac2", "quadratic"].low == pytest.approx(-3)
    assert "edge_of_range" in cautions_of(found["ac2", "quadratic"].signature)


def test_limits_of_alpha_are_around_the_estimate_less_its_bias_on_fishers_scale():
    """Few groups make expected disagreement too small, and each left out shows by how much."""
    without_units, without_raters = 0.4 + np.array([0.0, 0.02] * 5), 0.4 + np.array([-0.1, 0.1] * 3)
    still = np.full(10, 0.4)
    replicates = Replicates(still, still, still, without_units, without_raters)
    of = Limited(0.4, Transform("intraclass", 6.0), -0.2)
    found = limits_for_new_raters(of, replicates, Drawable("groups", 10, 6), Resampling(10, 1))
    middle = (of.scale.forth(found.low) + of.scale.forth(found.high)) / 2
    bias = 9 * 0.01
    assert middle == pytest.approx(np.log(3 / 0.6) - bias * 6 / (3 * 0.6), rel=1e-9)


def test_an_estimate_below_the_range_of_its_scale_has_no_limits():
    values = 0.1 * np.random.default_rng(0).normal(size=20) - 0.3
    replicates = Replicates(values, values, values, values, values)
    of = Limited(-0.3, Transform("intraclass", 5.0), -0.25)
    found = limits_for_new_raters(of, replicates, Drawable("items", 20, 20), Resampling(20, 1))
    assert found.reason == "no_limits_in_range"


@given(
    st.sampled_from(["intraclass", "to_one", "disagreement", "share", "correlation"]), st.floats(0.01, 0.99)
)
def test_a_transform_is_undone_and_has_its_slope(kind, value):
    undone_with_its_slope(Transform(kind, 4.0), value)


@given(st.floats(-0.32, 0.99), st.floats(1, 5))
def test_the_scale_of_items_in_groups_is_undone_and_has_its_slope_on_both_sides_of_0(value, alike):
    assume(abs(value) > 1e-5)
    undone_with_its_slope(Transform("intraclass", 4.0, alike), value)


def undone_with_its_slope(transform: Transform, value: float) -> None:
    assert transform.back(transform.forth(value)) == pytest.approx(value, abs=1e-12)
    step = (transform.forth(value + 1e-6) - transform.forth(value - 1e-6)) / 2e-6
    assert transform.slope(value) == pytest.approx(step, rel=1e-4)


def test_the_two_sides_of_the_scale_meet_at_0_with_one_slope():
    scale = Transform("intraclass", 4.0, 2.0)
    assert (scale.forth(0.0), scale.back(0.0)) == (0.0, 0.0)
    assert scale.slope(-1e-12) == pytest.approx(scale.slope(0.0)) == pytest.approx(8.0)


def test_items_of_a_group_move_the_limits_of_alpha_upwards():
    """Few groups that happen to be alike make α too low: on their scale the upper limit is further away."""
    grouped, alone = (Limited(0.3, Transform("intraclass", 4.0, alike), -1 / 3) for alike in (2.0, 1.0))
    without_units, without_raters = 0.3 + np.array([-0.02, 0.02] * 5), 0.3 + np.array([-0.01, 0.01] * 3)
    still = np.full(10, 0.3)
    replicates = Replicates(still, still, still, without_units, without_raters)
    drawable = Drawable("groups", 10, 6)
    found, before = (
        limits_for_new_raters(one, replicates, drawable, Resampling(10, 1)) for one in (grouped, alone)
    )
    assert found.low > before.low
    assert found.high > before.high


def test_alpha_of_grouped_items_below_0_has_limits_as_that_of_single_items():
    """A scale of so many ratings that are alike would end at −1/15, where α of four raters may be −1/3."""
    scale = Transform("intraclass", 4.0, 2.0)
    assert math.isfinite(scale.slope(-0.3))
    assert scale.back(scale.forth(-0.3)) == pytest.approx(-0.3)
    assert math.isnan(scale.slope(-0.34))


def test_limits_that_leave_out_the_estimate_are_none():
    """Two raters of each half: α is at its least, where the error vanishes and the bias does not."""
    generator = np.random.default_rng(0)
    values = np.array([generator.permutation([1.0, 1.0, 2.0, 2.0]) for _ in range(20)])
    table = RatingsTable.from_frame(long_form(values), scales={"quality": (1, 2)})
    alpha = figures_of(table)["alpha", "ordinal"]
    assert alpha.interval_method == "none:no_limits_in_range"
    assert math.isnan(alpha.low)
