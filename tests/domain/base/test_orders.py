"""A rater's order is stable, and puts candidates of a group together or far from each other."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.orders import GroupPlacement, rater_order, sides_swapped

GROUPS = st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=40)
SEEDS = st.integers(0, 2**31)


def order_of(groups: list[str], **options) -> tuple[int, ...]:
    return rater_order(range(len(groups)), groups, **options)


def neighbours(order: tuple[int, ...], groups: list[str]) -> int:
    return sum(bool(groups[one]) and groups[one] == groups[other] for one, other in itertools.pairwise(order))


@given(GROUPS, SEEDS, SEEDS, st.sampled_from(GroupPlacement))
def test_everything_comes_once_and_the_same_way_again(groups, seed, rater_seed, keep):
    order = order_of(groups, seed=seed, rater_seed=rater_seed, keep=keep)
    assert sorted(order) == list(range(len(groups)))
    assert order == order_of(groups, seed=seed, rater_seed=rater_seed, keep=keep)


@given(GROUPS, SEEDS)
def test_groups_shown_together_are_unbroken(groups, seed):
    order = order_of(groups, seed=seed, rater_seed=1, keep=GroupPlacement.TOGETHER)
    runs = [group for group, _ in itertools.groupby(groups[item] for item in order) if group]
    assert len(runs) == len(set(runs))


@given(GROUPS, SEEDS)
def test_separated_groups_meet_as_rarely_as_possible(groups, seed):
    order = order_of(groups, seed=seed, rater_seed=1, keep=GroupPlacement.SEPARATED)
    largest = max(Counter(group for group in groups if group).values(), default=0)
    assert neighbours(order, groups) == max(0, 2 * largest - len(groups) - 1)


def test_separated_candidates_lie_far_from_each_other():
    groups = [str(item % 20) for item in range(100)]
    order = order_of(groups, seed=4, rater_seed=9, keep=GroupPlacement.SEPARATED)
    places = {item: place for place, item in enumerate(order)}
    distances = [
        abs(places[one] - places[other])
        for one, other in itertools.combinations(range(100), 2)
        if groups[one] == groups[other]
    ]
    assert sum(distances) / len(distances) > 30
    assert sum(distance < 5 for distance in distances) < 0.05 * len(distances)


def test_raters_have_orders_of_their_own():
    groups = [""] * 30
    orders = {order_of(groups, seed=1, rater_seed=rater) for rater in range(20)}
    assert len(orders) == 20


def test_each_place_is_equally_likely():
    firsts = Counter(order_of([""] * 4, seed=7, rater_seed=rater)[0] for rater in range(2000))
    assert all(400 < count < 600 for count in firsts.values())


def test_sides_are_swapped_for_about_half_of_the_pairs_and_stay_so():
    swapped = [sides_swapped(f"pair-{number}", seed=3, rater_seed=5) for number in range(1000)]
    assert swapped == [sides_swapped(f"pair-{number}", seed=3, rater_seed=5) for number in range(1000)]
    assert 430 < sum(swapped) < 570
    assert swapped != [sides_swapped(f"pair-{number}", seed=3, rater_seed=6) for number in range(1000)]
