"""Pairs from a ranking: one from the top p %, one from the rest, the same for the same seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.items.drawn_pairs import draw_pairs


@given(
    st.integers(20, 400),
    st.lists(st.sampled_from([10, 20, 30, 40, 50]), min_size=1, unique=True),
    st.integers(1, 2),
    st.integers(0, 2**31),
)
def test_each_pair_has_one_of_the_top_and_one_of_the_rest_and_no_item_twice(length, percents, pairs, seed):
    drawn = draw_pairs(length, percents=percents, pairs=pairs, seed=seed)
    assert drawn == draw_pairs(length, percents=percents, pairs=pairs, seed=seed)
    assert [pair.percent for pair in drawn] == [percent for percent in percents for _ in range(pairs)]
    for percent in percents:
        own = [pair for pair in drawn if pair.percent == percent]
        top = length * percent // 100
        assert all(pair.high < top <= pair.low < length for pair in own)
        assert len({pair.high for pair in own}) == len({pair.low for pair in own}) == pairs


def test_the_one_of_the_top_is_on_either_side():
    drawn = draw_pairs(2000, percents=[50], pairs=400, seed=3)
    # Beyond five standard deviations of a fair coin.
    assert 150 < sum(pair.high_side == "a" for pair in drawn) < 250


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"length": 50, "percents": [10], "pairs": 6}, "too_few_ranked"),
        ({"length": 50, "percents": [0], "pairs": 1}, "bad_percent"),
        ({"length": 50, "percents": [], "pairs": 1}, "bad_percent"),
        ({"length": 50, "percents": [10], "pairs": 0}, "bad_pairs"),
    ],
)
def test_what_cannot_be_drawn_is_refused(asked, code):
    length = asked.pop("length")
    with pytest.raises(InvalidContent) as refusal:
        draw_pairs(length, seed=1, **asked)
    assert refusal.value.code == code
