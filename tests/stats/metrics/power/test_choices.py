"""Power of studies of pairs and best–worst sets: answers follow the model, and the report's rule decides."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.best_worst.scores import score_rows
from scoring.stats.choices.best_worst.strengths import best_worst_strengths
from scoring.stats.choices.rankings.coded_rankings import Ranked
from scoring.stats.metrics.power.answering import Design, PowerError, simulate_ratings
from scoring.stats.metrics.power.best_worst import (
    SetsDiffer,
    choose_ends,
    draw_sets,
    strength_variance,
)
from scoring.stats.metrics.power.power import power
from scoring.stats.metrics.power.preferences import PairsDiffer, Pilot, preferring

VARIANCES = st.floats(0, 3)


@settings(max_examples=30, deadline=None)
@given(VARIANCES, VARIANCES, st.floats(0, 0.8), st.floats(0.05, 0.95))
def test_the_shift_of_a_preference_gives_its_share_of_answers(
    item: float, rater: float, ties: float, preferred: float
) -> None:
    answering = preferring(item, rater, ties)
    below = answering.share_below(answering.thresholds)
    assert below[1] - below[0] == pytest.approx(ties, abs=1e-6)
    shift = PairsDiffer(answering, preferred).shift
    assert answering.expected(shift) == pytest.approx(preferred, abs=1e-6)


def test_answers_to_pairs_have_the_share_the_ties_and_the_agreement_of_the_model() -> None:
    item, rater, ties, preferred = 0.8, 0.1, 0.2, 0.65
    answering = preferring(item, rater, ties)
    shift = PairsDiffer(answering, preferred).shift
    drawn = simulate_ratings(answering, Design(40_000, 2, 200), np.random.default_rng(1), shifts=(shift,))
    assert drawn.values.mean() == pytest.approx(preferred, abs=0.015)
    agreement = float((drawn.values[:, 0] == drawn.values[:, 1]).mean())
    observed_ties = float((drawn.values == 0.5).mean())
    pilot = Pilot(float(drawn.values.mean()), observed_ties, agreement)
    fitted_item, fitted_ties = pilot.fitted(rater)
    assert fitted_item == pytest.approx(item, abs=0.15)
    assert fitted_ties == pytest.approx(ties, abs=0.01)


def test_raters_who_agree_no_more_than_by_chance_have_pairs_without_variance() -> None:
    assert Pilot(0.5, 0.0, 0.45).fitted(0.0)[0] == 0.0
    assert Pilot(0.5, 0.0, 1.0).fitted(0.0)[0] == 100.0


def test_the_power_of_independent_answers_is_that_of_the_sign_test() -> None:
    n, preferred = 150, 0.62
    question = PairsDiffer(preferring(0.0, 0.0, 0.0), preferred)
    result = power(question, [Design(n, 1, 1)], seed=1, studies=400)
    hits = np.arange(n + 1)
    share, z = hits / n, scipy.stats.norm.ppf(0.975)
    # Wilson's interval is above one half exactly where the score test of one half rejects.
    rejected = (share - 0.5) / np.sqrt(0.25 / n) > z
    (row,) = result.rows
    assert row.low <= scipy.stats.binom.pmf(hits, n, preferred)[rejected].sum() <= row.high
    assert row.estimate == pytest.approx(preferred, abs=0.01)
    assert row.ratings == n
    assert result.false_positives is not None
    assert result.false_positives.low <= 0.05 <= result.false_positives.high + 0.02


def test_raters_of_different_taste_make_the_interval_of_a_win_rate_too_narrow_and_the_plan_says_so() -> None:
    taste = PairsDiffer(preferring(0.2, 1.0, 0.0), 0.6)
    result = power(taste, [Design(100, 3, 6)], seed=2, studies=150)
    assert result.false_positives is not None
    assert result.false_positives.low > 0.1


def test_groups_of_pairs_are_resampled_as_a_report_resamples_them() -> None:
    question = PairsDiffer(preferring(2.0, 0.0, 0.0, 0.9), 0.7)
    alone, grouped = power(question, [Design(60, 2, 2), Design(60, 2, 2, 10)], seed=3, studies=100).rows
    assert grouped.width > 1.3 * alone.width


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(3, 6), st.integers(0, 20), st.integers(0, 99))
def test_sets_have_different_candidates_each_about_equally_often(
    n: int, size: int, more: int, seed: int
) -> None:
    sets = draw_sets(n, size + more, size, np.random.default_rng(seed))
    assert sets.shape == (n, size)
    assert all(len(set(row)) == size for row in sets.tolist())
    # No candidate is twice in the sets that one order of all of them is cut into.
    of_order = (size + more) // size
    assert np.bincount(sets.ravel()).max() <= -(-n // of_order)


def test_choices_of_the_best_and_the_worst_follow_the_strengths() -> None:
    strength, generator = np.array([1.0, 0.3, -0.2, -1.1]), np.random.default_rng(4)
    place = choose_ends(np.tile(strength, (20_000, 1)), generator)
    ranked = Ranked(
        names=tuple("abcd"),
        answer=np.repeat(np.arange(20_000), 4),
        item=np.tile(np.arange(4), 20_000),
        place=place.ravel(),
        of_set=np.arange(20_000),
    )
    assert best_worst_strengths(ranked).strength == pytest.approx(strength, abs=0.05)


def test_a_better_candidate_is_found_the_more_often_the_more_sets_there_are() -> None:
    question = SetsDiffer(1.2, candidates=6, size=4, spread=1.0, item=0.3, rater=0.0)
    result = power(question, [Design(20, 1, 1), Design(120, 1, 1)], seed=5, studies=60, replicates=100)
    few, many = result.rows
    assert few.high < many.low
    assert many.width < 0.6 * few.width
    assert many.estimate > 0
    assert many.ratings == 120
    assert result.false_positives is not None
    assert result.false_positives.low <= 0.05


def test_a_study_of_sets_is_decided_by_the_intervals_of_the_report() -> None:
    question = SetsDiffer(2.0, candidates=4, size=4, spread=0.5, item=0.2, rater=0.1)
    design, resampling = Design(40, 2, 5), Resampling(100, 0)
    ranked, clusters = question._choices(design, np.random.default_rng(6))
    rows = {row["item"]: row for row in score_rows(ranked, "rating", clusters)}
    outcome = question.simulate(design, np.random.default_rng(6), resampling)
    assert outcome.found == (rows["0"]["low"] > rows["1"]["high"])
    assert outcome.estimate == pytest.approx(rows["0"]["score"] - rows["1"]["score"])


def test_too_few_candidates_for_a_set_are_refused() -> None:
    with pytest.raises(PowerError) as refused:
        SetsDiffer(1.0, candidates=3, size=4, spread=1.0, item=0.0, rater=0.0)
    assert refused.value.code == "too_few_candidates"


def test_the_variance_of_strengths_leaves_out_their_errors() -> None:
    generator = np.random.default_rng(7)
    estimates = generator.normal(0, 1.0, 4_000) + generator.normal(0, 0.6, 4_000)
    assert strength_variance(estimates, np.full(4_000, 0.6)) == pytest.approx(1.0, abs=0.1)
    assert strength_variance(np.array([0.1, -0.1]), np.array([1.0, 1.0])) == 0.0


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_a_pilot_gives_back_the_variance_of_strengths_however_few_its_raters(raters: int) -> None:
    """Half widths of its intervals would not: their t quantiles depend on the number of raters."""
    question = SetsDiffer(0.0, candidates=60, size=4, spread=1.0, item=0.0, rater=0.0)
    ranked, clusters = question._choices(Design(240, raters, raters), np.random.default_rng(raters))
    rows = score_rows(ranked, "rating", clusters)
    strength, error = (np.array([row[f"strength{end}"] for row in rows]) for end in ("", "_error"))
    assert strength_variance(strength, error) == pytest.approx(1.0, abs=0.45)
