"""HANNA's data statistics against their definitions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.textmetrics.candidates import Candidate
from scoring.textmetrics.statistics import against_source, alone, fragments

letters = st.lists(st.sampled_from("abc"), max_size=12)


def figure_3(text: Sequence[str], source: Sequence[str]) -> list[int]:
    """The procedure of Grusky et al. as their figure states it, one step at a time."""
    found: list[int] = []
    i = 0
    while i < len(text):
        longest = j = 0
        while j < len(source):
            if text[i] != source[j]:
                j += 1
                continue
            i_end, j_end = i, j
            while i_end < len(text) and j_end < len(source) and text[i_end] == source[j_end]:
                i_end, j_end = i_end + 1, j_end + 1
            longest = max(longest, i_end - i)
            j = j_end
        if longest:
            found.append(longest)
        i += max(longest, 1)
    return found


@given(text=letters, source=letters)
def test_the_copied_pieces_are_those_of_the_published_procedure(text, source):
    assert fragments(text, source) == figure_3(text, source)


def test_coverage_density_and_compression_counted_by_hand():
    """`the old king` and `slept .` are copied: 5 of 7 tokens; (3² + 2²) / 7; 9 tokens of source."""
    found = against_source(
        Candidate("The old king always softly slept .", source="Once the old king in his castle slept .")
    )
    assert found["coverage"].value == pytest.approx(5 / 7)
    assert found["density"].value == pytest.approx(13 / 7)
    assert found["compression"].value == pytest.approx(9 / 7)


def test_novelty_counts_distinct_sequences_that_the_source_lacks():
    found = against_source(Candidate("a b a b c", source="a b x"))
    assert found["novelty_1"].value == pytest.approx(1 / 3)
    assert found["novelty_2"].value == pytest.approx(2 / 3)
    assert found["novelty_3"].value == 1


def test_repetition_counts_distinct_sequences_that_come_again():
    found = alone(Candidate("a b a b c"))
    assert found["length"].value == 5
    assert found["repetition_1"].value == pytest.approx(2 / 3)
    assert found["repetition_2"].value == pytest.approx(1 / 3)
    assert found["repetition_3"].value == 0


def test_a_text_without_any_sequence_of_three_has_no_share_of_them():
    assert alone(Candidate("two words"))["repetition_3"].reason == "too_short"
    assert against_source(Candidate("two words", source="a"))["novelty_3"].reason == "too_short"


@given(text=st.text(max_size=20).filter(lambda text: any(map(str.isalnum, text))))
def test_a_text_that_is_its_own_source_is_wholly_copied(text):
    found = against_source(Candidate(text, source=text))
    assert found["coverage"].value == 1
    assert found["density"].value == alone(Candidate(text))["length"].value
    assert found["novelty_1"].value == 0
