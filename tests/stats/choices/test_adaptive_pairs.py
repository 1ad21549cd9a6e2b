"""Pairs are chosen where the order is open, within the budget, and for a stated reason no longer."""

from __future__ import annotations

import random
from dataclasses import astuple, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import kendalltau

from scoring.bundle.recompute.pairs import choosing
from scoring.stats.choices.adaptive_pairs import (
    BUDGET,
    MEETINGS,
    ORDER_KNOWN,
    PAIR_LIMIT,
    PRIOR_VARIANCE,
    ROUND_LIMIT,
    PairCount,
    PairingLimits,
    connected,
    fewest_comparisons,
    first_round,
    fitted,
    next_round,
)

pytestmark = pytest.mark.pure

LIMITS = PairingLimits(budget=200, per_round=5, per_item=50, rounds=200)


def all_pairs(candidates: int) -> list[PairCount]:
    return [
        PairCount(f"{one}-{other}", f"c{one}", f"c{other}")
        for one, other in combinations(range(candidates), 2)
    ]


@st.composite
def answered(draw: st.DrawFn) -> list[PairCount]:
    """All pairs of a few candidates, with any answers and some slots that wait."""
    few = st.integers(0, 6)
    counts = []
    for one in all_pairs(draw(st.integers(2, 6))):
        wins, losses, ties, pending = draw(few), draw(few), draw(few), draw(st.integers(0, 2))
        slots = wins + losses + ties + pending
        counts.append(replace(one, wins=wins, losses=losses, ties=ties, pending=pending, slots=slots))
    return counts


@given(st.integers(2, 9), st.integers(0, 2**31))
def test_the_first_round_connects_all_candidates_and_none_meets_only_one_other(n: int, seed: int) -> None:
    counts = all_pairs(n)
    chosen = first_round(counts, LIMITS, seed=seed).items
    taken = [one for one in counts if one.item in chosen]
    assert len(set(chosen)) == len(chosen) <= n + 1
    assert connected(taken)
    for name in {name for one in counts for name in (one.first, one.second)}:
        assert sum(name in (one.first, one.second) for one in taken) >= min(MEETINGS, n - 1)


@given(answered(), st.integers(1, 12), st.integers(1, 20), st.integers(1, 60), st.integers(0, 99))
def test_a_round_stays_within_its_limits_and_is_the_same_again(
    counts: list[PairCount], per_round: int, per_item: int, budget: int, seed: int
) -> None:
    limits = PairingLimits(budget, per_round, per_item, 200)
    chosen = next_round(counts, limits, seed=seed, number=2)
    by_item = {one.item: one for one in counts}
    assert len(set(chosen.items)) == len(chosen.items) <= per_round
    assert all(by_item[item].slots < per_item for item in chosen.items)
    assert sum(one.slots for one in counts) + len(chosen.items) <= max(
        budget, sum(one.slots for one in counts)
    )
    assert bool(chosen.items) != bool(chosen.stopped)
    # Neither the order of the items nor the sides of a pair decide.
    turned = [
        replace(one, first=one.second, second=one.first, wins=one.losses, losses=one.wins)
        for one in random.Random(seed).sample(counts, len(counts))
    ]
    assert next_round(turned, limits, seed=seed, number=2).items == chosen.items


@given(answered())
def test_the_fit_is_where_the_posterior_is_highest(counts: list[PairCount]) -> None:
    fit = fitted(counts)

    def log_posterior(strengths: np.ndarray) -> float:
        of = dict(zip(fit.names, strengths, strict=True))
        found = -float(np.sum(strengths**2)) / 2 / PRIOR_VARIANCE
        for one in counts:
            won = float(np.log(expit(of[one.first] - of[one.second])))
            lost = float(np.log(expit(of[one.second] - of[one.first])))
            found += (one.wins + one.ties / 2) * won + (one.losses + one.ties / 2) * lost
        return found

    best = log_posterior(fit.strengths)
    for place in range(len(fit.names)):
        for step in (-0.01, 0.01):
            moved = fit.strengths.copy()
            moved[place] += step
            assert log_posterior(moved) < best


def with_answers(**answers: tuple[int, int]) -> list[PairCount]:
    """Three candidates; answers by pair, such as `p01=(wins, losses)`."""
    return [
        replace(one, wins=wins, losses=losses, slots=wins + losses)
        for one in all_pairs(3)
        for wins, losses in [answers.get("p" + one.item.replace("-", ""), (0, 0))]
    ]


def test_what_is_known_is_not_asked_again() -> None:
    counts = with_answers(p01=(20, 20), p02=(30, 1), p12=(30, 1))
    assert next_round(counts, LIMITS, seed=1, number=2).items == ("0-1",)


def test_it_stops_when_the_order_is_known_or_the_budget_or_the_pairs_are_used_up() -> None:
    known = with_answers(p01=(60, 5), p02=(60, 1), p12=(60, 5))
    assert next_round(known, LIMITS, seed=1, number=2).stopped == ORDER_KNOWN
    open_order = with_answers(p01=(20, 20), p02=(30, 1), p12=(30, 1))
    spent = PairingLimits(budget=102, per_round=5, per_item=50, rounds=200)
    assert next_round(open_order, spent, seed=1, number=2).stopped == BUDGET
    full = PairingLimits(budget=200, per_round=5, per_item=40, rounds=200)
    assert next_round(open_order, full, seed=1, number=2).stopped == PAIR_LIMIT
    retired = [replace(one, closed=one.item == "0-1") for one in open_order]
    assert next_round(retired, LIMITS, seed=1, number=2).stopped == PAIR_LIMIT
    assert next_round(open_order, LIMITS, seed=1, number=200).stopped == ""
    assert next_round(open_order, LIMITS, seed=1, number=201).stopped == ROUND_LIMIT


def test_the_first_round_asks_for_nothing_that_answers_connect_already() -> None:
    counts = all_pairs(4)
    answered = {"0-1", "1-2", "2-3"}
    known = [replace(one, wins=1, slots=1) if one.item in answered else one for one in counts]
    assert fewest_comparisons(known) == 0
    assert set(first_round(known, LIMITS, seed=1).items) == {"0-3"}
    whole = [replace(one, wins=1, slots=1) for one in counts]
    assert first_round(whole, LIMITS, seed=1).items == next_round(whole, LIMITS, seed=1, number=1).items
    spent = PairingLimits(budget=3, per_round=5, per_item=50, rounds=200)
    assert first_round(known, spent, seed=1).stopped == BUDGET


def test_a_pair_that_waits_for_answers_does_not_come_before_one_that_does_not() -> None:
    counts = all_pairs(4)
    waiting = [replace(one, slots=3, pending=3) if one.item == "0-1" else one for one in counts]
    one_each = PairingLimits(budget=200, per_round=5, per_item=50, rounds=200)
    assert "0-1" not in next_round(waiting, one_each, seed=5, number=2).items


def mean_tau(*, adaptive: bool, comparisons: int) -> float:
    """Rank correlation of fitted and true strengths of ten candidates, over simulated studies."""
    found = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0, 2, 10)
        counts = {one.item: one for one in all_pairs(10)}
        limits = PairingLimits(comparisons, 10, 1000, 1000)
        items = first_round(list(counts.values()), limits, seed=seed).items
        shuffled: list[str] = []
        used, number = 0, 1
        while items:
            for item in items:
                one = counts[item]
                first, second = (int(name[1:]) for name in (one.first, one.second))
                won = int(rng.random() < expit(truth[first] - truth[second]))
                counts[item] = replace(
                    one, wins=one.wins + won, losses=one.losses + 1 - won, slots=one.slots + 1
                )
            used, number = used + len(items), number + 1
            if adaptive:
                items = next_round(list(counts.values()), limits, seed=seed, number=number).items
            else:
                shuffled = shuffled or list(rng.permutation(list(counts)))
                most = min(10, comparisons - used)
                items, shuffled = tuple(shuffled[:most]), shuffled[most:]
        found.append(kendalltau(fitted(list(counts.values())).strengths, truth).statistic)
    return float(np.mean(found))


def test_fewer_comparisons_reach_the_rank_correlation_of_pairs_drawn_in_turn() -> None:
    assert mean_tau(adaptive=True, comparisons=150) > mean_tau(adaptive=False, comparisons=200)


@st.composite
def many_items(draw: st.DrawFn) -> list[PairCount]:
    """Several items for each pair of a few candidates, with any answers; some are closed."""
    few, counts = st.integers(0, 4), []
    for one in all_pairs(draw(st.integers(2, 6))):
        for copy in range(draw(st.integers(1, 4))):
            wins, losses, ties, pending = draw(few), draw(few), draw(few), draw(st.integers(0, 2))
            counts.append(
                replace(
                    one,
                    item=f"{one.item}-{copy}",
                    wins=wins,
                    losses=losses,
                    ties=ties,
                    pending=pending,
                    slots=wins + losses + ties + pending,
                    closed=draw(st.integers(0, 9)) == 0,
                )
            )
    return counts


@given(many_items(), st.integers(1, 60), st.integers(1, 20), st.integers(1, 600), st.integers(0, 99))
def test_a_round_has_the_items_that_the_program_of_bundles_chooses(
    counts: list[PairCount], per_round: int, per_item: int, budget: int, seed: int
) -> None:
    chosen = next_round(counts, PairingLimits(budget, per_round, per_item, 200), seed=seed, number=2)
    pairs = [choosing.Pair(*astuple(one)) for one in counts]
    again = choosing.choose_items(pairs, choosing.Limits(budget, per_round, per_item, 200), seed, 2)
    assert (list(chosen.items), chosen.stopped) == (again.items, again.stopped)
