"""The reading floor grows with the text, in the unit of its script; the study's minimum has its limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.reading_speed import (
    CHARACTERS_SILENT,
    FASTEST,
    WORDS_SILENT,
    Least,
    Minimum,
    check_minimum,
    least_seconds,
    too_fast,
    usual_seconds,
)

LANGUAGES = st.sampled_from(["en", "de-AT", "zh-Hans", "ja", "ko", "ar", ""])


@given(st.text(max_size=60), st.text(max_size=60), LANGUAGES)
def test_more_text_never_takes_less_time(text, more, language):
    alone, both = usual_seconds(text, language), usual_seconds(f"{text} {more}", language)
    assert alone is not None
    assert both is not None
    assert both >= alone >= 0


@given(st.integers(0, 500))
def test_words_are_counted_where_there_are_spaces(count):
    assert usual_seconds("like, " * count, "en") == pytest.approx(60 * count / WORDS_SILENT)


@pytest.mark.parametrize(
    ("text", "language", "rate"),
    [("月亮像银盘", "zh-Hans", "zh"), ("月がきれい", "ja", "ja"), ("달이예뻐요", "ko", "ko")],
)
def test_characters_are_counted_where_there_are_none(text, language, rate):
    expected = 60 * 5 / CHARACTERS_SILENT[rate]
    assert usual_seconds(text, language) == pytest.approx(expected)
    assert usual_seconds(f"「{text}」、\n", language) == pytest.approx(expected)


def test_each_part_of_a_mixed_text_is_read_at_its_own_rate():
    mixed = usual_seconds("他说 hello world 달", "zh")
    assert mixed == pytest.approx(60 * (2 / CHARACTERS_SILENT["zh"] + 2 / WORDS_SILENT + 1 / 606))


def test_halfwidth_and_fullwidth_forms_are_read_alike():
    assert usual_seconds("ﾒﾛｽ", "ja") == usual_seconds("メロス", "ja")
    assert usual_seconds("Ｍａｒｙ", "ja") == usual_seconds("Mary", "ja")


def test_a_script_whose_reading_rate_is_not_known_has_no_floor():
    assert least_seconds(["พระจันทร์"], "th", criteria=1) == Least(None, None)
    assert too_fast(0.0, Least(None, None)) == ""


@given(st.integers(0, 400), st.integers(0, 8))
def test_the_floor_is_reading_at_the_fastest_and_choosing(words, criteria):
    least = least_seconds(["word " * words], "en", criteria=criteria)
    usual = usual_seconds("word " * words, "en")
    assert usual is not None
    assert least.floor is not None
    assert least.floor == pytest.approx(usual / FASTEST + criteria / 2)


def minimum_of(*texts: str, exempt: int = 0) -> float | None:
    return least_seconds(texts, "en", criteria=6, minimum=Minimum(30, exempt)).minimum


def test_the_minimum_leaves_out_pages_whose_texts_are_all_very_short():
    story, joke = "word " * 300, "word " * 20
    assert minimum_of(joke, story, exempt=100) == minimum_of(story, exempt=100) == 30
    assert minimum_of(joke, joke, exempt=99) is None
    assert minimum_of(joke, joke, exempt=98) == minimum_of(joke) == 30
    assert minimum_of(f"\n {joke} \n", exempt=99) is None


def test_no_least_time_is_longer_than_an_item_is_held():
    check_minimum(None, seat_minutes=1)
    check_minimum(59, seat_minutes=1)
    with pytest.raises(InvalidContent) as refused:
        check_minimum(60, seat_minutes=1)
    assert refused.value.code == "minimum_too_long"


@given(st.floats(0, 100), st.none() | st.floats(0, 100), st.none() | st.floats(0, 100))
def test_an_answer_is_too_fast_exactly_below_the_greater_of_both(seconds, floor, minimum):
    least = Least(floor, minimum)
    reason = too_fast(seconds, least)
    assert bool(reason) == (seconds < least.seconds)
    if reason == "minimum":
        assert minimum is not None
        assert seconds < minimum
