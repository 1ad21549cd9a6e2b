"""Answers about oneself are text, or are refused."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.people.demographics import DemographicKind, RaterQuestion, check_answers

ASKED = [RaterQuestion("languages", "Which languages do you speak?", DemographicKind.TEXT)]


def test_what_is_no_text_is_refused():
    assert check_answers(ASKED, {"languages": "Ainu"}) == {"languages": "Ainu"}
    with pytest.raises(InvalidAnswer) as refused:
        check_answers(ASKED, {"languages": "Ai\0nu"})
    assert set(refused.value.fields) == {"languages"}
