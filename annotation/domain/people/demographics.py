"""Demographic questions: valid questions, and valid answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotation.domain.base.errors import InvalidAnswer, InvalidContent
from annotation.domain.base.messages import joined, message
from annotation.domain.questions.answers import NOT_SAVED
from annotation.domain.questions.kinds.kind import NOT_TEXT, too_long

LONGEST_KEY = 40
LONGEST_QUESTION = 500
LONGEST_ANSWER = 500
MOST_QUESTIONS = 30
MOST_OPTIONS = 100
FEWEST_OPTIONS = 2
ALREADY_USED = message("Another question has this short name. Choose another one.")
KEY = re.compile(r"[A-Za-z0-9_-]+")
NUMBER = re.compile(r"[0-9]+([.,][0-9]+)?")


class DemographicKind(StrEnum):
    CHOICE = "choice"
    TEXT = "text"
    NUMBER = "number"

    @property
    def words(self) -> str:
        """The name of the kind."""
        return KINDS[self]


KINDS: Mapping[DemographicKind, str] = {
    DemographicKind.CHOICE: message("single choice"),
    DemographicKind.TEXT: message("free text"),
    DemographicKind.NUMBER: message("number"),
}


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
        """Each option as it is stored, with its label in a language, or itself without a translation."""
        words = self.translations.get(language, {}).get("options") or self.options
        return [(one, label or one) for one, label in zip(self.options, words, strict=True)]


def check_questions(questions: Sequence[RaterQuestion]) -> None:
    """Refuse questions that are invalid, alone or together.

    Raises
    ------
    InvalidContent
        `invalid_questions`; `fields` maps each question to its problem.
    """
    problems: dict[str, str] = {}
    if len(questions) > MOST_QUESTIONS:
        problems["questions"] = message("Ask at most %(n)d questions.", n=MOST_QUESTIONS)
    seen: set[str] = set()
    for question in questions:
        problem = ALREADY_USED if question.key in seen else _problem(question)
        problem = problem or _translation_problem(question)
        seen.add(question.key)
        if problem:
            problems[question.key or "key"] = problem
    if problems:
        named = [
            message("%(name)s: %(problem)s", name=name, problem=problem) for name, problem in problems.items()
        ]
        raise InvalidContent(joined(named), code="invalid_questions", fields=problems)


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
            return message(
                "Translate all options into %(language)s, in the same order, or none.", language=language
            )
    return ""


def _problem(question: RaterQuestion) -> str:
    if len(question.key) > LONGEST_KEY or not KEY.fullmatch(question.key):
        return message(
            "Use 1 to %(n)d letters, digits, hyphens or underscores for the short name.", n=LONGEST_KEY
        )
    if not question.text.strip() or len(question.text) > LONGEST_QUESTION:
        return message("Enter a question of 1 to %(n)d characters.", n=LONGEST_QUESTION)
    if question.kind is not DemographicKind.CHOICE:
        return message("Only choice questions can have options.") if question.options else ""
    if not FEWEST_OPTIONS <= len(question.options) <= MOST_OPTIONS:
        return message("Enter %(least)d to %(most)d options.", least=FEWEST_OPTIONS, most=MOST_OPTIONS)
    if any(not option.strip() or len(option) > LONGEST_ANSWER for option in question.options):
        return message("Enter 1 to %(n)d characters for each option.", n=LONGEST_ANSWER)
    is_doubled = len(set(question.options)) < len(question.options)
    return message("An option appears twice. Remove one of them.") if is_doubled else ""


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
