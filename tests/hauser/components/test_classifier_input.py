"""What the sentiment classifier is given: section 3.1.3 of the paper."""

from __future__ import annotations

import pytest

from annotation.protocols.markup import unmark
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.components.classifier_input import Cut, literal_cut, simile_cut

TWO = (
    "When {topic:he} {event:sings} like {vehicle:a kettle}, {topic:she} {event:laughs} like {vehicle:a bell}."
)
LITERAL = "When he sings, she laughs all evening."


def marked(text: str) -> tuple[str, Extraction]:
    """A simile and its pairs, each of topic, event and vehicle in this order."""
    plain, parts = unmark(text, "simile")
    found = [(part["part"], Part(part["text"], part["start"], part["end"])) for part in parts]
    pairs = [dict(found[place : place + 3]) for place in range(0, len(found), 3)]
    return plain, Extraction(tuple(Components(**pair) for pair in pairs))


def test_a_text_with_two_pairs_is_cut_after_the_first_vehicle_and_the_first_event():
    simile, extraction = marked(TWO)
    assert simile_cut(simile, extraction) == Cut("When he sings like a kettle")
    assert literal_cut(LITERAL, extraction) == Cut("When he sings")
    backwards = Extraction(tuple(reversed(extraction.pairs)))
    assert simile_cut(simile, backwards).text == "When he sings like a kettle"
    assert literal_cut(LITERAL, backwards).text == "When he sings"


def test_of_several_places_the_one_that_matches_the_simile_is_taken():
    simile, extraction = marked("He ran home and {topic:he} {event:ran} like {vehicle:the wind} to her.")
    assert literal_cut("He ran home and he ran to her.", extraction).text == "He ran home and he ran"
    assert simile_cut(simile, extraction).text.endswith("like the wind")


@pytest.mark.parametrize("comparator", [None, Part("like"), Part("like", 19, 23)])
def test_a_typed_vehicle_is_the_one_behind_the_comparator(comparator):
    text = "A bird at sea sang like a bird in a cage."
    typed = Extraction((Components(None, Part("a bird"), comparator=comparator),))
    assert simile_cut(text, typed) == Cut("A bird at sea sang like a bird")
    before = Extraction((Components(None, Part("sea"), comparator=comparator),))
    assert simile_cut(text, before) == Cut("A bird at sea")


def test_an_event_is_found_as_whole_words_whatever_their_case_and_spaces():
    event = Extraction((Components(None, Part("x"), Part("Went  quiet")),))
    assert (
        literal_cut("It underwent quiet; it went quiet then.", event).text
        == "It underwent quiet; it went quiet"
    )


@pytest.mark.parametrize(
    ("extraction", "of_simile", "of_literal"),
    [
        (Extraction(()), "no_vehicle", "no_event"),
        (Extraction((Components(None, Part("an owl")),)), "vehicle_not_found", "no_event"),
        (Extraction((Components(None, Part("a fox"), Part("leapt")),)), "", "event_not_found"),
        (Extraction((Components(None, Part(""), Part("")),)), "vehicle_not_found", "event_not_found"),
    ],
)
def test_what_cannot_be_cut_stays_whole_and_says_why(extraction, of_simile, of_literal):
    assert simile_cut("He ran like a fox.", extraction).uncut == of_simile
    assert literal_cut("He ran.", extraction) == Cut("He ran.", of_literal)


def test_a_vehicle_typed_in_by_hand_is_looked_for_in_the_simile():
    extraction = Extraction((Components(None, Part("A Fox")),))
    assert simile_cut("He ran like a fox at dusk.", extraction) == Cut("He ran like a fox")


def test_a_chinese_event_is_found_without_spaces_around_it():
    pair = Components(Part("他"), Part("一只鸟"), Part("唱"))
    assert literal_cut("他在唱歌。", Extraction((pair,))) == Cut("他在唱")
    assert literal_cut("He sang.", Extraction((Components(Part("He"), Part("a bird"), Part("sa")),))) == Cut(
        "He sang.", "event_not_found"
    )
