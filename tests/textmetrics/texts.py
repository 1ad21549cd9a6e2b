"""Texts and candidates that hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.textmetrics.candidates import Candidate

WORDS = ("the", "sea", "was", "like", "glass", "a", "Storm", "don't", ",", ".", "café", "石", "头", "7")
texts = (
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)
    .map(" ".join)
    .filter(lambda text: any(letter.isalnum() for letter in text))
)
anything = st.text(max_size=40)
candidates = st.builds(
    Candidate,
    text=st.one_of(texts, anything),
    references=st.lists(st.one_of(texts, anything), max_size=2).map(tuple),
    source=st.one_of(texts, anything),
    group=st.sampled_from(("", "one", "two")),
)
