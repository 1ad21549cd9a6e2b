"""Components from raters' tuples: what most of them say, and of equally frequent answers the first."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.hauser.base.parts import Components, Part
from scoring.hauser.components.raters_components import NONE_BY_RATERS, find_majority_components

TEXT = "The road is a ribbon and the moon a galleon."


def marks(*tuples: dict[str, str]) -> list[dict[str, Any]]:
    """Marks of one rater; each wording at its first place in the text, if it has one."""
    found = []
    for number, parts in enumerate(tuples, start=1):
        for part, words in parts.items():
            start = TEXT.find(words)
            place = (start, start + len(words)) if start >= 0 else (None, None)
            found.append({"tuple": number, "part": part, "start": place[0], "end": place[1], "text": words})
    return found


ROAD = {"tenor": "The road", "vehicle": "a ribbon"}
MOON = {"tenor": "the moon", "vehicle": "a galleon"}


def words(pair: Components) -> dict[str, str]:
    return {name: part.text for name, part in vars(pair).items() if part}


def test_a_pair_is_taken_when_more_than_half_of_the_raters_name_its_vehicle() -> None:
    found = find_majority_components([marks(ROAD, MOON), marks(ROAD), marks(MOON, ROAD)], TEXT)
    assert [words(pair) for pair in found.pairs] == [
        {"topic": "The road", "vehicle": "a ribbon"},
        {"topic": "the moon", "vehicle": "a galleon"},
    ]
    assert [
        pair.vehicle.text for pair in find_majority_components([marks(ROAD, MOON), marks(ROAD)], TEXT).pairs
    ] == ["a ribbon"]


def test_wordings_that_are_looked_up_as_the_same_are_one_in_its_most_frequent_form() -> None:
    short = {"tenor": "road", "vehicle": "ribbon"}
    (pair,) = find_majority_components([marks(short), marks(ROAD), marks(ROAD)], TEXT).pairs
    assert pair == Components(Part("The road", 0, 8), Part("a ribbon", 12, 20))


def test_without_a_majority_the_most_named_is_taken_and_of_equal_ones_the_first() -> None:
    (pair,) = find_majority_components([marks(MOON), marks(ROAD)], TEXT).pairs
    assert pair.vehicle.text == "a galleon"


def test_each_part_is_voted_on_and_one_that_most_leave_out_is_left_out() -> None:
    silver = {**ROAD, "ground": "silver"}
    long = {**ROAD, "ground": "long", "event": "is"}
    (pair,) = find_majority_components([marks(long), marks(silver), marks(silver)], TEXT).pairs
    assert (pair.property, pair.event) == (Part("silver"), None)


def test_a_vehicle_keeps_all_topics_that_most_of_its_raters_give_it() -> None:
    both = [ROAD, {"tenor": "the moon", "vehicle": "a ribbon"}]
    found = find_majority_components([marks(*both), marks(*both), marks(ROAD)], TEXT)
    assert [words(pair)["topic"] for pair in found.pairs] == ["The road", "the moon"]


def test_where_more_than_half_see_none_there_is_none() -> None:
    assert find_majority_components([[], marks(ROAD), []], TEXT).reason == NONE_BY_RATERS
    assert find_majority_components([[], marks(ROAD)], TEXT).pairs
    assert find_majority_components([[]], TEXT).reason == NONE_BY_RATERS
    assert find_majority_components([marks({"tenor": "The road"})], TEXT).reason == NONE_BY_RATERS


def test_a_part_that_is_not_where_it_was_marked_has_no_place() -> None:
    moved = [{**mark, "start": 1, "end": 3} for mark in marks(ROAD)]
    (pair,) = find_majority_components([moved], TEXT).pairs
    assert pair == Components(Part("The road"), Part("a ribbon"))


rater = st.lists(
    st.fixed_dictionaries(
        {"vehicle": st.sampled_from(["a ribbon", "a galleon", "road"])},
        optional={
            "tenor": st.sampled_from(["the moon", "The road"]),
            "ground": st.sampled_from(["silver", "long", "…"]),
        },
    ),
    max_size=3,
)


@given(st.lists(rater, min_size=1, max_size=5))
def test_every_pair_is_one_that_a_rater_marked_and_raters_of_one_mind_are_repeated(raters) -> None:
    found = find_majority_components([marks(*own) for own in raters], TEXT)
    marked = {(one["vehicle"], one.get("tenor")) for own in raters for one in own}
    assert bool(found.pairs) != bool(found.reason)
    assert {(pair.vehicle.text, pair.topic and pair.topic.text) for pair in found.pairs} <= marked
    alone = find_majority_components([marks(*raters[0])], TEXT)
    assert alone == find_majority_components([marks(*raters[0])] * 3, TEXT)
    assert {pair.vehicle.text for pair in alone.pairs} == {one["vehicle"] for one in raters[0]}
