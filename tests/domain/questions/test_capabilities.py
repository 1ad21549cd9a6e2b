"""What every kind of question can do; a kind lacks one thing at most, and the form editor says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders

from annotation.api.base.enumerations import CRITERION_KINDS
from annotation.domain.adjudication.differences import Rule, can_search
from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.calibration import read_reference
from annotation.domain.quality.chance_pass_rate import chance_level
from annotation.domain.quality.check_settings import read_check
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.kind import Answer, Question, QuestionKind
from annotation.domain.questions.kinds.registry import KINDS, cell_of
from annotation.selectors.questions.counting import PARTS
from annotation.templatetags.editor_words import LACKING, what_it_lacks
from tests.domain.questions.any_kind import Someone, question

TEMPLATES = Path(__file__).parents[3] / "templates" / "annotation" / "questions"
INCLUDED = re.compile(r'include "annotation/questions/([a-z_/]+\.html)"')
# Kinds from before the rule, which lack more.
OLDER = {"text", "tuples"}


def sources(template: str) -> Iterator[str]:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    yield text
    for name in INCLUDED.findall(text):
        yield from sources(name)


def markup(kind: QuestionKind) -> str:
    return "".join(sources(f"{kind.key}/answer.html"))


def has_page(kind: QuestionKind) -> bool:
    return bool(markup(kind))


def is_operable_by_keys(kind: QuestionKind) -> bool:
    """Fields that have the focus by themselves; nothing is a bare element with a handler of clicks."""
    return bool(re.search(r"<(input|select|textarea|button)\b", markup(kind))) and "onclick" not in markup(
        kind
    )


def fits_phones(kind: QuestionKind) -> bool:
    path = finders.find(kind.style) if kind.style else None
    widths = re.findall(r"min-width:\s*(\d+)px", Path(path).read_text(encoding="utf-8")) if path else []
    return all(int(width) <= 320 for width in widths)


def works_without_scripts(kind: QuestionKind) -> bool:
    return bool(re.search(r"<(input|select|textarea)[^>]*name=\"\{\{ (criterion|marking)\.", markup(kind)))


def checked(kind: QuestionKind, asked: Question, raw: Any) -> Answer:
    answer = kind.checked(asked, raw)
    assert answer is not None
    return answer


def is_stored(kind: QuestionKind) -> bool:
    answer = checked(kind, question(kind), kind.simulated(question(kind), Someone(), 0.5))
    cell = cell_of(kind.key, answer.value, answer.text, answer.content)
    return kind.of_cell(cell) == answer


def simulated_cell(kind: QuestionKind, asked: Question) -> float | str:
    return kind.cell(checked(kind, asked, kind.simulated(asked, Someone(), 0.5)))


def has_checks(kind: QuestionKind) -> bool:
    asked = question(kind)
    instructed = {"told": {"asked": simulated_cell(kind, asked)}}
    accepted = {"criterion": "asked", "accepted": ["a queue"]}
    marked = {"reference": {"asked": [[0, 4]]}}
    checks = (
        (CheckKind.INSTRUCTED, instructed),
        (CheckKind.COMPREHENSION, accepted),
        (CheckKind.GOLD, marked),
    )
    for one, settings in checks:
        try:
            return chance_level(read_check(one, settings, [asked]), [asked]) < 1
        except InvalidContent:
            continue
    return False


def has_calibration(kind: QuestionKind) -> bool:
    asked = question(kind)
    try:
        return bool(read_reference({"asked": simulated_cell(kind, asked)}, [asked], {}))
    except InvalidContent:
        return False


def has_conditions(kind: QuestionKind) -> bool:
    """The editor offers an answer, and a rater who gives it is asked what depends on it."""
    offered = kind.conditions(kind.first_points)
    if not offered:
        return False
    values = tuple(point["value"] for point in kind.first_points)
    low, high = kind.ends(None, None, values)
    settings = kind.first_settings()
    asked = Question("asked", "Asked", kind, low, high, options=values, settings=settings)
    led_to = Question("why", "Why", KINDS["text"], asked_after="asked", asked_when=offered[0][0])
    given = {"asked": str(kind.cell_deciding(asked, offered[0][0])), "why": "a reason"}
    return "why" in check(
        [asked, led_to], Submission(page_key=uuid4(), answers=given), {"": "a queue of words"}
    )


def has_stages(kind: QuestionKind) -> bool:
    asked = question(kind)
    if not kind.decides:
        return False
    value = kind.deciding(asked)[-1]
    cell = kind.cell(checked(kind, asked, kind.cell_deciding(asked, value)))
    return Condition(Comparison.EXACTLY, value).holds(kind.decided_by(cell))


def has_disagreement(kind: QuestionKind) -> bool:
    return can_search(Rule.ALL_DIFFER, kind.key) and can_search(Rule.NO_MAJORITY, kind.key)


def has_adjudication(kind: QuestionKind) -> bool:
    """Adjudicators read an answer, and can give it as the final one."""
    asked = question(kind)
    cell = str(simulated_cell(kind, asked))
    return bool(kind.in_words(kind.values(cell), {})) and kind.checked(asked, kind.values(cell)) is not None


def has_statistics(kind: QuestionKind) -> bool:
    return any(kind.yields in yields for yields in PARTS.values())


def is_exported(kind: QuestionKind) -> bool:
    """Its cells come back by the import of ratings."""
    asked = question(kind)
    cell = simulated_cell(kind, asked)
    return kind.cell(checked(kind, asked, kind.values(str(cell)))) == cell


def is_in_api(kind: QuestionKind) -> bool:
    return kind.key in CRITERION_KINDS


def is_simulated(kind: QuestionKind) -> bool:
    return all(kind.checked(question(kind), kind.simulated(question(kind), Someone(), at)) for at in (0, 1))


CAPABILITIES: dict[str, Callable[[QuestionKind], bool]] = {
    "page": has_page,
    "keyboard": is_operable_by_keys,
    "phone": fits_phones,
    "no_javascript": works_without_scripts,
    "storage": is_stored,
    "checks": has_checks,
    "calibration": has_calibration,
    "conditions": has_conditions,
    "stages": has_stages,
    "disagreement": has_disagreement,
    "adjudication": has_adjudication,
    "statistics": has_statistics,
    "exports": is_exported,
    "api": is_in_api,
    "simulation": is_simulated,
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


@every_kind
@pytest.mark.parametrize("capability", CAPABILITIES)
def test_a_kind_can_do_what_it_does_not_say_that_it_lacks(kind, capability):
    assert CAPABILITIES[capability](kind) == (capability not in kind.lacks)


@every_kind
def test_a_kind_lacks_one_thing_at_most_and_the_editor_says_it(kind):
    assert len(kind.lacks) <= 1 or kind.key in OLDER
    assert what_it_lacks(kind.key) == [str(LACKING[one]) for one in kind.lacks]
