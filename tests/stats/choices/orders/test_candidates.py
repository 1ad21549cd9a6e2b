"""Mean ranks, strengths and pairs of candidates, whichever option shows them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.orders.candidates import RankedCandidates, candidate_rows, pair_rows
from scoring.stats.choices.orders.coded_orders import Orders
from scoring.stats.choices.rankings.coded_rankings import coded_rankings
from scoring.stats.choices.rankings.plackett_luce import plackett_luce

pytestmark = pytest.mark.pure
QUICK = Resampling(replicates=50, seed=3)
NAMES = ("gpt", "human", "rule", "ten")


def ranked(
    rows: list[tuple[str, str, str]], names: Mapping[str, tuple[str, ...]] | None = None
) -> RankedCandidates:
    frame = pd.DataFrame(rows, columns=["item", "rater", "value"])
    orders = Orders.of(frame, "order", tuple("abcd"))
    return RankedCandidates.of(orders, [(names or {}).get(item, NAMES) for item, _, _ in rows])


def simulated(seed: int, items: int = 30, raters: int = 3) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    found = []
    for item in range(items):
        for rater in range(raters):
            order = np.argsort(-(np.array([1.0, 0.5, 0.0, -0.5]) + rng.gumbel(size=4)))
            found.append((f"I-{item:02d}", f"R-{rater}", ">".join(np.array(list("abcd"))[order])))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_strengths_are_those_of_the_command_rankings(seed):
    rows = simulated(seed)
    long = [
        (item, rater, NAMES["abcd".index(option)], place)
        for item, rater, value in rows
        for place, option in enumerate(value.split(">"))
    ]
    frame = pd.DataFrame(long, columns=["set", "rater", "item", "rank"])
    expected = plackett_luce(coded_rankings(frame, range(len(frame))))
    found = {row["candidate"]: row["strength"] for row in candidate_rows(ranked(rows), QUICK)}
    assert [found[name] for name in expected.names] == pytest.approx(list(expected.strength), abs=1e-8)


def test_a_candidate_is_followed_from_option_to_option():
    turned = {"I-2": ("human", "gpt", "ten", "rule")}
    rows = [("I-1", "R-1", "a>b>c>d"), ("I-2", "R-1", "b>a>d>c")]
    found = {row["candidate"]: row["mean_rank"] for row in candidate_rows(ranked(rows, turned), QUICK)}
    assert found == {"gpt": 1, "human": 2, "rule": 3, "ten": 4}


def test_of_the_first_few_the_others_are_tied_last_and_that_is_no_obstacle():
    rows = [
        ("I-1", "R-1", "a>b>c=d"),
        ("I-1", "R-2", "b>c>a=d"),
        ("I-2", "R-1", "c>d>a=b"),
        ("I-2", "R-2", "d>a>b=c"),
    ]
    found = candidate_rows(ranked(rows), QUICK)
    assert {row["reason"] for row in found} == {""}
    assert {row["candidate"]: row["mean_rank"] for row in found}["gpt"] == (1 + 3.5 + 3.5 + 2) / 4


@pytest.mark.parametrize(
    ("values", "reason"), [(["a=b>c>d"], "tied_ranks"), (["a>b>c>d", "a>c>b>d"], "not_connected")]
)
def test_strengths_that_are_not_finite_have_a_reason_and_mean_ranks_remain(values, reason):
    found = candidate_rows(ranked([(f"I-{n}", "R-1", value) for n, value in enumerate(values)]), QUICK)
    assert {(row["reason"], row["strength"]) for row in found} == {(reason, None)}
    assert all(row["mean_rank"] for row in found)


def test_pairs_are_counted_with_ties_as_half_a_win_and_agreement_within_items():
    rows = [("I-1", "R-1", "a>b>c>d"), ("I-1", "R-2", "b>a>c>d"), ("I-2", "R-1", "a=b>c>d")]
    found = {(row["first"], row["second"]): row for row in pair_rows(ranked(rows), QUICK)}
    first = found["gpt", "human"]
    assert [first[name] for name in ("n", "above", "ties", "below", "share", "agreement")] == [
        3,
        1,
        1,
        1,
        0.5,
        0,
    ]
    assert found["gpt", "ten"]["agreement"] == 1
    assert len(found) == 6


def test_an_item_that_has_a_candidate_twice_says_nothing_of_candidates():
    twice = {"I-1": ("gpt", "gpt", "rule", "ten")}
    found = candidate_rows(ranked([("I-1", "R-1", "a>b>c>d"), ("I-2", "R-1", "a>b>c>d")], twice), QUICK)
    assert {row["n"] for row in found} == {1}


def test_intervals_hold_the_estimates():
    for row in candidate_rows(ranked(simulated(1)), QUICK):
        assert row["rank_low"] < row["mean_rank"] < row["rank_high"]
        assert row["low"] < row["strength"] < row["high"]


def test_mean_ranks_have_their_own_method_where_there_are_no_strengths():
    tied = candidate_rows(ranked([(f"I-{n}", "R-1", "a=b>c>d") for n in range(6)]), QUICK)
    methods = {(row["rank_interval_method"], row["interval_method"]) for row in tied}
    assert methods == {("percentile-bootstrap:items", "none:tied_ranks")}
    few = candidate_rows(ranked([("I-1", "R-1", "a>b>c>d")]), QUICK)
    assert {(row["rank_low"], row["rank_interval_method"]) for row in few} == {(None, "none:too_few_items")}
