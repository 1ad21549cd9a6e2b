"""A recording counts as heard when it was played, stated or its transcript read, and stays heard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.items.heard import HEARD, PLAYED_THROUGH, heard_through, refuse_unheard

BLOCKS: list[dict[str, object]] = [
    {"field": "sound", "role": "audio", "whole": True},
    {"field": "film", "role": "video"},
    {"field": "picture", "role": "image"},
    {"field": "text", "role": "figure"},
]
FIELDS = {"sound": "a.wav", "film": "b.mp4", "picture": "c.png", "text": "It rained."}


def test_recordings_alone_are_heard():
    reported = dict.fromkeys(FIELDS, PLAYED_THROUGH)
    assert heard_through(BLOCKS, FIELDS, reported, {}) == {"sound": "played", "film": "played"}


def test_what_no_page_says_is_left_out():
    assert heard_through(BLOCKS, FIELDS, {"sound": "half", "other": "played"}, {}) == {}
    assert heard_through(BLOCKS, {"film": "b.mp4"}, {"sound": "played"}, {}) == {}


@given(st.sampled_from(["", *HEARD]), st.sampled_from(["", *HEARD]))
def test_a_correction_keeps_the_surest_way(reported, before):
    found = heard_through(BLOCKS, FIELDS, {"sound": reported}, {"sound": before})
    ways = [way for way in HEARD if way in {reported, before}]
    assert found == ({"sound": ways[0]} if ways else {})


def test_only_what_must_be_heard_prevents_saving():
    with pytest.raises(InvalidAnswer) as refused:
        refuse_unheard(BLOCKS, FIELDS, {"film": "played"})
    assert list(refused.value.fields) == ["sound"]
    refuse_unheard(BLOCKS, FIELDS, {"sound": "read"})
    refuse_unheard(BLOCKS, {**FIELDS, "sound": ""}, {})
