"""What passes a check, as the researcher reads it."""

from __future__ import annotations

import pytest

from annotation.domain.check_settings import settings_of
from annotation.domain.checks import CheckKind, Comprehension, Gold, Instructed, Knowledge, Repeat, Twin
from annotation.models import Check
from annotation.templatetags.check_words import passes_when


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (Instructed({"quality": 4, "clarity": 1}), ("quality 4", "clarity 1")),
        (Gold({"quality": 3.0}, {"quality": 1.0}), ("quality 3 ± 1",)),
        (Repeat(("quality",), 1.0), ("quality", "± 1")),
        (Twin({"quality": 1}), ("lower", "quality")),
        (Comprehension(("moon", "the moon")), ("“moon” or “the moon”",)),
        (Knowledge("noun", "part"), ("part", "“noun”")),
    ],
    ids=[kind.value for kind in CheckKind],
)
def test_it_says_what_passes_without_the_signs_of_a_program(check, words) -> None:
    said = passes_when(Check(kind=check.kind.value, settings=settings_of(check)))
    assert all(word in said for word in words)
    assert not set("{}[]'") & set(said)
