"""On balanced ratings, components and coefficients are those of mean squares."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from scoring.stats.agreement.generalisability.analysis import Generalisability, generalisability
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import FloatArray, Resampling
from tests.stats.agreement.generalisability.designs import DESIGNS, Simulated, simulated
from tests.stats.samples import likert, long_form, ratings_of

THREE = {"item": 1.0, "rater": 0.6, "criterion": 0.8, "item:rater": 0.4, "item:criterion": 0.4}
THREE |= {"rater:criterion": 0.4, "residual": 0.5}


def variances_of(found: Generalisability) -> dict[str, float]:
    return {one.name: one.variance for one in found.components}


def mean_squares(values: FloatArray) -> dict[frozenset[int], float]:
    """Mean square of each set of axes of a complete array."""
    effects: dict[frozenset[int], FloatArray] = {}
    for count in range(values.ndim + 1):
        for axes in map(frozenset, combinations(range(values.ndim), count)):
            others = tuple(axis for axis in range(values.ndim) if axis not in axes)
            mean = values.mean(axis=others, keepdims=True)
            effects[axes] = mean - sum(part for part_axes, part in effects.items() if part_axes < axes)
    found = {}
    for axes, effect in effects.items():
        each = values.size / effect.size
        df = np.prod([values.shape[axis] - 1 for axis in axes])
        found[axes] = float(each * (effect**2).sum() / df)
    return found


@pytest.mark.parametrize("seed", range(1, 4))
def test_three_crossed_facets_have_the_components_of_their_expected_mean_squares(seed):
    design = Simulated(seed, 25, 5, 5, criteria=4, truth=THREE)
    frame = simulated(design).sort_values(["item", "rater", "criterion"])
    shape = (25, 5, 4)
    ms = {
        "".join(sorted("irc"[axis] for axis in axes)): one
        for axes, one in mean_squares(frame["value"].to_numpy().reshape(shape)).items()
    }
    rest = ms["cir"]
    expected = {
        "residual": rest,
        "item:rater": (ms["ir"] - rest) / 4,
        "item:criterion": (ms["ci"] - rest) / 5,
        "rater:criterion": (ms["cr"] - rest) / 25,
        "item": (ms["i"] - ms["ir"] - ms["ci"] + rest) / 20,
        "rater": (ms["r"] - ms["ir"] - ms["cr"] + rest) / 100,
        "criterion": (ms["c"] - ms["ci"] - ms["cr"] + rest) / 125,
    }
    assert min(expected.values()) > 0
    assert variances_of(generalisability(frame)) == pytest.approx(expected, abs=1e-6)


def test_items_in_groups_have_the_components_of_their_expected_mean_squares():
    truth = {"item": 1.0, "rater": 0.5, "group": 1.0, "group:rater": 0.5, "residual": 0.7}
    frame = simulated(Simulated(2, 40, 6, 6, groups=8, truth=truth))
    cube = frame.sort_values(["group", "item", "rater"])["value"].to_numpy().reshape(8, 5, 6)
    ms = mean_squares(cube)
    g, i, r = (frozenset({axis}) for axis in range(3))
    # Items lie within groups: sums of squares of i and of g × i are one, as are those of i × r and g × i × r.
    item = (ms[i] * 4 + ms[g | i] * 28) / 32
    rest = (ms[i | r] * 20 + ms[g | i | r] * 140) / 160
    expected = {
        "residual": rest,
        "item": (item - rest) / 6,
        "group:rater": (ms[g | r] - rest) / 5,
        "group": (ms[g] - item - ms[g | r] + rest) / 30,
        "rater": (ms[r] - ms[g | r]) / 40,
    }
    assert min(expected.values()) > 0
    assert variances_of(generalisability(frame)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_coefficients_of_complete_ratings_are_intraclass_correlations_with_their_intervals(seed):
    frame = long_form(likert(seed, 30, 4))
    found = generalisability(frame)
    assert not found.fit.at_boundary
    figures = {one.coefficient: one for one in two_way_figures(ratings_of(frame), Resampling())}
    reading = found.readings[0]
    for ours, key in ((reading.at_hand.relative, "icc3k"), (reading.at_hand.absolute, "icc2k")):
        theirs = figures[key]
        assert (ours.value, ours.low, ours.high) == pytest.approx(
            (theirs.estimate, max(theirs.low, 0.0), theirs.high), abs=1e-6
        )
    single = reading.study[0]
    assert single.raters == 1
    assert single.same.relative.value == pytest.approx(figures["icc3"].estimate, abs=1e-6)
    assert single.same.absolute.value == pytest.approx(figures["icc2"].estimate, abs=1e-6)
    assert single.different.relative.value == pytest.approx(figures["icc2"].estimate, abs=1e-6)


def test_the_coefficients_of_incomplete_ratings_are_those_of_the_icc():
    frame = simulated(DESIGNS["incomplete"]).assign(criterion="quality")
    at_hand = generalisability(frame).readings[0].at_hand
    figures = {one.coefficient: one for one in two_way_figures(ratings_of(frame), Resampling())}
    assert at_hand.absolute.value == pytest.approx(figures["icc2k"].estimate, abs=1e-6)
    assert at_hand.relative.value == pytest.approx(figures["icc3k"].estimate, abs=1e-6)


def test_without_variance_between_raters_the_absolute_coefficient_is_near_the_one_way_one():
    frame = simulated(Simulated(3, 200, 5, 5, truth={"item": 0.5, "residual": 1.0})).assign(criterion="q")
    absolute = generalisability(frame).readings[0].at_hand.absolute
    icc1k = next(
        one for one in one_way_figures(ratings_of(frame), Resampling()) if one.coefficient == "icc1k"
    )
    assert absolute.value == pytest.approx(icc1k.estimate, abs=0.02)


def test_where_the_variance_of_raters_would_be_negative_the_absolute_coefficient_is_the_one_way_one():
    values = likert(1, 30, 4)
    frame = long_form(values - values.mean(axis=0))
    found = generalisability(frame)
    assert found.fit.at_boundary == ("rater",)
    ratings = ratings_of(frame)
    figures = [*one_way_figures(ratings, Resampling()), *two_way_figures(ratings, Resampling())]
    estimates = {one.coefficient: one.estimate for one in figures}
    absolute = found.readings[0].at_hand.absolute.value
    assert absolute == pytest.approx(estimates["icc1k"], abs=1e-6)
    assert absolute > estimates["icc2k"] + 1e-4
