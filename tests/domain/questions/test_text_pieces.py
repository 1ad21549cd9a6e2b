"""Cutting a text at its marked parts loses nothing of it."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.text_pieces import Segment, Span, segments

SPANS = st.lists(
    st.builds(
        Span, part=st.sampled_from(["vehicle", "topic"]), start=st.integers(-2, 40), end=st.integers(-2, 40)
    )
)


@given(st.text(max_size=40), SPANS)
def test_the_pieces_together_are_the_text(text, spans):
    assert "".join(piece.text for piece in segments(text, spans)) == text


@given(st.text(max_size=40), SPANS)
def test_neighbouring_pieces_differ_in_their_part(text, spans):
    parts = [piece.part for piece in segments(text, spans)]
    assert all(one != next_one for one, next_one in itertools.pairwise(parts))


def test_where_spans_overlap_the_shortest_names_the_piece():
    spans = [Span("event", 0, 9), Span("vehicle", 4, 6)]
    assert segments("abcdefghijk", spans) == [
        Segment("abcd", "event"),
        Segment("ef", "vehicle"),
        Segment("ghi", "event"),
        Segment("jk"),
    ]


def test_offsets_count_code_points():
    assert segments("😀像月亮", [Span("vehicle", 2, 4)]) == [Segment("😀像"), Segment("月亮", "vehicle")]
