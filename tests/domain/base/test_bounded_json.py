"""JSON is read up to a depth, however deep it goes on."""

from __future__ import annotations

import pytest

from annotation.domain.base.bounded_json import DEEPEST, TooDeeplyNested, load_json


@pytest.mark.parametrize("opened", ["[", '{"a":'])
def test_the_deepest_level_is_read(opened):
    closed = "]" if opened == "[" else "}"
    assert load_json(opened * DEEPEST + "1" + closed * DEEPEST)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 500, 1_100, 100_000])
@pytest.mark.parametrize("opened", ["[", '{"a":'])
def test_one_more_is_refused(opened, depth):
    closed = "]" if opened == "[" else "}"
    with pytest.raises(TooDeeplyNested, match=f"more than {DEEPEST} levels deep"):
        load_json(opened * depth + "1" + closed * depth)


@pytest.mark.parametrize("text", ["", "[1", "nonsense"])
def test_what_is_not_json_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"Expecting"):
        load_json(text)
