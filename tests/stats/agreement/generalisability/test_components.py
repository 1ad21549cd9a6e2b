"""Variance components: their errors, what leaves them alone, what refuses them, and the truth behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.generalisability import covariance
from scoring.stats.agreement.generalisability.analysis import Generalisability, generalisability
from scoring.stats.agreement.generalisability.estimation import NotEstimated, fit_components
from scoring.stats.agreement.generalisability.facets import FacetDesign
from scoring.stats.base.resampling import FloatArray
from tests.stats.agreement.generalisability.designs import DESIGNS, TRUTH, Simulated, simulated
from tests.stats.samples import long_form

SMALL = Simulated(5, 18, 5, 3, criteria=3, groups=6, missing=0.1)


def variances_of(found: Generalisability) -> dict[str, float]:
    return {one.name: one.variance for one in found.components}


def design_of(frame: pd.DataFrame) -> FacetDesign:
    codes = {
        name: pd.factorize(frame[name])[0]
        for name in ("item", "rater", "criterion", "group")
        if name in frame
    }
    return FacetDesign.of(frame["value"].to_numpy(), codes)


def dense_covariance_of_estimates(design: FacetDesign, variances: FloatArray) -> FloatArray:
    """2 [tr(P Vᵢ P Vⱼ)]⁻¹, with all matrices formed."""
    parts = [(one.level[:, None] == one.level[None, :]).astype(float) for one in design.effects]
    inverse = np.linalg.inv(sum(v * part for v, part in zip(variances, parts, strict=True)))
    ones = inverse.sum(axis=1)
    projection = inverse - np.outer(ones, ones) / ones.sum()
    products = [projection @ part for part in parts]
    return 2 * np.linalg.inv(np.array([[np.sum(a * b.T) for b in products] for a in products]))


@pytest.mark.parametrize("most", [covariance.MOST_ACROSS, 40])
def test_errors_are_those_of_the_expected_information(most, monkeypatch):
    """With either choice of blocks: the ratings of an item, or of a group."""
    monkeypatch.setattr(covariance, "MOST_ACROSS", most)
    design = design_of(simulated(SMALL))
    fit = fit_components(design)
    assert len(fit.names) == 10
    expected = dense_covariance_of_estimates(design, fit.variances)
    assert fit.covariance == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
@settings(max_examples=6, deadline=None)
def test_a_shift_changes_nothing_and_a_unit_changes_the_unit_only(shift, unit):
    frame = simulated(SMALL)
    plain = generalisability(frame)
    moved = generalisability(frame.assign(value=shift + unit * frame["value"]))
    assert variances_of(moved) == pytest.approx(
        {name: unit**2 * one for name, one in variances_of(plain).items()}, rel=1e-5, abs=1e-6 * unit**2
    )
    for one, other in zip(plain.readings, moved.readings, strict=True):
        assert other.at_hand.relative.value == pytest.approx(one.at_hand.relative.value, abs=1e-6)
        assert other.at_hand.absolute.low == pytest.approx(one.at_hand.absolute.low, abs=1e-5)


@given(st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_names_and_the_order_of_rows_change_nothing(random):
    frame = simulated(SMALL)
    renamed = frame.copy()
    for facet in ("item", "rater", "criterion", "group"):
        names = sorted(set(frame[facet]))
        others = random.sample(names, len(names))
        renamed[facet] = frame[facet].map(dict(zip(names, others, strict=True)))
    order = random.sample(range(len(frame)), len(frame))
    assert variances_of(generalisability(renamed.iloc[order])) == pytest.approx(
        variances_of(generalisability(frame)), abs=1e-6
    )


def test_the_truth_comes_back_from_many_ratings():
    truth = {"item": 1.0, "rater": 0.5, "group": 0.5, "group:rater": 0.3, "residual": 0.8}
    found = generalisability(simulated(Simulated(1, 900, 60, 6, groups=150, truth=truth)))
    for one in found.components:
        assert one.variance == pytest.approx(truth[one.name], abs=4 * one.error)
        assert one.error < 0.2
        assert one.low < truth[one.name] < one.high


def test_a_component_at_the_boundary_is_0_and_has_an_upper_limit():
    values = np.add.outer(np.arange(12.0), np.zeros(4))
    values += np.random.default_rng(0).permuted(np.tile([0.0, 1.0, 2.0, 3.0], (12, 1)), axis=1)
    found = generalisability(long_form(values - (values.mean(axis=0) - values.mean())))
    rater = next(one for one in found.components if one.name == "rater")
    assert found.fit.at_boundary == ("rater",)
    assert (rater.variance, rater.low) == (0.0, 0.0)
    assert 0 < rater.high < 3


def test_items_that_do_not_differ_have_coefficients_of_0():
    values = np.random.default_rng(1).normal(size=(20, 4))
    found = generalisability(long_form(values - values.mean(axis=1, keepdims=True)))
    at_hand = found.readings[0].at_hand
    assert found.fit.at_boundary[0] == "item"
    assert (at_hand.relative.value, at_hand.relative.low, at_hand.absolute.value) == (0.0, 0.0, 0.0)
    assert 0 < at_hand.relative.high < 1


def test_an_interaction_that_is_another_effect_is_left_out_and_named():
    # Each rater rates the items of one group only.
    frame = simulated(DESIGNS["groups"])
    nested = frame.assign(rater=frame["group"] + frame["rater"])
    found = generalisability(nested)
    assert {one.name: one.same_as for one in found.fit.left_out} == {
        "item:rater": ("residual",),
        "group:rater": ("rater",),
    }
    assert "group:rater" not in variances_of(found)


def complete(**columns: Any) -> pd.DataFrame:
    return simulated(Simulated(1, 10, 4, 4)).assign(**columns)


REFUSED = {
    "constant_ratings": complete(value=3.0),
    "too_few_items": complete(item="one"),
    "too_few_raters": complete(rater="one"),
    "too_few_groups": complete(group=[f"group {row % 2}" for row in range(40)]),
    "unsuitable_unit": complete(value=np.arange(40.0) * 1e200),
    "no_residual_variance": long_form(np.add.outer(np.arange(10.0), np.array([0.0, 1.0, 1.5, 3.0]))),
}


@pytest.mark.parametrize("code", REFUSED)
def test_ratings_without_components_are_refused_with_the_reason(code):
    with pytest.raises(NotEstimated) as caught:
        generalisability(REFUSED[code])
    assert caught.value.code == code


@pytest.mark.parametrize("unit", [1e-300, 1e-100, 1e100])
def test_ratings_whose_squared_variances_are_no_numbers_are_refused(unit):
    """They ended in a traceback, or as if no residual were left."""
    ratings = simulated(Simulated(1, 10, 4, 4))
    with pytest.raises(NotEstimated) as caught:
        generalisability(ratings.assign(value=ratings["value"] * unit))
    assert caught.value.code == "unsuitable_unit"


@pytest.mark.parametrize("unit", [2.0**-200, 2.0**200])
def test_in_other_units_the_coefficients_are_the_same(unit):
    ratings = simulated(Simulated(1, 10, 4, 4))
    plain, other = (generalisability(ratings.assign(value=ratings["value"] * factor)) for factor in (1, unit))
    assert other.readings[0].at_hand.absolute.low == pytest.approx(plain.readings[0].at_hand.absolute.low)
    assert [one.high / unit**2 for one in other.components] == pytest.approx(
        [one.high for one in plain.components]
    )


def test_scoring_steps_that_jump_from_side_to_side_of_the_maximum_end_at_it():
    """With 86 ratings for ten components whole steps overshoot by as much as they began with."""
    truth = dict(zip(TRUTH, (0.73, 0.70, 0.22, 0.47, 0.55, 0.41, 0.23, 0.77, 0.16, 0.37), strict=True))
    ratings = simulated(Simulated(1371, 33, 20, 2, criteria=2, groups=6, missing=0.3, truth=truth))
    found = generalisability(ratings).fit
    assert len(found.names) == 10
    assert found.log_likelihood == pytest.approx(-162.690636, abs=1e-6)  # As lmer of R's lme4 has it


def one_rater_an_item() -> pd.DataFrame:
    return long_form(np.where(np.eye(4)[np.arange(20) % 4] > 0, np.arange(20.0)[:, None], np.nan))


def raters_of_their_own() -> pd.DataFrame:
    frame = complete()
    return frame.assign(rater=frame["item"] + frame["rater"])


def groups_that_are_items() -> pd.DataFrame:
    frame = complete()
    return frame.assign(group=frame["item"])


@pytest.mark.parametrize("frame", [one_rater_an_item(), raters_of_their_own(), groups_that_are_items()])
def test_facets_that_the_ratings_do_not_separate_are_refused_by_name(frame):
    with pytest.raises(NotEstimated, match=r"item|rater") as caught:
        generalisability(frame)
    assert caught.value.code == "confounded"


def test_exact_agreement_is_refused():
    with pytest.raises(NotEstimated) as caught:
        generalisability(long_form(np.repeat(np.arange(8.0)[:, None], 3, axis=1)))
    assert caught.value.code == "no_residual_variance"


def test_too_many_levels_for_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr(covariance, "MOST_ACROSS", 2)
    with pytest.raises(NotEstimated) as caught:
        generalisability(complete())
    assert caught.value.code == "too_many_items"
