"""Texts with marked tuples, as Hypothesis draws them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from annotation.domain.questions.tuples import PARTS

# Latin, Chinese, astral, combining, right to left, and what joins or breaks.
CHARACTERS = "ab e\u0301我雪😀𠮷👩🏽‍🚀שלם\u0301ابج\r\n\t;；|、“"


# Whatever PostgreSQL and UTF-8 hold; what browsers take for white space and Python does not is no word's end.
ANY = st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")


TEXTS = st.text(CHARACTERS, min_size=1, max_size=20) | st.text(ANY, min_size=1, max_size=20)


def _with_a_letter(text: str) -> str:
    """As a part of a tuple is: with a letter or a digit somewhere, and no white space around it."""
    return text.strip() if any(map(str.isalnum, text)) else f"{text.lstrip()}a"


WORDS = TEXTS.map(_with_a_letter)


def mark(number: int, part: str, span: tuple[int, int] | None, words: str) -> dict[str, Any]:
    start, end = span or (None, None)
    return {"tuple": number, "part": part, "start": start, "end": end, "text": words}


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]]]:
    """A text with tuples in it: any spans, nested, overlapping, discontinuous or none."""
    text = draw(TEXTS)
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(
        lambda span: span[0] < span[1]
    )
    marks = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        for part in PARTS:
            for words in draw(st.lists(WORDS, min_size=1, max_size=2, unique=True)):
                found: list[tuple[int, int] | None] = [*sorted(draw(st.sets(spans, max_size=3)))]
                marks += [mark(number, part, span, words) for span in found or [None]]
    return text, marks
