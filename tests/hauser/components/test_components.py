"""The built-in extractor: what counts as a simile, what its parts are, and where they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Components, Part
from scoring.hauser.base.word_list import word_list
from scoring.hauser.components.built_in import extract, may_hold_simile

PARTS = ("topic", "vehicle", "event", "property", "comparator")


def texts(pair: Components) -> dict[str, str]:
    """The wording of the parts that were found."""
    parts = {name: getattr(pair, name) for name in PARTS}
    return {name: part.text for name, part in parts.items() if part is not None}


def only_pair(sentence: str) -> dict[str, str]:
    (pair,) = extract(sentence).pairs
    return texts(pair)


@pytest.mark.parametrize(
    ("sentence", "topic", "event", "vehicle"),
    [
        ("The sunset is like a dark, dark rose.", "The sunset", "is", "a dark, dark rose"),
        ("The old gate groaned like a wounded animal.", "The old gate", "groaned", "a wounded animal"),
        ("Her voice, like a silver bell, rang out.", "Her voice", None, "a silver bell"),
        ("The candle that Anna lit glowed like a star.", "The candle", "glowed", "a star"),
        ("The river bends and glitters like a ribbon.", "The river", "glitters", "a ribbon"),
        ("The boy who broke his arm howled like a wolf.", "The boy", "howled", "a wolf"),
        ("The roofs of the town shone like wet slate.", "The roofs of the town", "shone", "wet slate"),
        ("They live in a house shaped like a shoe.", "a house", "shaped", "a shoe"),
        ("The walls were painted to look like marble.", "The walls", "look", "marble"),
        ("She had a laugh like broken glass.", "a laugh", "had", "broken glass"),
        ("Waiting for him is like watching paint dry.", "Waiting for him", "is", "watching paint dry"),
        ("Mr. Hill, an old sailor, swears like a trooper.", "Mr. Hill", "swears", "a trooper"),
        ("Like lightning he turned round.", "he", "turned", "lightning"),
        ("Are your hands like ice?", "your hands", "Are", "ice"),
    ],
)
def test_the_topic_is_the_noun_phrase_that_the_vehicle_describes(sentence, topic, event, vehicle):
    expected = {"topic": topic, "event": event, "vehicle": vehicle, "comparator": "like"}
    found = only_pair(sentence)
    assert found | {"comparator": found["comparator"].lower()} == {
        name: text for name, text in expected.items() if text is not None
    }


@pytest.mark.parametrize(
    ("sentence", "vehicle"),
    [
        ("He was like a kid in a candy store.", "a kid in a candy store"),
        ("It all fell down, and the plan burst like a bubble in the sun.", "a bubble"),
        ("The town lay there like a box of toys, quiet and bright.", "a box of toys"),
        ("The sails stood out like the wings of a great white bird.", "the wings of a great white bird"),
        ('The hall felt like a "second home" to us.', 'a "second home"'),
        ("The pair fought like cat and dog.", "cat and dog"),
        ("His eyes glowed like burning coals.", "burning coals"),
        ("The noise was like children playing in the snow.", "children playing in the snow"),
    ],
)
def test_the_vehicle_carries_what_it_needs(sentence, vehicle):
    assert only_pair(sentence)["vehicle"] == vehicle


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("The bag was new. It was as light as a feather.", "The bag"),
        ("Anna picked up the coin because it shone like a star.", "the coin"),
        ("The cakes were so old that they were as hard as bricks.", "The cakes"),
        ("Peter is small, but he is as strong as an ox.", "he"),
    ],
)
def test_a_pronoun_of_a_thing_is_resolved_to_its_noun_and_that_of_a_person_stays(sentence, topic):
    (pair,) = extract(sentence).pairs
    assert pair.topic == Part(topic, sentence.index(topic), sentence.index(topic) + len(topic))


def test_the_words_between_as_and_as_are_the_property():
    assert only_pair("The room was as quiet as a grave.") == {
        "topic": "The room",
        "event": "was",
        "property": "quiet",
        "comparator": "as quiet as",
        "vehicle": "a grave",
    }


def test_an_adjective_before_like_is_the_property():
    assert only_pair("Her cheeks turned red like apples.")["property"] == "red"


@pytest.mark.parametrize(
    ("sentence", "vehicle"),
    [
        ("He walked as if the floor were hot.", "the floor were hot"),
        ("She stared at me as though I were a ghost.", "a ghost"),
    ],
)
def test_as_if_compares_with_a_clause_or_with_the_noun_that_it_names(sentence, vehicle):
    assert only_pair(sentence)["vehicle"] == vehicle


def test_several_pairs_come_in_their_order():
    pairs = extract("Her hair was as black as night, and her eyes shone like stars.").pairs
    assert [(texts(pair)["topic"], texts(pair)["vehicle"]) for pair in pairs] == [
        ("Her hair", "night"),
        ("her eyes", "stars"),
    ]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("", reasons.EMPTY),
        (" \n", reasons.EMPTY),
        ("The cat sleeps.", reasons.NO_COMPARATOR),
        ("I like him.", reasons.VERB),
        ("Would you like tea?", reasons.VERB),
        ("People like to talk.", reasons.VERB),
        ("It looks like rain.", reasons.FORECAST),
        ("We grow things like apples.", reasons.EXAMPLES),
        ("Come as soon as you can.", reasons.FIXED),
        ("She sings as well as Anna.", reasons.FIXED),
        ("They waited as long as three hours.", reasons.FIXED),
        ("It seems like the shop has closed.", reasons.CLAUSE),
        ("I felt like crying.", reasons.INCLINATION),
        ("He is like me.", reasons.POINTER),
        ("He sounds like Peter.", reasons.NAME),
        ("That is like a dream.", reasons.NO_TOPIC),
        ("The film is like any other film.", reasons.SAME_KIND),
        ("He knows what it is like.", reasons.NO_VEHICLE),
        ("The trip was like riding a horse.", reasons.SITUATION),
        ("I know what it is like in winter.", reasons.QUESTION),
    ],
)
def test_a_sentence_without_a_simile_says_why(sentence, reason):
    assert (extract(sentence).pairs, extract(sentence).reason) == ((), reason)


@pytest.mark.parametrize(
    "sentence", ["He sounds like Peter.", "That is like a dream.", "The trip was like riding a horse."]
)
def test_what_is_known_to_be_a_simile_has_a_pair_also_where_it_may_be_doubted(sentence):
    assert not extract(sentence).pairs
    assert extract(sentence, known_simile=True).pairs


def test_every_comparator_of_a_known_simile_has_its_pair():
    sentence = "He ran like a deer and sounded like Peter."
    assert len(extract(sentence).pairs) == 1
    assert len(extract(sentence, known_simile=True).pairs) == 2


def test_a_known_simile_without_a_comparator_has_none_all_the_same():
    assert extract("Her eyes are stars.", known_simile=True).reason == reasons.NO_COMPARATOR


@pytest.mark.parametrize(
    ("sentence", "topic", "vehicle", "described"),
    [
        ("他的声音像清泉。", "他的声音", "清泉", None),
        ("湖水像镜子一样平静。", "湖水", "镜子", "平静"),
        ("月亮好像一把镰刀，挂在天上。", "月亮", "镰刀", None),
        ("山路宛如长蛇", "山路", "长蛇", None),
        ("雷声如同战鼓似的", "雷声", "战鼓", None),
        ("她的心如铁一般坚硬", "她的心", "铁", "坚硬"),
    ],
)
def test_chinese_comparators_give_their_vehicle(sentence, topic, vehicle, described):
    found = only_pair(sentence)
    assert (found["topic"], found["vehicle"], found.get("property")) == (topic, vehicle, described)


@pytest.mark.parametrize("sentence", ["他喜欢那张图像。", "偶像在唱歌。", "比如说今天。"])
def test_chinese_words_that_only_contain_a_comparator_do_not_compare(sentence):
    assert not extract(sentence).pairs


def test_one_text_may_compare_in_two_languages():
    assert [texts(pair)["vehicle"] for pair in extract("He ran like a deer. 湖水像镜子。").pairs] == [
        "a deer",
        "镜子",
    ]


WORDS = st.sampled_from(
    [
        *word_list(
            "like as if though the a of and , . who which to walked in was is it he stone ( ) [ ] 's n't"
        ),
        *word_list(
            "with that so white made shaped look it's running not quickly 像 海 一样 好像 — 😀 é U.S. 3,000"
        ),
        *('"', "\ud83d", "\x00", "’", "İ"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(WORDS, max_size=60).map(" ".join), st.lists(WORDS).map("".join))


@given(TEXTS, st.booleans())
@settings(max_examples=300)
def test_every_part_is_where_its_offsets_say(text, known_simile):
    for pair in extract(text, known_simile=known_simile).pairs:
        for name in PARTS:
            part = getattr(pair, name)
            assert part is None or text[part.start : part.end] == part.text != ""


@given(TEXTS)
@settings(max_examples=300)
def test_there_is_a_pair_or_a_reason_and_never_both(text):
    extraction = extract(text)
    assert bool(extraction.pairs) != bool(extraction.reason)
    assert may_hold_simile(text) or not extraction.pairs


@pytest.mark.parametrize(
    "repeated",
    [
        "like ",
        "like walked , ",
        "as x as ",
        "walked and ",
        "the cat in which ",
        '" like ',
        "made to look like ",
        "像",
    ],
)
def test_ten_thousand_words_are_read_to_their_end(repeated):
    text = "He ran like a deer. " + repeated * 5000 + ". She sang like a bird."
    vehicles = [texts(pair)["vehicle"] for pair in extract(text, known_simile=True).pairs]
    assert (vehicles[0], vehicles[-1]) == ("a deer", "a bird")


def test_a_subject_is_not_looked_for_without_end():
    (pair,) = extract("He " + "walked and " * 10_000 + "sang like a bird.").pairs
    assert texts(pair)["vehicle"] == "a bird"
