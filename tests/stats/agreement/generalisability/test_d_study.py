"""D studies: what a design's means are worth, by formulas of the books."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest

from scoring.stats.agreement.generalisability.analysis import (
    NEW,
    ONE,
    THESE,
    Generalisability,
    Reading,
    generalisability,
)
from scoring.stats.agreement.generalisability.facets import FacetDesign
from scoring.stats.agreement.generalisability.weights import weights_at_hand
from tests.stats.agreement.generalisability.designs import DESIGNS, Simulated, simulated

CROSSED = Simulated(5, 40, 6, 6, criteria=4)


def test_several_criteria_are_read_in_both_ways_and_one_in_one():
    assert [one.criteria for one in generalisability(simulated(CROSSED)).readings] == [THESE, NEW]
    assert [one.criteria for one in generalisability(simulated(DESIGNS["complete"])).readings] == [ONE]


def test_the_coefficients_of_crossed_facets_are_brennans():
    found = generalisability(simulated(CROSSED))
    v = {one.name: one.variance for one in found.components}
    these, new = found.readings
    n, k = 8, 4
    row = {one.raters: one for one in new.study}[n]
    relative = v["item:rater"] / n + v["item:criterion"] / k + v["residual"] / (n * k)
    absolute = relative + v["rater"] / n + v["criterion"] / k + v["rater:criterion"] / (n * k)
    assert row.same.relative.value == pytest.approx(v["item"] / (v["item"] + relative))
    assert row.same.absolute.value == pytest.approx(v["item"] / (v["item"] + absolute))
    nested = relative + v["rater"] / n + v["rater:criterion"] / (n * k)
    assert row.different.relative.value == pytest.approx(v["item"] / (v["item"] + nested))
    # With these criteria only, what an item is worth on each of them is part of what it is worth.
    fixed = {one.raters: one for one in these.study}[n]
    universe = v["item"] + v["item:criterion"] / k
    error = v["item:rater"] / n + v["residual"] / (n * k)
    assert fixed.same.relative.value == pytest.approx(universe / (universe + error))
    error += v["rater"] / n + v["rater:criterion"] / (n * k)
    assert fixed.same.absolute.value == pytest.approx(universe / (universe + error))


def test_the_design_at_hand_is_its_own_d_study_if_it_is_complete():
    for reading in generalisability(simulated(CROSSED)).readings:
        planned = {one.raters: one for one in reading.study}[6].same
        assert astuple(planned.relative) == pytest.approx(astuple(reading.at_hand.relative))
        assert astuple(planned.absolute) == pytest.approx(astuple(reading.at_hand.absolute))


@pytest.mark.parametrize("name", DESIGNS)
def test_more_raters_are_never_worse_and_limits_hold_the_estimate(name):
    for reading in generalisability(simulated(DESIGNS[name])).readings:
        for one in (*reading.study, None):
            found = reading.at_hand if one is None else one.same
            for each in (found.relative, found.absolute):
                assert 0 <= each.low <= each.value <= each.high <= 1
            assert found.absolute.value <= found.relative.value
        assert_rising(reading)


def assert_rising(reading: Reading) -> None:
    for kind in ("same", "different"):
        for which in ("relative", "absolute"):
            values = [getattr(getattr(one, kind), which).value for one in reading.study]
            assert values == sorted(values)


def test_unequal_numbers_of_raters_count_by_their_harmonic_mean():
    frame = pd.DataFrame(
        {
            "item": list("aabbbb"),
            "rater": list("uvuvwx"),
            "criterion": "q",
            "value": [1.0, 2.0, 2.0, 4.0, 3.0, 5.0],
        }
    )
    codes = {name: pd.factorize(frame[name])[0] for name in ("item", "rater")}
    design = FacetDesign.of(frame["value"].to_numpy(), codes)
    weights = weights_at_hand(design, ("item", "rater", "residual"), fixed=False)
    assert weights.absolute.tolist() == [0.0, 0.375, 0.375]
    # Two of the means' raters are common: 2 · (1/2 · 1/4) is no error of their difference.
    assert weights.relative.tolist() == [0.0, 0.125, 0.375]
    assert weights.universe.tolist() == [1.0, 0.0, 0.0]
    found = generalisability(simulated(DESIGNS["incomplete"]))
    assert found.raters_per_item == pytest.approx(
        1 / np.mean(1 / simulated(DESIGNS["incomplete"]).groupby("item").size())
    )


def test_means_of_one_design_have_wider_bands_with_fewer_raters_in_the_pilot():
    truth = {"item": 1.0, "rater": 0.3, "residual": 0.8}
    widths = []
    for raters in (3, 12):
        found = generalisability(simulated(Simulated(4, 60, raters, raters, truth=truth)))
        ten = {one.raters: one for one in found.readings[0].study}[10].same.absolute
        widths.append((ten.high - ten.low) / (1 - ten.value))
    assert widths[0] > widths[1]


def rated_on_one_criterion_each(seed: int) -> Generalisability:
    """150 items, 9 raters of each, who rate it on one of 3 criteria each; each rater rates all of them."""
    frame = simulated(Simulated(seed, 150, 9, 9, criteria=3, truth=RATED_APIECE))
    numbers = [frame[facet].str[-3:].astype(int) for facet in ("item", "rater", "criterion")]
    return generalisability(frame[np.sum(numbers, axis=0) % 3 == 0])


RATED_APIECE = {"item": 1.0, "rater": 0.2, "criterion": 0.2, "item:rater": 1.0, "residual": 0.2}


def test_a_residual_that_holds_item_by_rater_is_divided_by_the_raters_alone():
    found = rated_on_one_criterion_each(1)
    assert {one.name: one.same_as for one in found.fit.left_out} == {"item:rater": ("residual",)}
    v = {one.name: one.variance for one in found.components}
    these, new = found.readings
    for n in (3, 10):
        universe = v["item"] + v["item:criterion"] / 3
        same = {one.raters: one for one in these.study}[n].same
        assert same.relative.value == pytest.approx(universe / (universe + v["residual"] / n))
        error = v["item:criterion"] / 3 + v["residual"] / n
        same = {one.raters: one for one in new.study}[n].same
        assert same.relative.value == pytest.approx(v["item"] / (v["item"] + error))


def test_the_order_of_items_with_different_raters_is_as_uncertain_as_their_values():
    """Three raters say little of how much raters differ in severity, which is an error of both."""
    truth = {"item": 1.0, "rater": 0.5, "residual": 0.5}
    found = generalisability(simulated(Simulated(3, 100, 3, 3, truth=truth)))
    for row in found.readings[0].study:
        assert astuple(row.different.relative) == pytest.approx(astuple(row.different.absolute))
        assert astuple(row.different.relative) == pytest.approx(astuple(row.same.absolute))


@pytest.mark.parametrize(
    ("design", "cautions"),
    [
        (Simulated(1, 20, 3, 3), ("few_raters",)),
        (Simulated(1, 30, 10, 10), ()),
        (Simulated(1, 30, 10, 10, groups=4), ("few_groups",)),
        (Simulated(1, 30, 10, 10, groups=10), ()),
    ],
)
def test_few_raters_and_few_groups_have_a_caution(design, cautions):
    assert generalisability(simulated(design)).cautions == cautions
