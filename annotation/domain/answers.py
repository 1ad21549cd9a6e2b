"""What a rater may answer: raw form values checked against the criteria of a form."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.errors import InvalidAnswer
from annotation.domain.presence import Presence
from annotation.domain.states import CriterionKind
from annotation.domain.tuple_settings import PLAIN, TupleSettings
from annotation.domain.tuples import checked_tuples

NOT_TEXT = "A character in it is no text (NUL): write it anew."
REASONS = ("lacks_context", "other")
ONE_OF_SEVERAL = (CriterionKind.CHOICE, CriterionKind.PREFERENCE)
LEFT_OPEN = {
    CriterionKind.TEXT: "Write an answer, or say that you can’t rate.",
    CriterionKind.TUPLES: "Write at least one tuple with all its parts, or say that you can’t rate.",
}


@dataclass(frozen=True)
class Question:
    """A criterion as far as checking an answer needs it.

    `options` are the stored values, or the parts of a tuple. With `asked_after` it is asked only where
    the answer to that earlier criterion is `asked_when`. The spans of tuples lie in the item's text `field`.
    """

    key: str
    name: str
    kind: CriterionKind
    minimum: int | None = None
    maximum: int | None = None
    required: bool = True
    options: tuple[str, ...] = ()
    asked_after: str = ""
    asked_when: str = ""
    tuples: TupleSettings = PLAIN
    field: str = ""

    def is_asked(self, answers: Mapping[str, Answer]) -> bool:
        """Whether the answers so far lead to this criterion."""
        if not self.asked_after:
            return True
        return self.asked_after in answers and str(answers[self.asked_after]) == self.asked_when


@dataclass(frozen=True)
class Answer:
    """A checked answer: `value` for Likert, `text` for the other kinds."""

    value: int | None = None
    text: str = ""

    def __str__(self) -> str:
        return self.text if self.value is None else str(self.value)


@dataclass(frozen=True)
class Submission:
    """What a page sent: raw answers by criterion key, and the key of that page.

    `seen_revision` is the revision of the answer that the page showed, 0 where it showed none;
    None where the sender does not say. `presence` is what the page tells of the time it was shown.
    """

    page_key: uuid.UUID
    answers: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    cannot_rate: str = ""
    remark: str = ""
    seen_revision: int | None = None
    presence: Presence | None = None


def check(
    questions: Sequence[Question], submission: Submission, texts: Mapping[str, str] | None = None
) -> dict[str, Answer]:
    """Return the checked answers by criterion key; those left open are absent.

    What is not asked is not stored: where an earlier answer does not lead to a criterion, whatever was
    sent for it is left out.

    Parameters
    ----------
    questions : sequence of Question
        The criteria of the form version that was shown, in its order.
    submission : Submission
        What was sent.
    texts : mapping of str to str or None
        The texts of the item, by field: spans must lie in theirs.

    Raises
    ------
    InvalidAnswer
        `fields` names each criterion that is missing or outside its scale.
    """
    problems = _beside(submission)
    checked: dict[str, Answer] = {}
    for unknown in submission.answers.keys() - {question.key for question in questions}:
        problems[unknown] = "This form has no such criterion."
    for question in questions:
        if not question.is_asked(checked):
            continue
        raw = submission.answers.get(question.key, "")
        try:
            answer = checked_answer(question, raw, texts)
        except ValueError as problem:
            problems[question.key] = str(problem)
            continue
        if answer is not None:
            checked[question.key] = answer
        elif question.required and not submission.cannot_rate:
            problems[question.key] = LEFT_OPEN.get(
                question.kind, "Choose a point, or say that you can’t rate."
            )
    if problems:
        raise InvalidAnswer(
            "Not saved yet: something is missing or cannot be taken; it is marked below.", fields=problems
        )
    return checked


def _beside(submission: Submission) -> dict[str, str]:
    problems: dict[str, str] = {}
    if submission.cannot_rate and submission.cannot_rate not in REASONS:
        problems["cannot_rate"] = "Choose one of the reasons given."
    if "\0" in submission.remark:
        problems["remark"] = NOT_TEXT
    if len(submission.remark) > LONGEST_REMARK:
        problems["remark"] = f"Keep the remark under {LONGEST_REMARK} characters."
    return problems


def checked_answer(
    question: Question, raw: str | Sequence[str], texts: Mapping[str, str] | None = None
) -> Answer | None:
    """One answer to one question, None where it was left open.

    Parameters
    ----------
    question : Question
        What is asked.
    raw : str or sequence of str
        What was given; several for kind `multiple`.
    texts : mapping of str to str or None
        The texts of the item, by field.

    Raises
    ------
    ValueError
        Says in a sentence why the answer cannot be taken.
    """
    values = [raw] if isinstance(raw, str) else list(raw)
    values = [value for value in values if value.strip()]
    if not values:
        return None
    if question.kind is CriterionKind.MULTIPLE:
        return _several(question, values)
    if len(values) > 1:
        raise ValueError("Choose one answer only.")
    if question.kind is CriterionKind.LIKERT:
        return _likert(question, values[0])
    if question.kind in ONE_OF_SEVERAL:
        if values[0] not in question.options:
            raise ValueError("Choose one of the options.")
        return Answer(text=values[0])
    if question.kind is CriterionKind.TEXT:
        return _words(values[0])
    return _tuples(question, values[0], (texts or {}).get(question.field))


def _words(text: str) -> Answer:
    if "\0" in text:
        raise ValueError(NOT_TEXT)
    if len(text) > LONGEST_REMARK:
        raise ValueError(f"Keep it under {LONGEST_REMARK} characters.")
    return Answer(text=text)


def _several(question: Question, values: Sequence[str]) -> Answer:
    if set(values) - set(question.options):
        raise ValueError("Choose among the options.")
    return Answer(text="|".join(option for option in question.options if option in values))


def _tuples(question: Question, raw: str, within: str | None) -> Answer | None:
    text = checked_tuples(raw, question.options, question.tuples, within)
    if len(text) > LONGEST_REMARK:
        raise ValueError(f"Keep the tuples under {LONGEST_REMARK} characters in all.")
    return Answer(text=text) if text else None


def _likert(question: Question, raw: str) -> Answer:
    low, high = question.minimum, question.maximum
    if low is None or high is None:
        raise ValueError("This criterion has no scale; tell the researcher.")
    digits = raw.strip()
    if not digits.removeprefix("-").isdecimal() or not digits.isascii() or len(digits) > 6:
        raise ValueError(f"Choose a whole number from {low} to {high}.")
    if not low <= int(digits) <= high:
        raise ValueError(f"{digits} is outside the scale of {low} to {high}.")
    return Answer(value=int(digits))
