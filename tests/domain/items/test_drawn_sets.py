"""Sets for best–worst scaling: items and pairs come equally often, no set twice, the same by seed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.items.drawn_sets import draw_sets, number_of_sets

SIZES = st.integers(3, 6)
FACTORS = st.sampled_from([Fraction(1, 2), 1, 1.5, 2, 3])
SEEDS = st.integers(0, 2**31)


@st.composite
def asked(draw):
    size = draw(SIZES)
    return draw(st.integers(size, 12)), size, draw(FACTORS), draw(SEEDS)


@settings(max_examples=20)
@given(asked())
def test_items_are_in_equally_many_sets_and_no_set_is_drawn_twice(asked):
    length, size, factor, seed = asked
    drawn = draw_sets(length, size=size, factor=factor, seed=seed)
    assert drawn == draw_sets(length, size=size, factor=factor, seed=seed)
    assert len(drawn.sets) == number_of_sets(length, size, factor)
    assert all(len(set(one)) == size for one in drawn.sets)
    assert len(set(map(frozenset, drawn.sets))) == len(drawn.sets)
    times = Counter(itertools.chain.from_iterable(drawn.sets))
    shown = [times[item] for item in range(length)]
    assert max(shown) - min(shown) <= 1
    assert drawn.shown == dict(Counter(shown))


@settings(max_examples=20)
@given(asked())
def test_the_distribution_counts_every_pair_of_items_once(asked):
    length, size, factor, seed = asked
    drawn = draw_sets(length, size=size, factor=factor, seed=seed)
    assert sum(drawn.meetings.values()) == math.comb(length, 2)
    met = sum(times * pairs for times, pairs in drawn.meetings.items())
    assert met == len(drawn.sets) * math.comb(size, 2)


@settings(max_examples=15)
@given(st.lists(st.integers(4, 7), min_size=1, max_size=3), FACTORS, SEEDS)
def test_within_groups_a_set_never_mixes_two_groups(lengths, factor, seed):
    groups = [group for group, length in enumerate(lengths) for _ in range(length)]
    drawn = draw_sets(len(groups), size=4, factor=factor, seed=seed, groups=groups)
    found: Counter[int] = Counter()
    for one in drawn.sets:
        (group,) = {groups[item] for item in one}
        found[group] += 1
    assert found == Counter({g: number_of_sets(length, 4, factor) for g, length in enumerate(lengths)})
    assert sum(drawn.meetings.values()) == sum(math.comb(length, 2) for length in lengths)


@pytest.mark.parametrize(
    ("length", "size", "factor", "meetings"),
    [
        (7, 3, 1, {1: 21}),
        (9, 3, Fraction(4, 3), {1: 36}),
        (13, 4, 1, {1: 78}),
        (12, 4, 2, {2: 54, 3: 12}),
        (40, 4, 1.5, {0: 420, 1: 360}),
        (200, 4, 2, {0: 17_500, 1: 2_400}),
    ],
)
def test_pairs_meet_as_evenly_as_they_can_where_such_sets_are_found(length, size, factor, meetings):
    assert draw_sets(length, size=size, factor=factor, seed=3).meetings == meetings


def test_a_group_with_fewer_different_sets_than_asked_has_each_of_them():
    drawn = draw_sets(5, size=4, factor=2, seed=1)
    assert set(map(frozenset, drawn.sets)) == set(map(frozenset, itertools.combinations(range(5), 4)))


def test_an_item_has_each_place_of_a_set_about_equally_often():
    drawn = draw_sets(20, size=4, factor=20, seed=5)
    places = Counter(place for one in drawn.sets for place, item in enumerate(one) if item < 5)
    # 400 of items 0 to 4; beyond five standard deviations of chance.
    assert all(55 < places[place] < 145 for place in range(4))


@pytest.mark.parametrize(
    ("length", "asked", "code"),
    [
        (20, {"size": 2}, "bad_set_size"),
        (20, {"size": 7}, "bad_set_size"),
        (20, {"factor": 0}, "bad_set_factor"),
        (20, {"factor": 21}, "bad_set_factor"),
        (3, {}, "too_few_for_sets"),
        (0, {}, "too_few_for_sets"),
        (7, {"groups": "aaaabbb"}, "too_few_for_sets"),
        (60_000, {}, "too_many_sets"),
    ],
)
def test_what_cannot_be_drawn_is_refused(length, asked, code):
    with pytest.raises(InvalidContent) as refusal:
        draw_sets(length, seed=1, **asked)
    assert refusal.value.code == code
