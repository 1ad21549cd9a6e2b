"""Variances of few items or raters are known badly: intervals of means and differences allow for it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

from scoring.stats.agreement.ordinal.adjusted_means import adjusted_means
from scoring.stats.agreement.ordinal.crossed_effects import Factors
from scoring.stats.agreement.ordinal.few_levels import FewLevels
from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from tests.stats.agreement.ordinal.designs import DESIGNS, simulated

SLOPES = np.ones(2)
DIFFERENCE, FIRST = np.array([1.0, -1.0]), np.array([1.0, 0.0])
# Two systems with ten items each, rated by the same four raters; variances 1 and 2.
ITEMS, RATERS = np.eye(2) / 10, np.full((2, 2), 2 / 4)
LEVELS = FewLevels((ITEMS, RATERS), (18, 3), (20, 4))


def test_a_difference_between_systems_has_the_freedom_of_their_items() -> None:
    """The raters are the same, so that a t test of two groups of ten means is what remains."""
    corrected = LEVELS.corrected(ITEMS + RATERS, SLOPES)
    assert LEVELS.degrees_of_freedom(DIFFERENCE, corrected, SLOPES) == pytest.approx(18)
    # The maximum likelihood of a variance divides by 20, its unbiased estimate by 18.
    assert DIFFERENCE @ corrected @ DIFFERENCE == pytest.approx(2 / 10 * 20 / 18)


def test_a_mean_has_hardly_more_freedom_than_its_raters() -> None:
    corrected = LEVELS.corrected(ITEMS + RATERS, SLOPES)
    items, raters = 20 / 18 / 10, 4 / 3 * 2 / 4
    expected = (items + raters) ** 2 / (items**2 / 18 + raters**2 / 3)
    assert LEVELS.degrees_of_freedom(FIRST, corrected, SLOPES) == pytest.approx(expected)
    assert 3 < expected < 5


def test_what_comes_from_no_level_adds_freedom() -> None:
    more = ITEMS + RATERS + np.eye(2)
    corrected = LEVELS.corrected(more, SLOPES)
    assert LEVELS.degrees_of_freedom(DIFFERENCE, corrected, SLOPES) > 18
    nothing = FewLevels((0 * ITEMS,), (18,), (20,))
    assert math.isinf(nothing.degrees_of_freedom(FIRST, np.eye(2), SLOPES))


def test_systems_that_share_levels_cost_one_degree_of_freedom() -> None:
    item = np.repeat(np.arange(20), 4)
    rater, system = np.tile(np.arange(4), 20), item % 2
    crossed, nested = item // 2 % 5, item // 4 * 2 + item % 2
    factors = Factors.of({"items": item, "raters": rater, "crossed": crossed, "nested": nested})
    levels = FewLevels.of(factors, np.ones(4), system)
    found = dict(zip(factors.names, levels.freedom, strict=True))
    assert found == {"items": 20 - 2, "raters": 4 - 1, "crossed": 5 - 1, "nested": 10 - 2}
    shares = dict(zip(factors.names, levels.shares, strict=True))
    assert shares["items"] == pytest.approx(np.eye(2) / 10)
    assert shares["raters"] == pytest.approx(np.full((2, 2), 1 / 4))


def test_intervals_of_few_items_are_wider_than_those_of_the_normal_distribution() -> None:
    model = ordinal_model(simulated(replace(DESIGNS["complete"], items=18, systems=2)))
    values, none = np.arange(1.0, 6.0), FewLevels((), (), ())
    (wide,), (narrow,) = model.adjusted.contrasts, adjusted_means(model.fit, values, none).contrasts
    assert 14 < model.adjusted.freedom < 60
    quantile = scipy.stats.t.ppf(0.975, model.adjusted.freedom)
    assert model.adjusted.critical_value == pytest.approx(quantile)
    assert wide.difference.high - wide.difference.low > 1.05 * (
        narrow.difference.high - narrow.difference.low
    )
