"""What raters reach among themselves, and metrics measured with the same yardstick."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.metrics.ceiling import leave_one_out, split_half, upper_bound
from tests.stats.samples import likert, long_form, ratings_of

RESAMPLING = Resampling(replicates=60, seed=3)


def scores_of(frame, seed=0):
    """A metric for every item of a frame of ratings: their mean with noise."""
    mean = frame.groupby("item")["value"].mean()
    noise = np.random.default_rng(seed).normal(size=len(mean))
    return pd.DataFrame({"good": mean + 0.5 * noise, "luck": noise})


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_two_raters_have_one_split_and_its_spearman_brown_value(seed):
    values = likert(seed, 30, 2)
    ratings = ratings_of(long_form(values))
    r = stats.pearsonr(values[:, 0], values[:, 1]).statistic
    assert split_half(ratings, "pearson", RESAMPLING, 3).estimate == pytest.approx(2 * r / (1 + r))
    rho = stats.spearmanr(values[:, 0], values[:, 1]).statistic
    assert split_half(ratings, "spearman", RESAMPLING, 3).estimate == pytest.approx(2 * rho / (1 + rho))


def test_split_halves_of_raters_come_near_the_reliability_of_their_mean():
    ratings = ratings_of(long_form(likert(4, 400, 6)))
    icc3k = next(one for one in two_way_figures(ratings, RESAMPLING) if one.coefficient == "icc3k")
    found = split_half(ratings, "pearson", RESAMPLING)
    assert found.estimate == pytest.approx(icc3k.estimate, abs=0.01)
    assert found.low < found.estimate < found.high
    assert "raters" in found.variant


@pytest.mark.parametrize("raters", [4, 5])
def test_split_halves_of_slots_come_near_the_one_way_reliability(raters):
    ratings = ratings_of(long_form(likert(5, 600, raters, rater_sd=0.0)), identified=False)
    icc1k = next(one for one in one_way_figures(ratings, RESAMPLING) if one.coefficient == "icc1k")
    found = split_half(ratings, "pearson", RESAMPLING)
    assert found.estimate == pytest.approx(icc1k.estimate, abs=0.015)
    assert "ratings" in found.variant


def test_the_seed_decides_the_splits():
    ratings = ratings_of(long_form(likert(6, 40, 5)))
    one, again, other = (split_half(ratings, "pearson", Resampling(20, seed), 5) for seed in (1, 1, 2))
    assert one == again
    assert one.estimate != other.estimate


def test_leaving_one_out_is_the_held_out_correlation():
    frame = long_form(likert(7, 40, 4, missing=0.2))
    ratings = ratings_of(frame)
    for coefficient in ("pearson", "spearman"):
        human, *_ = leave_one_out(ratings, scores_of(frame), coefficient, RESAMPLING)
        held_out = held_out_figures(ratings, RESAMPLING, coefficients=(f"held_out_{coefficient}",))[0]
        assert human.estimate == pytest.approx(held_out.estimate)
        assert human.to_row()["n_raters"] == held_out.n_raters


def test_metrics_are_correlated_with_the_same_means_of_the_others():
    values = likert(8, 30, 3)
    frame = long_form(values)
    scores = scores_of(frame)
    _, good, luck = leave_one_out(ratings_of(frame), scores, "pearson", RESAMPLING)
    for found in (good, luck):
        expected = [
            stats.pearsonr(scores[found.metric], np.delete(values, rater, axis=1).mean(axis=1)).statistic
            for rater in range(3)
        ]
        assert found.estimate == pytest.approx(np.mean(expected))
    assert good.estimate > luck.estimate
    assert good.low < good.estimate < good.high


def test_an_item_without_a_score_counts_for_the_raters_alone():
    frame = long_form(likert(9, 30, 3))
    human, good, _ = leave_one_out(ratings_of(frame), scores_of(frame).iloc[:-4], "pearson", RESAMPLING)
    assert (human.n_items, good.n_items) == (30, 26)


def test_the_upper_bound_is_the_root_of_the_reliability():
    complete = ratings_of(long_form(likert(10, 50, 4)))
    bound = upper_bound(complete, RESAMPLING)
    icc3k = next(one for one in two_way_figures(complete, RESAMPLING) if one.coefficient == "icc3k")
    assert bound.estimate == pytest.approx(math.sqrt(icc3k.estimate))
    assert (bound.low, bound.high) == pytest.approx((math.sqrt(icc3k.low), math.sqrt(icc3k.high)))
    slots = ratings_of(long_form(likert(10, 50, 4, missing=0.2)), identified=False)
    icc1k = next(one for one in one_way_figures(slots, RESAMPLING) if one.coefficient == "icc1k")
    assert upper_bound(slots, RESAMPLING).estimate == pytest.approx(math.sqrt(icc1k.estimate))


def test_a_metric_that_knows_the_truth_reaches_the_upper_bound():
    rng = np.random.default_rng(11)
    truth = rng.normal(size=(3000, 1))
    ratings = ratings_of(long_form(truth + rng.normal(0, 1.2, (3000, 3))))
    reached = stats.pearsonr(truth[:, 0], ratings.value.reshape(3000, 3).mean(axis=1)).statistic
    assert upper_bound(ratings, RESAMPLING).estimate == pytest.approx(reached, abs=0.02)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[3.0], [4.0], [2.0]], "too_few_raters"),
        ([[3.0, np.nan], [np.nan, 4.0]], "no_overlap"),
        ([[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]], "constant_ratings"),
    ],
)
def test_without_a_ceiling_there_is_a_reason(values, reason):
    frame = long_form(values)
    ratings = ratings_of(frame)
    every = [
        split_half(ratings, "pearson", RESAMPLING),
        upper_bound(ratings, RESAMPLING),
        *leave_one_out(ratings, scores_of(frame), "pearson", RESAMPLING),
    ]
    assert {one.reason for one in every} == {reason}


def test_raters_who_disagree_more_than_by_chance_have_no_upper_bound():
    values = np.array([[1.0, 5.0], [5.0, 1.0], [1.0, 5.0], [5.0, 2.0]])
    assert upper_bound(ratings_of(long_form(values)), RESAMPLING).reason == "negative_reliability"


def test_too_few_items_in_common():
    frame = long_form(likert(1, 8, 3))
    found = leave_one_out(ratings_of(frame), scores_of(frame), "pearson", RESAMPLING)
    assert {one.reason for one in found} == {"too_few_items"}
    with pytest.raises(ValueError, match="minimum_shared"):
        leave_one_out(ratings_of(frame), scores_of(frame), "pearson", RESAMPLING, minimum_shared=2)


def test_halves_of_several_sizes_are_stepped_up_by_their_harmonic_mean() -> None:
    """Half of the items have two ratings, half six; the reliability of four is .8 by construction."""
    rng = np.random.default_rng(3)
    sizes = np.tile([2, 6], 6000)
    item = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.normal(0, 1, len(sizes))[item] + rng.normal(0, 1, len(item))
    frame = pd.DataFrame({"item": item, "rater": np.arange(len(item)), "criterion": "c", "value": values})
    assert split_half(ratings_of(frame), "pearson", Resampling(2, 1), 20).estimate == pytest.approx(
        0.8, abs=0.012
    )
