"""Questions about the rater: what may be asked, and what may be answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotation.domain.base.errors import InvalidAnswer, InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.questions.answers import NOT_SAVED
from annotation.domain.questions.kinds.kind import NOT_TEXT, too_long

LONGEST_KEY = 40
LONGEST_QUESTION = 500
LONGEST_ANSWER = 500
MOST_QUESTIONS = 30
MOST_OPTIONS = 100
FEWEST_OPTIONS = 2
KEY = re.compile(r"[A-Za-z0-9_-]+")
NUMBER = re.compile(r"[0-9]+([.,][0-9]+)?")


class DemographicKind(StrEnum):
    CHOICE = "choice"
    TEXT = "text"
    NUMBER = "number"


@dataclass(frozen=True)
class RaterQuestion:
    """One question about the rater; `options` are those of a choice.

    `translations` have, by language, the `text` and all `options` in their order; empty ones are missing.
    """

    key: str
    text: str
    kind: DemographicKind
    options: tuple[str, ...] = ()
    translations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def options_in(self, language: str) -> list[tuple[str, str]]:
        """Each option, which is what is stored, with its words in a language where it has them."""
        words = self.translations.get(language, {}).get("options") or self.options
        return [(one, said or one) for one, said in zip(self.options, words, strict=True)]


def check_questions(questions: Sequence[RaterQuestion]) -> None:
    """Refuse questions that cannot be asked together.

    Raises
    ------
    InvalidContent
        `invalid_questions`; `fields` maps each question to what is wrong.
    """
    problems: dict[str, str] = {}
    if len(questions) > MOST_QUESTIONS:
        problems["questions"] = f"Ask {MOST_QUESTIONS} questions at most."
    seen: set[str] = set()
    for question in questions:
        problem = "Another question has this name." if question.key in seen else _problem(question)
        problem = problem or _translation_problem(question)
        seen.add(question.key)
        if problem:
            problems[question.key or "key"] = problem
    if problems:
        named = " ".join(f"{name}: {problem}" for name, problem in problems.items())
        raise InvalidContent(named, code="invalid_questions", fields=problems)


def check_answers(
    questions: Sequence[RaterQuestion], given: Mapping[str, str | None]
) -> dict[str, str | None]:
    """The checked answers by key; None where the rater prefers not to say. Every question needs one.

    Raises
    ------
    InvalidAnswer
        `fields` names each question without an answer, unknown, or with an answer that is not possible.
    """
    known = {question.key for question in questions}
    problems: dict[str, str] = dict.fromkeys(
        sorted(given.keys() - known), message("There is no such question.")
    )
    checked: dict[str, str | None] = {}
    for question in questions:
        answer = given.get(question.key, "")
        problem = "" if answer is None else _wrong(question, answer.strip())
        if problem:
            problems[question.key] = problem
        checked[question.key] = None if answer is None else answer.strip()
    if problems:
        raise InvalidAnswer(NOT_SAVED, fields=problems)
    return checked


def _translation_problem(question: RaterQuestion) -> str:
    for language, texts in question.translations.items():
        if len(texts.get("options") or question.options) != len(question.options):
            return f"Give every option in {language}, in the same order, or none."
    return ""


def _problem(question: RaterQuestion) -> str:
    if len(question.key) > LONGEST_KEY or not KEY.fullmatch(question.key):
        return f"A name has 1 to {LONGEST_KEY} letters, digits, hyphens or underscores."
    if not question.text.strip() or len(question.text) > LONGEST_QUESTION:
        return f"Write a question of up to {LONGEST_QUESTION} characters."
    if question.kind is not DemographicKind.CHOICE:
        return "Only a choice has options." if question.options else ""
    if not FEWEST_OPTIONS <= len(question.options) <= MOST_OPTIONS:
        return f"A choice has {FEWEST_OPTIONS} to {MOST_OPTIONS} options."
    if any(not option.strip() or len(option) > LONGEST_ANSWER for option in question.options):
        return f"Each option has 1 to {LONGEST_ANSWER} characters."
    return "An option stands twice." if len(set(question.options)) < len(question.options) else ""


def _wrong(question: RaterQuestion, answer: str) -> str:
    if not answer:
        return message("Answer the question, or select “Prefer not to say”.")
    if "\0" in answer:
        return NOT_TEXT
    if len(answer) > LONGEST_ANSWER:
        return too_long(LONGEST_ANSWER)
    if question.kind is DemographicKind.CHOICE and answer not in question.options:
        return message("Choose one of the options.")
    if question.kind is DemographicKind.NUMBER and not NUMBER.fullmatch(answer):
        return message("Enter a number, such as 34.")
    return ""
