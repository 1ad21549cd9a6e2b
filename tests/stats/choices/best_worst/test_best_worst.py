"""Scores and strengths from best–worst choices: by hand, at their maximum, and true to simulated truth."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from annotation.domain.items.drawn_sets import draw_sets
from scoring.stats.choices.best_worst.clusters import Clusters
from scoring.stats.choices.best_worst.scores import about_items, coded_ends, halves_row, score_rows
from scoring.stats.choices.best_worst.strengths import best_worst_strengths
from scoring.stats.choices.rankings.coded_rankings import Ranked

pytestmark = pytest.mark.pure


def rows_of(ranked: Ranked, rater=None):
    return score_rows(ranked, "novelty", Clusters(ranked.of_set, rater=rater))


def simulated(items: int, *, size: int = 4, raters: int = 5, spread: float = 1.0, seed: int = 1):
    """Truth of the items and choices with Gumbel noise of scale 1 / spread of the truth."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, spread, items)
    sets = np.array(draw_sets(items, size=size, seed=seed).sets)
    code = np.repeat(sets, raters, axis=0)
    felt = truth[code] + generator.gumbel(0, 1, code.shape)
    rows = np.arange(len(code))
    place = np.ones(code.shape, dtype=np.int64)
    best = felt.argmax(axis=1)
    # The worst of the others is chosen again, as the model says it.
    again = -truth[code] + generator.gumbel(0, 1, code.shape)
    again[rows, best] = -np.inf
    place[rows, best], place[rows, again.argmax(axis=1)] = 0, 2
    names = tuple(f"I{number:04d}" for number in range(items))
    ranked = coded_ends(names, code, place, np.repeat(np.arange(len(sets)), raters))
    assert ranked is not None
    return truth, ranked


def by_hand(*answers: tuple[str, str, str], sets=None) -> Ranked:
    """Choices of three items each: best, between, worst."""
    names = tuple(sorted({name for answer in answers for name in answer}))
    code = np.array([[names.index(name) for name in answer] for answer in answers])
    place = np.tile([0, 1, 2], (len(answers), 1))
    found = coded_ends(names, code, place, np.array(sets or range(len(answers))))
    assert found is not None
    return found


def test_a_score_is_the_share_of_best_less_the_share_of_worst():
    ranked = by_hand(("a", "b", "c"), ("a", "c", "d"), ("b", "c", "d"), ("c", "d", "b"))
    rows = {row["item"]: row for row in rows_of(ranked)}
    counts = {name: (row["n"], row["best"], row["worst"]) for name, row in rows.items()}
    assert counts == {"a": (2, 2, 0), "b": (3, 1, 1), "c": (4, 1, 1), "d": (3, 0, 2)}
    assert [rows[name]["score"] for name in "abcd"] == pytest.approx([1, 0, 0, -2 / 3])
    # Too few sets for an interval, and no item ever beat a: both are reported, and nothing is 0 instead.
    assert [rows[name]["interval_method"] for name in "ab"] == ["none:too_few_sets", "cluster-jackknife:sets"]
    assert [rows[name]["caution"] for name in "abcd"] == ["few_sets", "few_sets", "", "few_sets"]
    assert rows["a"]["low"] is rows["a"]["strength"] is None
    assert {row["reason"] for row in rows.values()} == {"not_connected"}


def test_strengths_are_at_the_maximum_that_a_general_search_finds():
    _, ranked = simulated(6, raters=2, seed=3)

    def loss(strength):
        total = strength.sum() ** 2
        for rows in answers:
            felt, place = strength[ranked.item[rows]], ranked.place[rows]
            total += np.log(np.exp(felt).sum()) - felt[place == 0][0]
            total += np.log(np.exp(-felt[place > 0]).sum()) + felt[place == 2][0]
        return total

    answers = [np.flatnonzero(ranked.answer == one) for one in range(ranked.n_answers)]

    best = scipy.optimize.minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x
    assert best_worst_strengths(ranked).strength == pytest.approx(best - best.mean(), abs=1e-5)


def test_intervals_of_strengths_hold_the_truth_where_answers_are_independent():
    covered = []
    for seed in range(12):
        truth, ranked = simulated(12, raters=3, seed=seed)
        rows = {row["item"]: row for row in rows_of(ranked)}
        for name, real in zip(ranked.names, truth - truth.mean(), strict=True):
            low, high = rows[name]["strength_low"], rows[name]["strength_high"]
            covered += [] if low is None else [low <= real <= high]
    assert len(covered) > 80
    assert np.mean(covered) > 0.9


@pytest.mark.parametrize("seed", [1, 2])
def test_scores_of_2n_sets_of_four_with_five_raters_follow_the_truth(seed):
    # The truth has 1.5 times the standard deviation of the noise of one answer.
    truth, ranked = simulated(100, spread=1.5 * np.pi / np.sqrt(6), seed=seed)
    by_name = {row["item"]: row for row in rows_of(ranked)}
    scores = [by_name[name]["score"] for name in ranked.names]
    assert np.corrcoef(scores, truth)[0, 1] > 0.95
    halves = halves_row(ranked, "novelty", 5)
    assert halves["splits"] == 100
    assert halves["corrected"] == pytest.approx(2 * halves["spearman"] / (1 + halves["spearman"]))
    assert 0.85 < halves["spearman"] < halves["corrected"] < 1
    bounded = [row for row in by_name.values() if row["low"] is not None]
    assert all(row["low"] <= row["score"] <= row["high"] for row in bounded)


def test_intervals_leave_out_sets_and_not_answers():
    answers = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")] * 10
    independent = rows_of(by_hand(*answers))
    copied = by_hand(*answers, *answers, *answers, sets=[*range(30)] * 3)
    width = [rows[0]["high"] - rows[0]["low"] for rows in (independent, rows_of(copied))]
    assert width[1] == pytest.approx(width[0], rel=1e-9)


def test_a_jackknife_over_sets_by_hand():
    # Item b has the scores 1, 0, 0 in its three sets: deviations 2/3, -1/3, -1/3 of three answers.
    ranked = by_hand(("b", "a", "c"), ("a", "b", "c"), ("c", "b", "a"))
    row = next(one for one in rows_of(ranked) if one["item"] == "b")
    variance = 3 / 2 * ((2 / 9) ** 2 + 2 * (1 / 9) ** 2)
    half = scipy.stats.t.ppf(0.975, 2) * variance**0.5
    assert (row["low"], row["high"]) == pytest.approx((max(-1, 1 / 3 - half), min(1, 1 / 3 + half)))


def test_raters_who_differ_in_taste_make_intervals_wider():
    """Two camps of raters put every set in opposite orders: other raters may say anything."""
    answers = [("a", "b", "c")] * 3 + [("c", "b", "a")] * 3
    ranked = by_hand(*(answers * 5), sets=np.repeat(range(5), 6).tolist())
    rater = np.tile(range(6), 5)
    alone, both = (next(row for row in rows_of(ranked, one) if row["item"] == "a") for one in (None, rater))
    assert alone["interval_method"] == "none:constant_ratings"
    assert both["interval_method"] == "cluster-jackknife:sets+raters"
    half = scipy.stats.t.ppf(0.975, 4) * (6 / 5 * 6 * (1 / 6) ** 2) ** 0.5
    assert both["high"] - both["score"] == pytest.approx(min(1.0, half))


def test_groups_of_sets_are_left_out_where_each_item_is_in_several():
    ranked = by_hand(("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"), ("a", "c", "b"))
    group = np.array([0, 0, 1, 1])
    shared = Clusters.of(about_items(ranked), ranked.of_set, group, "groups", None)
    assert (shared.drawn, shared.of_set.tolist()) == ("groups", [0, 0, 1, 1])
    alone = Clusters.of(about_items(ranked), ranked.of_set, np.zeros(4, dtype=np.int64), "groups", None)
    assert alone.drawn == "sets"


def test_orders_that_say_more_than_two_ends_are_no_best_worst_choices():
    code = np.array([[0, 1, 2, 3]])
    for place in ([0, 1, 2, 3], [0, 0, 1, 2], [0, 1, 1, 1], [0, 1, 2, 2]):
        assert coded_ends(tuple("abcd"), code, np.array([place]), np.array([0])) is None
    asked = coded_ends(tuple("abcd"), np.array([[0, 1, 2, -1]]), np.array([[2, 0, 1, -1]]), np.array([0]))
    assert asked is not None
    assert asked.item.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("raters", "caution"), [(1, "few_raters"), (3, "few_raters"), (4, "")])
def test_scores_of_few_known_raters_have_a_caution(raters, caution):
    _, ranked = simulated(12, raters=raters, seed=5)
    rater = np.tile(np.arange(raters), ranked.n_answers // raters)
    enough = [row for row in rows_of(ranked, rater) if row["n_sets"] >= 4]
    assert {(row["n_raters"], row["caution"]) for row in enough} == {(raters, caution)}
    assert {row["caution"] for row in rows_of(ranked)} <= {"", "few_sets"}
