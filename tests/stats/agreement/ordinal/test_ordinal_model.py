"""What the model says of systems and raters: truth is recovered, and what cannot be estimated is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scoring.stats.agreement.ordinal.adjusted_means import adjusted_means
from scoring.stats.agreement.ordinal.few_levels import FewLevels
from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from tests.stats.agreement.ordinal.designs import DESIGNS, Simulated, simulated


def test_in_a_complete_design_adjusted_means_are_near_the_plain_ones() -> None:
    model = ordinal_model(simulated(DESIGNS["complete"]))
    adjusted = [one.value for one in model.adjusted.means]
    assert adjusted == pytest.approx(list(model.plain), abs=0.08)


def test_a_system_that_severe_raters_rated_is_adjusted_upwards() -> None:
    ratings = simulated(Simulated(20, 300, 12, 6, systems=2, step=0.0, deviations=(0.6, 1.5, 0.0)))
    mean = ratings.groupby("rater")["value"].mean()
    severe = ratings["rater"].isin(mean.nsmallest(6).index)
    # Raters of each half rate one system more often than the other.
    chance = np.random.default_rng(0).uniform(size=len(ratings))
    often = severe == (ratings["system"] == "system 0")
    model = ordinal_model(ratings[often | (chance < 0.25)])
    low, high = model.plain
    adjusted = [one.value for one in model.adjusted.means]
    assert high - low > 0.5
    assert abs(adjusted[1] - adjusted[0]) < 0.25


def test_severities_follow_the_order_of_the_truth() -> None:
    ratings = simulated(Simulated(21, 200, 10, 10, deviations=(1.0, 1.0, 0.0)))
    model = ordinal_model(ratings)
    by_mean = ratings.groupby("rater")["value"].mean().sort_values().index
    assert [one.rater for one in model.raters] == list(by_mean)
    for one in model.raters:
        assert one.severity is not None
        assert one.severity.low < one.severity.value < one.severity.high


def test_intervals_of_differences_are_widened_for_more_than_two_systems() -> None:
    five = ordinal_model(simulated(DESIGNS["groups"])).adjusted
    two = ordinal_model(simulated(DESIGNS["skewed"])).adjusted
    assert (len(five.contrasts), len(two.contrasts)) == (10, 1)
    assert 2.6 < five.critical_value < 2.8
    assert two.critical_value == pytest.approx(1.96, abs=0.01)
    assert all(
        (one.p < 0.05) == (one.difference.low > 0 or one.difference.high < 0) for one in five.contrasts
    )


@pytest.mark.parametrize("design", ["skewed", "groups"])
def test_a_difference_has_a_p_below_the_level_exactly_where_its_interval_leaves_0_out(design: str) -> None:
    """Of two systems both are those of t; of more both come from the same draws."""
    fit = ordinal_model(simulated(DESIGNS[design])).fit
    systems, values = len(fit.parameters.fixed) + 1, np.arange(1.0, len(fit.parameters.thresholds) + 2)
    levels = FewLevels((np.eye(systems) / 25,), (24,), (25,))
    pairs = [one for one in adjusted_means(fit, values, levels).contrasts if 1e-4 < one.p < 0.9]
    assert pairs
    for pair in pairs:
        for level, excluded in ((pair.p * (1 + 1e-6), True), (pair.p * (1 - 1e-6), False)):
            again = adjusted_means(fit, values, levels, confidence=1 - level).contrasts
            found = next(
                one.difference for one in again if (one.first, one.second) == (pair.first, pair.second)
            )
            assert (found.low > 0 or found.high < 0) == excluded


@pytest.mark.parametrize("unit", [2.0**660, 2.0**-990])
def test_the_unit_of_the_values_changes_no_interval(unit: float) -> None:
    ratings = simulated(DESIGNS["skewed"])
    plain, other = (
        ordinal_model(ratings.assign(value=ratings["value"] * factor)).adjusted for factor in (1.0, unit)
    )
    for one, again in zip(plain.means, other.means, strict=True):
        assert (again.low / unit, again.high / unit) == pytest.approx((one.low, one.high))
    (pair,), (moved,) = plain.contrasts, other.contrasts
    assert (moved.p, moved.difference.low / unit) == pytest.approx((pair.p, pair.difference.low))


def test_the_same_seed_gives_the_same_intervals() -> None:
    fit = ordinal_model(simulated(DESIGNS["groups"])).fit
    values, levels = np.arange(1.0, 6.0), FewLevels((np.eye(5) / 25,), (120,), (125,))
    assert adjusted_means(fit, values, levels, seed=3) == adjusted_means(fit, values, levels, seed=3)
    assert adjusted_means(fit, values, levels, seed=3) != adjusted_means(fit, values, levels, seed=4)


def test_raters_whose_variance_is_estimated_as_0_have_no_severity() -> None:
    alike = Simulated(30, 40, 6, 3, deviations=(1.0, 0.0, 0.0))
    for seed in range(30, 60):
        model = ordinal_model(simulated(replace(alike, seed=seed)))
        if "raters" in model.fit.at_zero:
            assert {(one.severity, one.reason) for one in model.raters} == {(None, "no_rater_variance")}
            return
    pytest.fail("in none of these studies the variance was estimated as 0")


def test_shares_of_variance_sum_to_one() -> None:
    model = ordinal_model(simulated(DESIGNS["raters alike"]))
    assert sum(one.share for one in model.variances) == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda ratings: ratings.assign(value=3), "constant_ratings"),
        (lambda ratings: ratings.assign(value=np.arange(len(ratings)) / 7), "continuous_scale"),
        (lambda ratings: ratings[ratings["item"].isin(["item 0", "item 1"])], "too_few_items"),
        (lambda ratings: ratings[ratings["rater"].isin(["R-00", "R-01"])], "too_few_raters"),
        (
            lambda ratings: ratings.assign(value=ratings["value"].where(ratings["system"] != "system 1", 5)),
            "not_identified",
        ),
        (lambda ratings: ratings.assign(group=ratings["item"]), "not_identified"),
        (lambda ratings: ratings.assign(group=ratings["system"]), "too_few_groups"),
    ],
)
def test_what_cannot_be_estimated_is_refused_with_its_reason(change: object, code: str) -> None:
    ratings: pd.DataFrame = change(simulated(replace(DESIGNS["complete"], systems=2)))  # type: ignore[operator]
    with pytest.raises(NotFitted) as refused:
        ordinal_model(ratings)
    assert refused.value.code == code


def test_an_unused_point_of_the_scale_has_no_threshold_and_changes_nothing() -> None:
    """The thresholds around it would be one; only what the points between the others are worth remains."""
    ratings = simulated(DESIGNS["complete"])
    used = ratings[ratings["value"] != 2]
    model = ordinal_model(used)
    assert 2 not in model.values
    assert len(model.fit.parameters.thresholds) == len(model.values) - 1
    closer = used.assign(value=used["value"].where(used["value"] < 2, used["value"] - 1))
    same = ordinal_model(closer).fit
    assert model.fit.parameters.vector == pytest.approx(same.parameters.vector, abs=1e-8)
