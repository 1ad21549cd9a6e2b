"""Ratings in a very large or very small unit have the coefficients of the same ratings in another unit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.agreement.alpha import Level
from scoring.stats.agreement.pairwise import rater_pairs
from scoring.stats.agreement.reliability import reliability
from scoring.stats.data.table import RatingsTable, RatingsTableError
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.raters.disagreement import alpha_parts
from tests.stats.measured_samples import measured
from tests.stats.samples import likert, long_form, ratings_of

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
UNITS = (2.0**660, 2.0**-990, 2.0**500, 2.0**-530)
# What a unit decides: which values are whole numbers, and which differ by at most 1.
OF_THE_UNIT = {"within_one", "exact", "fleiss", "ac1", "ac2", "kappa_n"}


def figures(values: np.ndarray) -> dict[tuple[str, str], tuple[float, float, float]]:
    table = RatingsTable.from_frame(long_form(values))
    found = reliability(table, seed=1, replicates=60, levels=LEVELS).figures
    return {
        (one.coefficient, one.variant): (one.estimate, one.low, one.high)
        for one in found
        if one.coefficient not in OF_THE_UNIT
    }


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("unit", UNITS)
def test_the_unit_of_the_ratings_changes_no_coefficient(unit, missing):
    """Squares of 1e200 overflow and those of 1e-300 vanish; α, the ICC and correlations have no unit."""
    values = likert(3, 30, 4, missing=missing)
    plain, other = figures(values), figures(values * unit)
    assert plain.keys() == other.keys()
    for name, numbers in plain.items():
        assert other[name] == pytest.approx(numbers, rel=1e-9, nan_ok=True), name


@pytest.mark.parametrize("unit", UNITS)
def test_pairs_and_parts_of_alpha_have_no_unit_either(unit):
    plain, other = (ratings_of(long_form(likert(4, 20, 3) * factor)) for factor in (1.0, unit))
    assert rater_pairs(other).pearson == pytest.approx(rater_pairs(plain).pearson)
    for level in LEVELS:
        assert alpha_parts(other, level) == pytest.approx(alpha_parts(plain, level))


@pytest.mark.parametrize("value", [1e301, -1e305])
def test_values_whose_sums_overflow_are_refused_with_their_rows(value):
    frame = long_form([[1.0, value], [2.0, 3.0]])
    with pytest.raises(RatingsTableError) as refusal:
        RatingsTable.from_frame(frame)
    assert (refusal.value.code, refusal.value.rows) == ("value_too_large", (1,))


@pytest.mark.parametrize("unit", UNITS)
def test_correlations_of_metrics_have_no_unit(unit):
    items = measured(5)
    turned = replace(items, human=items.human * unit, scores=items.scores * unit)
    plain, other = (evaluate_metrics(one, replicates=40, seed=1) for one in (items, turned))
    for one, again in zip(plain.figures, other.figures, strict=True):
        assert again.estimate == pytest.approx(one.estimate, rel=1e-9), one.level
        assert (again.low, again.high) == pytest.approx((one.low, one.high), rel=1e-9, nan_ok=True)
        assert not math.isinf(again.p)
