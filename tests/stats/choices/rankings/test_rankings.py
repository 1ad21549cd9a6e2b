"""Strengths from rankings against the likelihood written out, and the reliability of scores by halves."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.bradley_terry import strength_rows
from scoring.stats.choices.rankings.coded_rankings import RankingsError, coded_choices, coded_rankings
from scoring.stats.choices.rankings.plackett_luce import plackett_luce
from scoring.stats.choices.rankings.split_halves import split_halves


def ranked(answers):
    """From lists of items, the best first; each is an answer about the set of its items."""
    rows = [
        {"set": str(sorted(answer)), "rater": str(at), "item": item, "rank": place}
        for at, answer in enumerate(answers)
        for place, item in enumerate(answer)
    ]
    return coded_rankings(pd.DataFrame(rows), range(2, len(rows) + 2))


def likelihood(strength, answers):
    """Log likelihood of rankings, choice by choice."""
    total = 0.0
    for answer in answers:
        for place in range(len(answer) - 1):
            total += strength[answer[place]] - math.log(
                sum(math.exp(strength[one]) for one in answer[place:])
            )
    return total


def drawn(rng, strength, sizes, number):
    """Rankings drawn from the model: the order of strengths with Gumbel noise."""
    answers = []
    for _ in range(number):
        members = rng.choice(len(strength), size=rng.choice(sizes), replace=False)
        noise = strength[members] + rng.gumbel(size=len(members))
        answers.append([f"i{one}" for one in members[np.argsort(-noise)]])
    return answers


def test_strengths_maximise_the_likelihood_and_errors_come_from_its_curvature():
    answers = drawn(np.random.default_rng(3), np.array([0.8, 0.3, 0.0, -0.4, -0.7]), [2, 3, 5], 60)
    found = plackett_luce(ranked(answers))
    names, n = found.names, len(found.names)

    def lost(free):
        strength = np.r_[free, -free.sum()]
        return -likelihood(dict(zip(names, strength, strict=True)), answers)

    best = optimize.minimize(lost, np.zeros(n - 1), method="BFGS", options={"gtol": 1e-8})
    assert found.strength == pytest.approx(np.r_[best.x, -best.x.sum()], abs=1e-5)
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-8)
    step, size = 1e-4, n - 1
    curvature = np.empty((size, size))
    for one, other in itertools.product(range(size), repeat=2):
        corners = 0.0
        for a, b in itertools.product((1, -1), repeat=2):
            corners += a * b * lost(best.x + step * (a * np.eye(size)[one] + b * np.eye(size)[other]))
        curvature[one, other] = corners / (4 * step**2)
    covariance = np.linalg.inv(curvature)
    errors = np.sqrt(np.r_[np.diag(covariance), covariance.sum()])
    assert found.error == pytest.approx(errors, rel=1e-3)


def test_rankings_of_two_are_bradley_terry_comparisons():
    answers = drawn(np.random.default_rng(5), np.array([0.6, 0.1, -0.2, -0.5]), [2], 80)
    found = plackett_luce(ranked(answers))
    frame = pd.DataFrame(answers, columns=["a", "b"]).assign(outcome="a", group="")
    frame["item"] = [str(at) for at in range(len(frame))]
    other = strength_rows(frame, criterion="c", resampling=Resampling(5, 1))
    expected = {row["competitor"]: row["strength"] for row in other}
    assert dict(zip(found.names, found.strength, strict=True)) == pytest.approx(expected, abs=1e-6)


def test_intervals_hold_the_true_strengths_as_often_as_they_say():
    truth, rng, held = np.array([1.0, 0.4, 0.0, -0.5, -0.9]), np.random.default_rng(7), []
    for _ in range(120):
        found = plackett_luce(ranked(drawn(rng, truth, [3, 4], 80)))
        low, high = found.limits()
        held.append((low < truth) & (truth < high))
    assert 0.92 < np.mean(held) < 0.98


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_strengths_exist_exactly_where_each_item_reaches_each_other_by_wins(orders):
    answers = [[f"i{one}" for one in order[: 2 + order[0] % 3]] for order in orders]
    found = plackett_luce(ranked(answers))
    reach = {name: {name} for name in found.names}
    for _ in found.names:
        for answer in answers:
            for above, below in itertools.combinations(answer, 2):
                for seen in reach.values():
                    if above in seen:
                        seen.add(below)
    connected = all(seen == set(found.names) for seen in reach.values())
    assert (found.reason == "") == connected
    assert np.isfinite(found.strength).all() == connected
    if not connected:
        # No other was ever placed above one of these.
        named = set(found.blocking)
        assert named < set(found.names)
        for answer in answers:
            for above, below in itertools.combinations(answer, 2):
                assert not (below in named and above not in named)


def choices_frame(rng, quality, n_sets, raters, noise):
    rows = []
    for at in range(n_sets):
        members = rng.choice(len(quality), 4, replace=False)
        for rater in range(raters):
            seen = quality[members] + noise * rng.normal(size=4)
            marks = {int(np.argmax(seen)): "best", int(np.argmin(seen)): "worst"}
            rows += [
                {"set": f"s{at}", "rater": f"r{rater}", "item": f"i{one}", "choice": marks.get(place, "")}
                for place, one in enumerate(members)
            ]
    return pd.DataFrame(rows)


def test_best_worst_scores_count_best_less_worst_of_the_times_shown():
    frame = choices_frame(np.random.default_rng(2), np.arange(8.0), 20, 3, 2.0)
    coded = coded_choices(frame, range(2, len(frame) + 2))
    shown = frame.groupby("item").size()
    value = frame["choice"].map({"best": 1, "worst": -1, "": 0}).groupby(frame["item"]).sum() / shown
    assert dict(zip(coded.names, coded.mean_scores(), strict=True)) == pytest.approx(value.to_dict())


def test_split_halves_tell_certain_answers_from_chance():
    rng = np.random.default_rng(4)
    certain, noise = (
        coded_choices(frame, range(2, len(frame) + 2))
        for frame in (choices_frame(rng, np.arange(12.0), 60, 4, sd) for sd in (0.01, 1000.0))
    )
    sure = split_halves(certain, seed=1)
    assert sure.spearman == pytest.approx(1)
    assert sure.corrected == pytest.approx(1)
    assert abs(split_halves(noise, seed=1).spearman) < 0.3
    assert split_halves(certain, seed=1) == sure


def test_the_corrected_half_is_the_correlation_of_two_studies_of_that_size():
    """Spearman–Brown of halves of 4 answers a set predicts how two studies of 4 answers a set correlate."""
    rng, quality = np.random.default_rng(9), np.arange(20.0) / 6
    predicted, seen = [], []
    for _ in range(60):
        frame = choices_frame(rng, quality, 40, 8, 2.0)
        part = frame["rater"].isin([f"r{one}" for one in range(4)])
        one, other = (coded_choices(own, range(len(own))) for own in (frame[part], frame[~part]))
        predicted.append(split_halves(one, seed=1, splits=10).corrected)
        seen.append(stats.spearmanr(one.mean_scores(), other.mean_scores()).statistic)
    assert np.mean(predicted) == pytest.approx(np.mean(seen), abs=0.03)


@pytest.mark.parametrize(
    ("code", "rows", "reason"),
    [
        (coded_rankings, [("s", "r", "a", 1), ("s", "r", "b", 1)], "tied_ranks"),
        (coded_rankings, [("s", "r", "a", 1), ("s", "r", "a", 2)], "duplicate_item"),
        (coded_rankings, [("s", "r", "a", 1)], "one_item"),
        (coded_choices, [("s", "r", "a", "best"), ("s", "r", "b", "")], "not_one_best_and_worst"),
        (coded_choices, [("s", "r", "a", "best"), ("s", "r", "b", "least")], "unknown_choice"),
    ],
)
def test_rows_that_contradict_each_other_are_refused_by_their_number(code, rows, reason):
    frame = pd.DataFrame(
        rows, columns=["set", "rater", "item", "rank" if code is coded_rankings else "choice"]
    )
    with pytest.raises(RankingsError, match=r"row [23]: ") as caught:
        code(frame, range(2, len(rows) + 2))
    assert caught.value.code == reason


def test_too_few_shared_items_have_no_reliability():
    found = split_halves(ranked([["a", "b"], ["c", "d"]]), seed=1)
    assert found.reason == "too_few_items"
    assert math.isnan(found.spearman)
    assert math.isnan(found.corrected)
