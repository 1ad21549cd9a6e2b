"""An interval without width is no certainty, and says so."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_studies import Population
from scoring.bundle.recompute.checking.check import FIGURE, NUMBERS, Check
from scoring.stats.agreement.comparing.differences import compare_reliability
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.cautions import cautions_of, zero_width_part
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

pytestmark = pytest.mark.pure


def table_of(residual: float, rater: float = 0.0) -> RatingsTable:
    population, rng = Population(1.0, rater, residual), np.random.default_rng(1)
    frame = population.rate(rng, 40, population.draw_raters(rng, 5))
    return RatingsTable.from_frame(frame, scales={"quality": (1, 5)})


@pytest.mark.parametrize("compute", [reliability, figures_for_new_raters])
def test_every_interval_of_perfect_agreement_has_the_caution_zero_width(compute):
    figures = [one for one in compute(table_of(0.0), seed=1, replicates=50).figures if one.low == one.high]
    assert {"alpha", "fleiss", "exact", "ac1"} <= {one.coefficient for one in figures}
    assert all("zero_width" in cautions_of(one.signature) for one in figures)


@pytest.mark.parametrize("compute", [reliability, figures_for_new_raters])
def test_intervals_with_a_width_have_no_such_caution(compute):
    figures = [
        one for one in compute(table_of(0.9, 0.5), seed=1, replicates=50).figures if one.low < one.high
    ]
    assert figures
    assert not any("zero_width" in cautions_of(one.signature) for one in figures)


def test_a_difference_of_a_set_with_itself_has_the_caution_zero_width():
    ratings = table_of(0.9).criteria["quality"]
    found = compare_reliability(ratings, ratings, "fleiss", design="paired", resampling=Resampling(50, 1))
    assert (found.interval.low, found.interval.high) == (0, 0)
    assert "zero_width" in cautions_of(found.signature)


def test_no_interval_has_no_width_to_caution_of():
    assert (zero_width_part(np.nan, np.nan), zero_width_part(-np.inf, np.inf)) == ("", "")


@pytest.mark.parametrize(
    ("low", "signature", "wrong"),
    [
        (1.0, "exact|caution:zero_width", 0),
        (1.0, "exact", 1),
        (0.5, "exact|caution:zero_width", 1),
        (0.5, "exact", 0),
    ],
)
def test_a_bundle_is_checked_for_intervals_without_width(low, signature, wrong):
    check, name = Check("report"), dict.fromkeys(FIGURE, "x")
    limits = {"estimate": 1.0, "low": low, "high": 1.0}
    stored = {**name, **limits, "interval_method": "percentile", "reason": "", "signature": signature}
    check.rows([stored], [{**name, **limits}], (FIGURE, NUMBERS))
    assert len(check.wrong) == wrong
