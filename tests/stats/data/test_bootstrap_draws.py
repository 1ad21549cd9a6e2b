"""How a bootstrap draws its units: whole, without favour, and the same whichever way is quicker."""

import numpy as np
import pytest

from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.base import resampling
from scoring.stats.base.resampling import Resampling, draw_units
from scoring.stats.data.bootstrap import units
from scoring.stats.data.bootstrap.distinct_patterns import distinct_sequences
from scoring.stats.data.bootstrap.units import Units
from tests.stats.samples import likert, long_form, ratings_of


@pytest.mark.parametrize("frequency", [[1] * 50, [3, 1, 2, 1, 5, 1, 4], [900, 50, 3000]])
def test_every_replicate_draws_as_many_units_as_there_are_each_as_likely(frequency, monkeypatch):
    monkeypatch.setattr(resampling, "BLOCK", 16)
    given = np.array(frequency)
    drawn = draw_units(np.random.default_rng(1), given, 20_000)
    assert set(drawn.sum(axis=0)) == {given.sum()}
    variance = given * (1 - given / given.sum())
    assert drawn.mean(axis=1) == pytest.approx(given, abs=5 * (variance.max() / 20_000) ** 0.5)
    assert drawn.var(axis=1) == pytest.approx(variance, rel=0.06)
    together = np.cov(drawn)[0, 1]
    assert together == pytest.approx(-given[0] * given[1] / given.sum(), abs=0.05 * variance[:2].max())


def test_items_that_the_same_raters_rated_alike_are_drawn_together():
    values = likert(1, 400, 2, error_sd=0.4)
    pooled = Units.of(ratings_of(long_form(values)))
    assert pooled.frequency.sum() == 400
    assert len(pooled.frequency) == len(np.unique(values, axis=0))
    assert len(pooled.chosen) == 2 * len(pooled.frequency)


def test_pooled_items_give_the_intervals_of_single_ones(monkeypatch):
    ratings = ratings_of(long_form(likert(2, 400, 3, error_sd=0.4)))
    settings = Resampling(replicates=16_000, seed=1)
    together = held_out_figures(ratings, settings)
    monkeypatch.setattr(units, "WORTH_POOLING", 0.0)
    for pooled, single in zip(together, held_out_figures(ratings, settings), strict=True):
        assert pooled.estimate == pytest.approx(single.estimate, abs=1e-12)
        assert [pooled.low, pooled.high] == pytest.approx([single.low, single.high], abs=0.003)


def test_items_are_the_same_only_if_every_rater_gave_the_same_value():
    values = np.array([[1, 2, np.nan], [2, 1, np.nan], [1, np.nan, 2], [1, 2, np.nan], [1, 2, 2]])
    ratings = ratings_of(long_form(values))
    answers = ratings.rater * 10 + ratings.value.astype(np.int64)
    by_person = distinct_sequences(ratings, answers, in_order=True)
    assert by_person.of_item.tolist() == [0, 2, 1, 0, 3]
    assert by_person.frequency.tolist() == [2, 1, 1, 1]
    by_any_rater = distinct_sequences(ratings, ratings.value.astype(np.int64), in_order=False)
    assert by_any_rater.of_item.tolist() == [0, 0, 0, 0, 1]
    assert by_any_rater.codes.tolist() == [1, 2, 1, 2, 2]


def test_long_sequences_of_many_codes_keep_their_order():
    rng = np.random.default_rng(3)
    ratings = ratings_of(long_form(rng.integers(0, 2, (60, 40)).astype(float)))
    codes = rng.integers(0, 3, (6, 40))[rng.integers(0, 6, 60)] * 10**6
    found = distinct_sequences(ratings, codes.ravel(), in_order=True)
    expected, of_item = np.unique(codes, axis=0, return_inverse=True)
    assert found.of_item.tolist() == of_item.tolist()
    assert found.codes.reshape(-1, 40).tolist() == expected.tolist()
