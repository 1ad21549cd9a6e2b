"""Control characters taken out of texts, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.hauser.base.candidates import unusable
from scoring.io.similes import clean_text, harmful


@given(st.text())
def test_a_clean_text_has_no_harmful_characters_and_stays_the_same(text: str) -> None:
    found = clean_text(text)
    assert harmful(found) == []
    assert clean_text(found) == found
    assert unusable(found) in {"", "empty_text"}


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], include_characters="\t\n\r")))
def test_a_sound_text_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text


def test_misread_signs_of_windows_become_what_they_were() -> None:
    assert clean_text("car\x92s \x93brakes\x94 \x96 now\x81\ud800") == "car’s “brakes” – now"
