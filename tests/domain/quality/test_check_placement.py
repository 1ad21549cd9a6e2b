"""Checks come by a seeded rule: never first, never two in a row, each exactly once."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.check_placement import (
    EvenlyWithin,
    FixedInterval,
    PlacedCheck,
    find_due_check,
    item_to_repeat,
    place_checks,
)

SEEDS = st.integers(0, 2**31)
CHECKS = st.lists(st.sampled_from("abcdefgh"), max_size=8)
RULES = st.integers(1, 12).flatmap(
    lambda items: st.builds(FixedInterval, st.just(items), st.integers(0, (items - 1) // 2))
) | st.builds(EvenlyWithin, st.integers(8, 60))


@given(CHECKS, RULES, SEEDS, SEEDS)
def test_each_check_comes_once_never_first_and_never_two_in_a_row(checks, rule, seed, rater_seed):
    planted = place_checks(checks, rule, seed=seed, rater_seed=rater_seed)
    assert sorted(place.check for place in planted) == sorted(checks)
    pages = [place.after + number for number, place in enumerate(planted, start=1)]
    assert all(page > 1 for page in pages)
    assert all(later - sooner > 1 for sooner, later in itertools.pairwise(pages))
    if isinstance(rule, EvenlyWithin):
        room = rule.items if len(checks) == rule.items else rule.items - 1
        assert all(place.after <= room for place in planted)


@given(CHECKS, RULES, SEEDS, SEEDS)
def test_following_the_rule_page_by_page_plants_exactly_that(checks, rule, seed, rater_seed):
    """Asked again before every page, as when the rater leaves and comes back each time."""
    wanted = place_checks(checks, rule, seed=seed, rater_seed=rater_seed)
    items, last_was_check = 0, False
    came: list[PlacedCheck] = []
    for _ in range(2 * 200):
        planted = place_checks(checks, rule, seed=seed, rater_seed=rater_seed)
        now = find_due_check(
            planted, items_answered=items, checks_answered=len(came), last_was_check=last_was_check
        )
        last_was_check = now is not None
        if now is None:
            items += 1
        else:
            assert now.after == items
            came.append(now)
    assert tuple(came) == wanted


def test_an_overdue_check_does_not_follow_another():
    planted = (PlacedCheck(2, "a"), PlacedCheck(4, "b"))
    assert find_due_check(planted, items_answered=9, checks_answered=1, last_was_check=False) == planted[1]
    assert find_due_check(planted, items_answered=9, checks_answered=1, last_was_check=True) is None
    assert find_due_check(planted, items_answered=9, checks_answered=2, last_was_check=False) is None


def test_raters_meet_the_checks_at_places_and_in_orders_of_their_own():
    seen = {place_checks("abcd", FixedInterval(10, 3), seed=1, rater_seed=rater) for rater in range(50)}
    assert len(seen) > 40
    assert {places[0].after for places in seen} == set(range(7, 14))


@pytest.mark.parametrize(
    "rule", [FixedInterval(0), FixedInterval(4, 2), FixedInterval(3, -1), EvenlyWithin(2)]
)
def test_checks_that_would_meet_are_refused(rule):
    with pytest.raises(InvalidContent) as refusal:
        place_checks("abc", rule, seed=1, rater_seed=1)
    assert refusal.value.code == "no_room_for_checks"


@given(st.lists(st.uuids().map(str), max_size=30, unique=True), st.integers(0, 10), SEEDS, st.data())
def test_an_item_is_repeated_after_a_distance_and_only_once(rated, distance, seed, data):
    repeated = data.draw(st.sets(st.sampled_from(rated)) if rated else st.just(set()))
    again = item_to_repeat(rated, repeated, distance=distance, seed=seed, rater_seed=2)
    far = set(rated[: max(0, len(rated) - distance)]) - repeated
    assert (again in far) if far else again is None
