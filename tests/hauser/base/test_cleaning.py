"""The look-up form of a topic or vehicle: one key for all wordings of one thing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.hauser.base.cleaning import LEADING, lookup_key

WORDS = st.sampled_from(
    ["the", "My", "a", "dragon", "'s", "’s", '"', "“", "'", "-", ",", "candy", "all", "龙"]
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The Dragon", "dragon"),
        ("a kid in a candy store", "kid in a candy store"),
        ('the "rusty gate" of an old garden', "rusty gate of an old garden"),
        ("“Blue Anna”", "blue anna"),
        ("all the king’s men", "king's men"),
        ("My aunt 's coat", "aunt's coat"),
        ("the heron's", "heron"),
        ("  a  cold,\tgrey sea. ", "cold, grey sea"),
        ("that", "that"),
        ("his", "his"),
        ("'stone'", "stone"),
        ("「月亮」", "月亮"),
        ("Anita", "anita"),
        ("", ""),
        ("—", ""),
    ],
)
def test_determiners_possessives_and_quotes_go_and_the_rest_stays(text, key):
    assert lookup_key(text) == key


@example("my - the dog")
@example("the 's")
@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join)))
def test_the_key_of_a_key_is_itself(text):
    assert lookup_key(lookup_key(text)) == lookup_key(text)


@given(
    st.lists(st.sampled_from(sorted(LEADING)), max_size=4), st.sampled_from(["dragon", "sour grapes", "雪"])
)
def test_no_number_of_determiners_changes_the_key(determiners, noun):
    assert lookup_key(" ".join([*determiners, noun])) == noun
