"""A gold item with marked errors is passed by marking each expected error, or none where none is expected."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.chance_pass_rate import chance_level
from annotation.domain.quality.check_settings import read_check, settings_of
from annotation.domain.quality.checks import CheckKind, verdict
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.marking.errors import ERRORS

ASKED = [Question("errors", "Errors", ERRORS, options=("meaning", "minor"))]


def check_of(expected: object, tolerance: int = 2):
    return read_check(CheckKind.GOLD, {"reference": {"errors": expected}, "tolerance": tolerance}, ASKED)


def passed(expected: object, *marked: tuple[int, int]) -> bool | None:
    content = [{"start": start, "end": end} for start, end in marked]
    return verdict(check_of(expected), {"errors": Answer(content=content)}).passed


def test_every_expected_error_must_be_marked_within_the_tolerance_at_both_ends():
    assert passed([[10, 15]], (12, 13))
    assert passed([[10, 15]], (0, 3), (10, 15))
    assert not passed([[10, 15]], (13, 15))
    assert not passed([[10, 15], [20, 25]], (10, 15))
    assert not passed([[10, 15]])


def test_where_no_error_is_expected_none_may_be_marked():
    assert passed([])
    assert not passed([], (1, 2))
    assert chance_level(check_of([]), ASKED) == 0.5


def test_a_page_without_an_answer_has_no_result():
    assert verdict(check_of([[1, 4]]), {}).passed is None


def test_a_check_comes_back_from_its_settings():
    check = check_of([[20, 25], [10, 15]])
    assert read_check(CheckKind.GOLD, settings_of(check), ASKED) == check


@pytest.mark.parametrize("expected", [3, [[4]], [[5, 5]], [["a", "b"]], "none"])
def test_what_is_no_list_of_spans_is_refused(expected):
    with pytest.raises(InvalidContent) as refused:
        check_of(expected)
    assert refused.value.code == "invalid_check"
