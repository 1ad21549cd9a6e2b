"""Krippendorff's α and Fleiss' κ, against the packages."""

import math

import krippendorff
import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

from scoring.stats.agreement import alpha as alpha_module
from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.bootstrap.count_patterns import patterns_of
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=200, seed=2)
LEVELS = ("nominal", "ordinal", "interval", "ratio")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_alpha_is_that_of_the_package_on_the_full_matrix(level, missing):
    values = likert(1, 40, 5, missing=missing)
    expected = krippendorff.alpha(reliability_data=values.T, level_of_measurement=level)
    assert alpha(ratings_of(long_form(values)), level, QUICK).estimate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_many_cells_is_computed_here_and_the_same(level, monkeypatch):
    ratings = ratings_of(long_form(np.round(likert(2, 30, 4, missing=0.3) * 7.3, 1)))
    by_package = alpha(ratings, level, QUICK).estimate
    monkeypatch.setattr(alpha_module, "PACKAGE_CELLS", 0)
    assert alpha(ratings, level, QUICK).estimate == pytest.approx(by_package, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_the_pattern_bootstrap_is_that_of_naive_resampling(level):
    values = likert(3, 25, 4, missing=0.2)
    rng = np.random.default_rng(5)
    naive = [
        krippendorff.alpha(reliability_data=values[rng.integers(0, 25, 25)].T, level_of_measurement=level)
        for _ in range(1500)
    ]
    figure = alpha(ratings_of(long_form(values)), level, Resampling(replicates=20_000, seed=1))
    assert [figure.low, figure.high] == pytest.approx(list(np.quantile(naive, [0.025, 0.975])), abs=0.03)


def test_groups_are_resampled_whole():
    frame = long_form(np.repeat(likert(4, 15, 3), 4, axis=0))
    grouped = frame.assign(group=[int(item.split()[1]) // 4 for item in frame["item"]])
    by_group = alpha(ratings_of(grouped), "ordinal", Resampling(seed=1))
    once = alpha(ratings_of(long_form(likert(4, 15, 3))), "ordinal", Resampling(seed=1))
    by_item = alpha(ratings_of(frame), "ordinal", Resampling(seed=1))
    assert by_group.interval_method == "percentile-bootstrap:groups"
    assert by_group.high - by_group.low == pytest.approx(once.high - once.low, rel=0.1)
    assert by_group.high - by_group.low > 1.5 * (by_item.high - by_item.low)


def test_patterns_forget_who_gave_which_value():
    patterns = patterns_of(ratings_of(long_form([[1, 2, 2], [2, 1, 2], [2, 2, 1], [1, 1, 1]])))
    assert patterns.frequency.tolist() == [1, 3]
    assert patterns.counts.toarray().tolist() == [[3, 0], [1, 2]]


def test_fleiss_is_that_of_statsmodels_for_equally_many_ratings():
    values = likert(6, 50, 4)
    counts = np.stack([(values == category).sum(axis=1) for category in range(1, 6)], axis=1)
    figure = fleiss(ratings_of(long_form(values)), QUICK)
    assert figure.estimate == pytest.approx(fleiss_kappa(counts), abs=1e-12)
    assert figure.variant == "m=4"


def test_fleiss_with_unequal_numbers_of_ratings_pools_the_marginals_and_says_so():
    figure = fleiss(ratings_of(long_form([[1, 1, 2], [1, 2, np.nan], [2, 2, np.nan]])), QUICK)
    observed, expected = (1 / 3 + 0 + 1) / 3, (3**2 + 4**2) / 7**2
    assert figure.estimate == pytest.approx((observed - expected) / (1 - expected), abs=1e-12)
    assert figure.variant == "unequal m=2..3, pooled marginals"


def test_too_many_undefined_replicates_leave_no_interval():
    values = np.ones((12, 3))
    values[0] = [1, 2, 2]
    figure = alpha(ratings_of(long_form(values)), "ordinal", Resampling(seed=1))
    assert figure.interval_method == "none:undefined_replicates"
    assert np.isfinite(figure.estimate)
    assert np.isnan(figure.low)
    assert "undefined:" in figure.signature


@pytest.mark.parametrize(("groups", "reason"), [(1, "too_few_groups"), (4, "too_few_groups"), (6, "")])
def test_a_bootstrap_over_very_few_groups_gives_no_interval(groups, reason):
    frame = long_form(likert(3, 24, 4))
    frame["group"] = [f"g{code % groups}" for code in pd.factorize(frame["item"])[0]]
    ratings = ratings_of(frame)
    resampling = Resampling(50, 1)
    figures = [alpha(ratings, "ordinal", resampling), fleiss(ratings, resampling)]
    figures += [one for one in held_out_figures(ratings, resampling) if one.variant == "mean"]
    for figure in figures:
        assert math.isfinite(figure.estimate)
        assert figure.interval_method.startswith(f"none:{reason}" if reason else "percentile"), figure
        assert math.isnan(figure.low) == bool(reason)
