"""BCa intervals: the acceleration from leaving out every unit, the limits as scipy has them."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from scipy import stats

from scoring.bundle.recompute.coefficients.alpha import compute_alpha
from scoring.bundle.recompute.drawing import Drawing
from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet
from scoring.stats.base.resampling import Limits, Resampling
from scoring.stats.data.bootstrap.bca import jackknife
from scoring.stats.data.bootstrap.count_patterns import patterns_of
from tests.bundle.recompute.recomputing import coded
from tests.stats.samples import likert, long_form, ratings_of

BCA = Resampling(4000, seed=2, limits="bca")


def interval_alpha(values: np.ndarray) -> float:
    return float(krippendorff.alpha(values.T, level_of_measurement="interval"))


def test_alpha_without_each_item_is_that_of_the_items_left():
    values = likert(4, 25, 3)
    ratings = ratings_of(long_form(values))
    patterns = patterns_of(ratings)
    whole = alpha(ratings, "interval", Resampling(20)).estimate
    found = jackknife(patterns, lambda weights: _alphas(ratings, patterns, weights))
    assert found.times.sum() == 25
    one_by_one = [interval_alpha(np.delete(values, item, axis=0)) for item in range(25)]
    assert np.repeat(found.values, found.times.astype(int)).mean() == pytest.approx(np.mean(one_by_one))
    assert sorted(np.repeat(found.values, found.times.astype(int))) == pytest.approx(sorted(one_by_one))
    assert whole == pytest.approx(interval_alpha(values))


def _alphas(ratings, patterns, weights):
    from scoring.stats.agreement.alpha import _alphas as compute

    return compute(weights, ratings, patterns, "interval")


def test_the_limits_are_those_of_scipy_within_chance():
    values = likert(9, 60, 3)
    figure = alpha(ratings_of(long_form(values)), "interval", BCA)
    rows = np.arange(60)
    by_scipy = stats.bootstrap(
        (rows,),
        lambda chosen: interval_alpha(values[chosen]),
        vectorized=False,
        n_resamples=3000,
        method="BCa",
        rng=np.random.default_rng(3),
    ).confidence_interval
    assert figure.interval_method == "bca-bootstrap:items"
    assert (figure.low, figure.high) == pytest.approx((by_scipy.low, by_scipy.high), abs=0.025)


def test_groups_are_left_out_whole():
    frame = long_form(likert(5, 30, 3)).assign(group=lambda rows: rows["item"].str.slice(-1))
    ratings = ratings_of(frame)
    assert len(jackknife(patterns_of(ratings), lambda weights: weights.sum(axis=1)).values) == 10
    assert alpha(ratings, "ordinal", BCA).interval_method == "bca-bootstrap:groups"


def test_perfect_agreement_has_an_interval_of_one_point():
    ratings = ratings_of(long_form(np.tile(np.arange(1.0, 6.0)[:, None], (1, 3))))
    for figure in (alpha(ratings, "ordinal", BCA), fleiss(ratings, BCA), gwet(ratings, "quadratic", BCA)):
        assert (figure.low, figure.estimate, figure.high) == (1, 1, 1)


@pytest.mark.parametrize("limits", ["percentile", "measured", "bca"])
def test_an_interval_that_would_not_hold_its_estimate_is_refused_here_and_when_recomputed(limits: Limits):
    """Items whose ratings all differ come twice in each sample, and then differ less than by chance."""
    ratings = ratings_of(long_form(np.arange(36.0).reshape(12, 3)))
    figure = alpha(ratings, "nominal", Resampling(200, seed=1, limits=limits))
    assert figure.estimate == pytest.approx(0)
    assert np.isnan([figure.low, figure.high]).all()
    assert figure.interval_method == "none:biased_replicates"
    again = compute_alpha(coded(ratings), Drawing(1, 200, corrects=limits != "percentile"), "nominal")
    assert np.isnan([again["low"], again["high"]]).all()
