"""The same name written in another way is the same answer; another name is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.normalisation import NONE, comparable, normalised

LANGUAGES = st.sampled_from(["en", "en-GB", "fr", "de", "zh-Hans", "ja", "ko", "tlh", ""])


@given(st.text(max_size=30), LANGUAGES)
def test_normalising_twice_changes_nothing(text, language):
    once = normalised(text, language)
    assert normalised(once, language) == once


@given(st.text(max_size=30), LANGUAGES)
def test_case_width_and_surrounding_punctuation_do_not_matter(text, language):
    assert normalised(f" «{text}».\n", language) == normalised(text, language)


@pytest.mark.parametrize(
    ("typed", "meant", "language"),
    [
        ("  The Old   MAN. ", "old man", "en"),
        ("Mary-Jane", "mary jane", "en"),
        ("O’Brien", "O´Brien", "en"),
        ("Ｍａｒｙ", "Mary", "en"),
        ("Ma\u200bry", "Mary", "en"),
        ("Straße", "STRASSE", "de"),
        ("L’homme", "homme", "fr"),
        ("cafe\u0301", "café", "en"),
        ("小 红", "小红。", "zh-Hans"),
        ("ﾒﾛｽ", "メロス", "ja"),
        ("king of hill", "The king of the hill", "en"),
    ],
)
def test_differences_that_do_not_matter(typed, meant, language):
    assert comparable(typed, language) == comparable(meant, language)


@pytest.mark.parametrize(
    ("typed", "meant", "language"),
    [("Mary", "Marie", "en"), ("the", "", "en"), ("A", "the", "en"), ("nonesuch", "none", "en")],
)
def test_differences_that_matter(typed, meant, language):
    assert comparable(typed, language) != comparable(meant, language)


@pytest.mark.parametrize("typed", ["None", "NONE.", "no one", "N/A", "no-one", "没有", "なし", "없음"])
def test_answers_that_mean_none(typed):
    assert comparable(typed) == NONE


@pytest.mark.parametrize("typed", ["", "  ", "…", "\u200b", "--"])
def test_text_without_words_is_empty(typed):
    assert comparable(typed) == ""
