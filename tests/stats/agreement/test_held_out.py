"""Held-out correlations, against pandas and scipy."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from scoring.stats.agreement.held_out import COEFFICIENTS, REPLICATES_PER_CHUNK, held_out_figures
from scoring.stats.base.rank_correlation import pearson
from scoring.stats.base.resampling import Resampling
from tests.stats.samples import likert, long_form, ratings_of

FUNCTIONS: dict[str, Any] = {"held_out_pearson": pearsonr, "held_out_spearman": spearmanr}


def held_out(values, coefficient, **options):
    frame = values if hasattr(values, "columns") else long_form(values)
    resampling = Resampling(replicates=options.pop("replicates", 200), seed=options.pop("seed", 2))
    figures = held_out_figures(ratings_of(frame), resampling, coefficients=[coefficient], **options)
    return {figure.variant: figure for figure in figures}


def others(values, rater):
    rest = np.delete(values, rater, axis=1)
    number = (~np.isnan(rest)).sum(axis=1)
    usable = ~np.isnan(values[:, rater]) & (number > 0)
    return values[usable, rater], np.nansum(rest[usable], axis=1) / number[usable]


@pytest.mark.parametrize("coefficient", FUNCTIONS)
@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_each_rater_is_correlated_with_the_mean_of_the_others(coefficient, missing):
    values = likert(1, 60, 5, missing=missing)
    expected = [FUNCTIONS[coefficient](*others(values, rater)).statistic for rater in range(5)]
    figures = held_out(values, coefficient)
    for rater, value in enumerate(expected):
        assert figures[f"rater:R-{rater + 1:03d}"].estimate == pytest.approx(value, abs=1e-12)
    assert figures["mean"].estimate == pytest.approx(np.mean(expected), abs=1e-12)
    assert figures["max"].estimate == pytest.approx(max(expected), abs=1e-12)


@pytest.mark.parametrize("coefficient", FUNCTIONS)
def test_its_bootstrap_is_that_of_naive_resampling(coefficient):
    values = likert(2, 40, 3)
    rng = np.random.default_rng(5)
    naive = []
    for _ in range(1500):
        drawn = values[rng.integers(0, 40, 40)]
        naive.append(np.mean([FUNCTIONS[coefficient](*others(drawn, r)).statistic for r in range(3)]))
    figure = held_out(values, coefficient, replicates=20_000)["mean"]
    assert [figure.low, figure.high] == pytest.approx(list(np.quantile(naive, [0.025, 0.975])), abs=0.02)


def test_a_rater_with_few_shared_items_is_listed_and_not_averaged():
    values = likert(3, 30, 4)
    values[9:, 3] = np.nan
    figures = held_out(values, "held_out_pearson", minimum_shared=10)
    assert figures["rater:R-004"].reason == "too_few_items"
    assert figures["rater:R-004"].n_items == 9
    assert figures["mean"].n_raters == 3
    assert "minimum-shared:10" in figures["mean"].signature
    assert held_out(values, "held_out_pearson", minimum_shared=9)["mean"].n_raters == 4


def test_a_rater_who_always_says_the_same_is_listed_and_not_averaged():
    values = likert(4, 30, 4)
    values[:, 1] = 3
    figures = held_out(values, "held_out_spearman")
    assert figures["rater:R-002"].reason == "constant_ratings"
    assert figures["mean"].n_raters == 3


def test_exact_agreement_is_exactly_one():
    values = np.tile(np.linspace(0.1, 0.9, 11)[:, None], (1, 4))
    for coefficient in FUNCTIONS:
        for figure in held_out(values, coefficient).values():
            assert figure.estimate == 1


def test_the_greatest_of_many_has_no_interval_for_its_replicates_are_greater():
    figure = held_out(likert(5, 15, 200, error_sd=3.0), "held_out_pearson", replicates=500)["max"]
    assert figure.interval_method == "none:biased_replicates"
    few = held_out(likert(5, 60, 3), "held_out_pearson", replicates=500)["max"]
    assert few.low < few.estimate < few.high


def test_whether_the_greatest_has_an_interval_depends_on_the_data_and_on_no_seed():
    """Here about a fifth of the replicates are at or below the estimate, by seed a few more or less."""
    values = likert(27, 20, 5, error_sd=0.9)
    found = [held_out(values, "held_out_pearson", seed=seed)["max"].interval_method for seed in range(4)]
    assert len(set(found)) == 1


def test_two_items_are_too_few_for_a_correlation():
    with pytest.raises(ValueError, match="at least 3"):
        held_out(likert(6, 20, 3), "held_out_pearson", minimum_shared=2)


def test_a_tick_that_raises_leaves_the_other_replicates_undone(monkeypatch):
    class Cancelled(Exception):
        pass

    computed = []

    def counted(*arguments):
        computed.append(1)
        return pearson(*arguments)

    def cancel(_replicates):
        raise Cancelled

    monkeypatch.setitem(COEFFICIENTS, "held_out_pearson", counted)
    resampling = Resampling(replicates=400 * REPLICATES_PER_CHUNK, tick=cancel)
    with pytest.raises(Cancelled):
        held_out_figures(
            ratings_of(long_form(likert(1, 300, 6))), resampling, coefficients=["held_out_pearson"]
        )
    assert 0 < len(computed) < 200
