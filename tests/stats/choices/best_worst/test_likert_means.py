"""Correlations of best–worst scores with mean ratings: as SciPy has them, over the items that have both."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.best_worst.likert_means import correlate_with_means

pytestmark = pytest.mark.pure
HOW = Resampling(400, 1)


def test_correlations_are_those_of_the_items_with_both():
    rng = np.random.default_rng(1)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    scores = dict(zip(map(str, range(30)), x, strict=True)) | {"only a score": 5.0}
    means = dict(zip(map(str, range(30)), y, strict=True)) | {"only a mean": 1.0}
    pearson, spearman = correlate_with_means(scores, means, HOW)
    assert (pearson["n"], spearman["n"]) == (30, 30)
    assert pearson["estimate"] == pytest.approx(scipy.stats.pearsonr(x, y).statistic)
    assert spearman["estimate"] == pytest.approx(scipy.stats.spearmanr(x, y).statistic)
    assert all(row["low"] < row["estimate"] < row["high"] for row in (pearson, spearman))


@pytest.mark.parametrize(
    ("values", "reason"), [([1.0, 2.0], "too_few_items"), ([2.0, 2.0, 2.0, 2.0], "constant_ratings")]
)
def test_what_has_no_correlation_says_why(values, reason):
    scores = {str(place): float(place) for place in range(9)}
    means = {str(place): value for place, value in enumerate(values)}
    for row in correlate_with_means(scores, means, HOW):
        assert (row["estimate"], row["low"], row["reason"]) == (None, None, reason)


def test_fewer_than_five_items_have_no_interval():
    scores = {str(place): float(place) for place in range(4)}
    (pearson, _) = correlate_with_means(scores, {key: value**2 for key, value in scores.items()}, HOW)
    assert pearson["low"] is None
    assert pearson["interval_method"] == "none:too_few_items"
