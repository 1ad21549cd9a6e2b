"""Control characters taken out of texts, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.hauser.base.candidates import unusable
from scoring.io.similes import harmful, mended


@given(st.text())
def test_a_mended_text_holds_nothing_harmful_and_is_mended_once_for_all(text: str) -> None:
    found = mended(text)
    assert harmful(found) == []
    assert mended(found) == found
    assert unusable(found) in {"", "empty_text"}


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], include_characters="\t\n\r")))
def test_a_sound_text_stays_as_it_is(text: str) -> None:
    assert mended(text) == text


def test_misread_signs_of_windows_become_what_they_were() -> None:
    assert mended("car\x92s \x93brakes\x94 \x96 now\x81\ud800") == "car’s “brakes” – now"
