"""Intraclass correlations of complete ratings, against pingouin."""

import math

import numpy as np
import pandas as pd
import pingouin
import pytest

from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import Resampling
from tests.stats.samples import likert, long_form, ratings_of

NAMES = {
    "ICC(1,1)": "icc1",
    "ICC(A,1)": "icc2",
    "ICC(C,1)": "icc3",
    "ICC(1,k)": "icc1k",
    "ICC(A,k)": "icc2k",
    "ICC(C,k)": "icc3k",
}


def icc(frame, confidence=0.95):
    ratings = ratings_of(frame)
    resampling = Resampling(replicates=200, seed=2, confidence=confidence)
    return {
        figure.coefficient: figure
        for figure in one_way_figures(ratings, resampling) + two_way_figures(ratings, resampling)
    }


@pytest.mark.parametrize(
    ("seed", "items", "raters", "error_sd"), [(1, 12, 3, 0.5), (2, 50, 7, 1.0), (3, 30, 2, 5)]
)
def test_complete_ratings_have_pingouins_estimates_and_intervals(seed, items, raters, error_sd):
    frame = long_form(likert(seed, items, raters, error_sd=error_sd))
    expected = pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value")
    computed = icc(frame)
    ci = "CI95" if "CI95" in expected else "CI95%"
    for _, row in expected.iterrows():
        figure = computed[NAMES[row["Type"]]]
        assert figure.estimate == pytest.approx(row["ICC"], abs=1e-10)
        # pingouin prints its limits to two decimals.
        assert [figure.low, figure.high] == pytest.approx(list(row[ci]), abs=0.0051)
    assert len(expected) == len(computed)


def test_exact_agreement_is_exactly_one():
    values = [[0.1, 0.1, 0.1], [0.7, 0.7, 0.7], [0.3, 0.3, 0.3]]
    for figure in icc(long_form(values)).values():
        assert (figure.estimate, figure.low, figure.high) == (1.0, 1.0, 1.0)


def test_exact_agreement_is_exactly_one_with_empty_cells():
    values = np.tile(np.arange(1.0, 13.0)[:, None] / 7, (1, 4))
    values[2, 0] = values[5, 1] = np.nan
    for figure in icc(long_form(values)).values():
        assert (figure.estimate, figure.low, figure.high) == (1.0, 1.0, 1.0)


def test_raters_who_differ_by_a_constant_are_consistent_but_do_not_agree():
    values = np.arange(1.0, 9.0)[:, None] + np.array([[0.0, 2.0, 5.0]])
    figures = icc(long_form(values))
    assert figures["icc3"].estimate == 1
    assert figures["icc2"].estimate < 1


def test_a_negative_estimate_is_shown_as_it_is():
    figure = icc(long_form([[1, 5], [5, 1], [2, 4], [4, 2]]))["icc1"]
    assert figure.estimate < 0


def test_items_with_equal_means_have_no_average_reliability():
    figures = icc(long_form([[1, 5], [5, 1], [2, 4], [4, 2]]))
    assert figures["icc1k"].reason == figures["icc3k"].reason == "no_item_variance"


def test_a_wider_confidence_gives_a_wider_interval():
    frame = long_form(likert(4, 20, 3))
    narrow, wide = icc(frame, 0.8), icc(frame, 0.99)
    for key, figure in narrow.items():
        assert wide[key].low < figure.low < figure.high < wide[key].high


def test_items_without_any_variance_give_no_interval_of_one_point() -> None:
    """Every item has the same ratings, one from each of two raters who differ."""
    frame = pd.DataFrame(
        [(item, rater, "c", rater) for item in range(4) for rater in (1, 2)],
        columns=["item", "rater", "criterion", "value"],
    )
    found = icc(frame)
    for key in ("icc2", "icc2k", "icc3", "icc3k"):
        assert math.isnan(found[key].estimate), key
        assert found[key].reason == "no_item_variance"
    assert (found["icc1"].estimate, math.isnan(found["icc1"].low)) == (-1.0, True)
