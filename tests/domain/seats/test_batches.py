"""Batches hold each item exactly once and keep the rule about groups, or are refused."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.seats.batches import make_batches

GROUPS = st.lists(st.sampled_from(["", "a", "b", "c", "d", "e"]), max_size=60)
SIZES = st.integers(1, 25)
SEEDS = st.integers(0, 2**31)


def batches_of(groups: list[str], **options):
    return make_batches(range(len(groups)), groups, **options)


def largest_group(groups: list[str]) -> int:
    return max(Counter(group for group in groups if group).values(), default=min(1, len(groups)))


@given(GROUPS, SIZES, SEEDS, st.sampled_from(GroupPlacement))
def test_each_item_is_in_exactly_one_batch_of_at_most_that_size(groups, size, seed, keep):
    try:
        batches = batches_of(groups, size=size, seed=seed, keep_groups=keep)
    except InvalidContent:
        assert keep is not GroupPlacement.FREE
        return
    assert sorted(item for batch in batches for item in batch) == list(range(len(groups)))
    assert all(0 < len(batch) <= size for batch in batches)


@given(GROUPS, SIZES, SEEDS)
def test_free_batches_are_as_few_and_as_even_as_can_be(groups, size, seed):
    lengths = [len(batch) for batch in batches_of(groups, size=size, seed=seed)]
    assert len(lengths) == math.ceil(len(groups) / size)
    assert max(lengths, default=0) - min(lengths, default=0) <= 1


@given(GROUPS, SIZES, SEEDS)
def test_a_group_stays_in_one_batch_exactly_where_it_fits(groups, size, seed):
    if largest_group(groups) > size:
        with pytest.raises(InvalidContent) as refusal:
            batches_of(groups, size=size, seed=seed, keep_groups=GroupPlacement.TOGETHER)
        assert refusal.value.code == "group_too_large"
        return
    batches = batches_of(groups, size=size, seed=seed, keep_groups=GroupPlacement.TOGETHER)
    for group in set(groups) - {""}:
        assert sum(any(groups[item] == group for item in batch) for batch in batches) == 1
    assert len(batches) < max(2, 2 * len(groups) / size + 1)


@given(GROUPS, SIZES, SEEDS)
def test_a_group_never_meets_itself_exactly_where_there_are_batches_enough(groups, size, seed):
    if largest_group(groups) > math.ceil(len(groups) / size):
        with pytest.raises(InvalidContent) as refusal:
            batches_of(groups, size=size, seed=seed, keep_groups=GroupPlacement.SEPARATED)
        assert refusal.value.code == "groups_cannot_be_apart"
        found = re.search(r"at most (\d+) items", refusal.value.message)
        assert found
        most = int(found[1])
        assert batches_of(groups, size=most, seed=seed, keep_groups=GroupPlacement.SEPARATED)
        assert most < size
        return
    batches = batches_of(groups, size=size, seed=seed, keep_groups=GroupPlacement.SEPARATED)
    for batch in batches:
        assert max(Counter(groups[item] for item in batch if groups[item]).values(), default=0) <= 1


@given(GROUPS, SIZES, SEEDS)
def test_the_seed_decides(groups, size, seed):
    assert batches_of(groups, size=size, seed=seed) == batches_of(groups, size=size, seed=seed)


def test_another_seed_makes_other_batches():
    groups = [""] * 100
    assert batches_of(groups, size=20, seed=1) != batches_of(groups, size=20, seed=2)


def test_groups_of_five_fill_batches_of_twenty_to_the_brim():
    groups = [str(item // 5) for item in range(100)]
    batches = batches_of(groups, size=20, seed=3, keep_groups=GroupPlacement.TOGETHER)
    assert [len(batch) for batch in batches] == [20] * 5


def test_long_groups_are_packed_where_even_batches_would_overflow():
    groups = list("aaabbbccddee")
    batches = batches_of(groups, size=6, seed=1, keep_groups=GroupPlacement.TOGETHER)
    assert sorted(len(batch) for batch in batches) == [6, 6]


def test_no_size_and_no_item_twice():
    with pytest.raises(InvalidContent) as refusal:
        make_batches(["x"], [""], size=0, seed=1)
    assert refusal.value.code == "batch_size"
    with pytest.raises(InvalidContent) as refusal:
        make_batches(["x", "x"], ["", ""], size=2, seed=1)
    assert refusal.value.code == "item_twice"
