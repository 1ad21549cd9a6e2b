"""Intervals for new raters: what they hold for, when there are none, and what they say of themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_studies import Population
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.new_raters.limits import Drawable, Replicates, Transform, limits_for_new_raters
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


def test_a_value_that_one_item_decides_has_no_limits_and_ends_nothing():
    """Samples without the item that all rate 100 have an α near 0, far from the estimate near 1."""
    values = np.random.default_rng(0).integers(1, 3, (40, 6)).astype(float)
    values[0] = 100
    table = RatingsTable.from_frame(long_form(values), identified=True)
    found = figures_of(table)
    interval = found["alpha", "interval"]
    assert (interval.interval_method, math.isnan(interval.low)) == ("none:no_limits_in_range", True)
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
    assert all(one[key].low != other[key].low for key in one)


def test_a_figure_says_how_its_interval_was_made_and_what_to_be_careful_with():
    few = figures_of(table_of(20, 5))["ac2", "quadratic"]
    assert few.interval_method == "pigeonhole-bootstrap-t:items+raters"
    assert "|replicates:200|undefined:0|seed:3|df:" in few.signature
    assert cautions_of(few.signature) == ("few_items", "few_raters")
    many = figures_of(table_of(40, 10))["ac2", "quadratic"]
    assert cautions_of(many.signature) == ()
    grouped = figures_of(table_of(40, 10, group=0.5, items_a_group=4))["ac2", "quadratic"]
    assert grouped.interval_method == "pigeonhole-bootstrap-t:groups+raters"
    assert cautions_of(grouped.signature) == ("few_groups",)


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
    replicates = Replicates(0.5 + 3**0.5 * noise[0], 0.5 + noise[0], 0.5 + noise[1])
    of, transform = Drawable("items", 41, 30), Transform("share")
    found = limits_for_new_raters(0.5, transform, replicates, of, Resampling(4000, 1))
    of_items, of_raters = 0.02**2 * 41 / 40, 0.02**2 * 30 / 29
    df = (of_items + of_raters) ** 2 / (of_items**2 / 40 + of_raters**2 / 29)
    half = scipy.stats.t.ppf(0.975, df) * math.sqrt(of_items) * transform.slope(0.5)
    assert transform.forth(found.high) == pytest.approx(half, rel=1e-9)
    assert transform.forth(found.low) == pytest.approx(-half, rel=1e-9)


@given(st.sampled_from(["to_one", "share", "correlation"]), st.floats(0.01, 0.99))
def test_a_transform_is_undone_and_has_its_slope(kind, value):
    transform = Transform(kind)
    assert transform.back(transform.forth(value)) == pytest.approx(value, abs=1e-12)
    step = (transform.forth(value + 1e-6) - transform.forth(value - 1e-6)) / 2e-6
    assert transform.slope(value) == pytest.approx(step, rel=1e-4)
