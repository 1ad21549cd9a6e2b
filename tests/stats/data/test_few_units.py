"""Few items or groups to resample: no interval below five, then a caution up to the measured threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.brennan_prediger import kappa_n
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet
from scoring.stats.agreement.variance.icc import one_way_figures
from scoring.stats.base.cautions import at_mean_k, cautions_of
from scoring.stats.base.resampling import FEW_TO_RESAMPLE, Resampling
from scoring.stats.base.result import Figure
from scoring.stats.metrics.comparing.comparison import compare_metrics
from scoring.stats.metrics.comparing.systems import compare_all_systems
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from tests.stats.measured_samples import measured, ungrouped
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=60, seed=1)


def resampled(items: int, groups: int | None = None) -> list[Figure]:
    """Figures whose interval is a bootstrap, of unequally many ratings an item."""
    values = likert(1, items, 4, error_sd=0.4)
    values[0] = [1, 5, np.nan, np.nan]
    frame = long_form(values)
    if groups is not None:
        frame["group"] = [f"g{int(label.split()[1]) % groups}" for label in frame["item"]]
    ratings = ratings_of(frame)
    figures = [alpha(ratings, "interval", limits) for limits in (QUICK, Resampling(60, 1, limits="bca"))]
    figures += [fleiss(ratings, QUICK), gwet(ratings, "quadratic", QUICK), kappa_n(ratings, QUICK)]
    return [*figures, *one_way_figures(ratings, QUICK)]


@pytest.mark.parametrize("units", [2, 3, 4])
def test_resamples_of_two_to_four_items_or_groups_bound_nothing(units):
    for figures, reason in (
        (resampled(units), "too_few_items"),
        (resampled(12, units), "too_few_groups"),
    ):
        assert {one.interval_method for one in figures} == {f"none:{reason}"}
        assert all(math.isfinite(one.estimate) and math.isnan(one.low) for one in figures)


@pytest.mark.parametrize(("units", "few"), [(5, True), (FEW_TO_RESAMPLE - 1, True), (FEW_TO_RESAMPLE, False)])
def test_an_interval_from_few_items_or_groups_names_its_caution(units, few):
    for figures, caution in (
        (resampled(units), "few_items"),
        (resampled(2 * units, units), "few_groups"),
    ):
        assert all(math.isfinite(one.low) for one in figures)
        assert {caution in cautions_of(one.signature) for one in figures} == {few}


def test_correlations_of_metrics_keep_the_same_rules():
    few = evaluate_metrics(measured(1, groups=4), replicates=50, seed=1).figures
    assert {one.interval_method for one in few} == {"none:too_few_groups"}
    some = evaluate_metrics(measured(1, groups=6), replicates=50, seed=1).figures
    assert {cautions_of(one.signature) for one in some} == {("few_groups",)}
    alone = evaluate_metrics(ungrouped(measured(1, groups=5)), levels=["item"], replicates=50, seed=1).figures
    assert {cautions_of(one.signature) for one in alone} == {("few_items",)}
    enough = evaluate_metrics(measured(1, groups=40), replicates=50, seed=1).figures
    # The order of four systems is the same in all resamples, so that rank correlations have no width.
    assert {cautions_of(one.signature) for one in enough} == {(), ("zero_width",)}
    assert all(one.interval.low == one.interval.high for one in enough if cautions_of(one.signature))


def test_a_bootstrap_p_needs_what_an_interval_needs():
    items = measured(2, groups=4)
    assert all(math.isnan(one.p) for one in compare_all_systems(items, QUICK).differences)
    found = compare_metrics(
        items,
        "criterion 0",
        ("metric 0", "metric 1"),
        level="group",
        coefficient="pearson",
        resampling=QUICK,
    )
    assert found.interval.reason == "too_few_groups"
    assert math.isnan(found.p)


def test_other_parts_of_a_signature_are_no_cautions():
    signature = "icc2k|at-mean-k:5=0.8333|interval:F|limits:within range|flag:boundary|definitions:4"
    assert cautions_of(signature) == ("edge_of_range", "boundary")
    assert at_mean_k(signature) == (5, 0.8333)
