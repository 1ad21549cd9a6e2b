"""Short names are refused in words, and every pattern of a study definition is explained without itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.text_validation import refuse_name, suggest_name
from annotation.forms.base import CurrencyField
from annotation.forms.people import QuestionForm
from annotation.io.studies.definitions import PATTERNS_IN_WORDS, checked_definition
from annotation.protocols.definition_schema import KEY, SCHEMA


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("How good?", "How-good"),
        ("  naïveté ", "naivete"),
        ("a/b\\c", "a-b-c"),
        ("良い", ""),
        ("a" * 9, "aaaa"),
    ],
)
def test_a_suggestion_is_like_what_was_typed_and_can_be_taken(typed, suggested):
    assert suggest_name(typed, 4 if typed == "a" * 9 else 60) == suggested
    assert not suggested or refuse_name(suggested, 60) == ""


def test_a_name_without_any_usable_character_is_refused_without_a_suggestion():
    assert refuse_name("良い", 60) == "Use only the letters A to Z, digits, hyphens and underscores."


def patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (value for name, value in schema.items() if name == "pattern" and isinstance(value, str))
        for value in schema.values():
            yield from patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from patterns(value)


def test_every_pattern_of_a_definition_has_words():
    assert set(patterns(SCHEMA)) - {KEY} == set(PATTERNS_IN_WORDS)


def test_a_refused_definition_shows_no_regular_expression():
    with pytest.raises(InvalidContent) as refused:
        checked_definition({"study": {"language": "english!"}, "forms": [{"key": "How good?"}]})
    messages = " ".join(refused.value.fields.values())
    assert "Enter a language code" in messages
    assert "“How-good”" in messages
    assert not re.search(r"\[a-z|\^|\\", messages, re.IGNORECASE)


def test_forms_refuse_names_and_currencies_in_words():
    form = QuestionForm({"text": "How old?", "key": "Age (years)", "kind": "number"})
    assert form.errors["key"] == [refuse_name("Age (years)", 40)]
    assert "“Age-years”" in form.errors["key"][0]
    field = CurrencyField()
    assert str(field.error_messages["invalid"]) == "Enter three capital letters, such as EUR."
