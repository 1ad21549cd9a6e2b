"""Answers of members to questions of the human evaluation sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.base.sheet.questions import DESIGN, QUESTIONS, SheetQuestion
from annotation.domain.base.text_validation import validated_text

# A web address, or a DOI with or without one.
LINK = re.compile(r"https?://[^\s/.]+\.[^\s]+|\b10\.\d{4,9}/\S+", re.IGNORECASE)


@dataclass(frozen=True)
class SheetPlace:
    """A question, and the criterion that it is about: `form` and `criterion` are empty without one."""

    number: str
    form: str = ""
    criterion: str = ""

    @classmethod
    def read(cls, key: str) -> Self:
        """Read `3.1.2`, or `4.1.1:form:criterion`."""
        number, *criterion = key.split(":")
        return cls(number, *(criterion if len(criterion) == 2 else ()))

    def __str__(self) -> str:
        return f"{self.number}:{self.form}:{self.criterion}" if self.criterion else self.number


@dataclass(frozen=True)
class SheetAnswer:
    """What a member answered: the code of an option, a text, or both."""

    choice: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.choice or self.text)

    def in_words(self, question: SheetQuestion) -> str:
        """The option in English, and the text."""
        label = question.choices.get(self.choice, "")
        return f"{label}. {self.text}" if label and self.text else label or self.text


def read_answers(
    given: Mapping[str, Mapping[str, Any]], criteria: frozenset[tuple[str, str]]
) -> dict[str, dict[str, str]]:
    """Check answers, and return those that are not empty in the shape in which they are stored.

    Parameters
    ----------
    given : mapping of str to mapping
        `choice` and `text` by place: `3.1.2`, or `4.1.1:form:criterion`.
    criteria : frozenset of (str, str)
        The keys of form and criterion for which section 4 can be answered.

    Raises
    ------
    InvalidContent
        `unknown_question`, `unknown_choice`, `too_long`, `no_link` or `not_text`; the field is the place.
    """
    stored: dict[str, dict[str, str]] = {}
    for key, parts in given.items():
        question = _question(key, criteria)
        choice, text = str(parts.get("choice", "")), validated_text(str(parts.get("text", "")))
        if choice and choice not in question.choices:
            refused = message("“%(choice)s” is no option of question %(number)s.", choice=choice, number=key)
            raise InvalidContent(refused, code="unknown_choice", fields={key: refused})
        if len(text) > LONGEST_REMARK:
            refused = message("The answer has more than %(n)d characters.", n=LONGEST_REMARK)
            raise InvalidContent(refused, code="too_long", fields={key: refused})
        if text and not choice and question.needs_link and not LINK.search(text):
            refused = message(
                "The answer to question %(number)s has no link. Enter a web address or a DOI, or choose why "
                "there is none.",
                number=key,
            )
            raise InvalidContent(refused, code="no_link", fields={key: refused})
        if choice or text:
            stored[key] = {"choice": choice, "text": text}
    return stored


def design_answers(
    stored: Mapping[str, dict[str, str]], criteria: frozenset[tuple[str, str]]
) -> dict[str, dict[str, str]]:
    """The stored answers that describe the design of a study, for a copy of it with these criteria.

    Parameters
    ----------
    stored : mapping of str to dict
        As `read_answers` returns them.
    criteria : frozenset of (str, str)
        The keys of form and criterion of the copy.
    """
    places = {key: SheetPlace.read(key) for key in stored}
    return {
        key: dict(stored[key])
        for key, place in places.items()
        if place.number in DESIGN and (not place.criterion or (place.form, place.criterion) in criteria)
    }


def _question(key: str, criteria: frozenset[tuple[str, str]]) -> SheetQuestion:
    place = SheetPlace.read(key)
    question = QUESTIONS.get(place.number)
    of_criterion = (place.form, place.criterion) in criteria
    if question is None or str(place) != key or question.is_of_criteria != of_criterion:
        refused = message("The sheet has no question “%(number)s”.", number=key)
        raise InvalidContent(refused, code="unknown_question", fields={key: refused})
    return question
