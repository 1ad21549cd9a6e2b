"""Answers of raters: raw form values, checked against the criteria of a form."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.domain.base.errors import InvalidAnswer, WrongPart
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.base.page_activity import Presence
from annotation.domain.questions.kinds.kind import NOT_TEXT, Answer, Question, Raw

REASONS = ("lacks_context", "other")
NOT_SAVED = message("Not saved. Check the marked questions.")
# Where “Can’t rate” is not offered, which the sentences of the kinds of questions name.
ANSWER_NEEDED = message("Answer this question.")


@dataclass(frozen=True)
class Submission:
    """The content of a sent page: raw answers by criterion key, and the key of that page.

    `seen_revision` is the revision of the answer that the page showed, 0 where it showed none;
    None where the sender does not state it. `presence` is the activity that the page reports, and
    `first_values` are the numbers at which marks were first placed, by criterion key.
    `heard` states how the rater came to the end of recordings and videos, by column of the item.
    `interface_language` is that of the page, empty where the sender does not state it. `waited_seconds` is
    how long the answer waited on the rater's device, `shown_seconds` how long its page was shown before that.
    The time on a page that was shown by `left_at` is known only from the page: the rater paused then, or came
    to this browser, and how long they were away is not known.
    """

    page_key: uuid.UUID
    answers: Mapping[str, Raw] = field(default_factory=dict)
    cannot_rate: str = ""
    remark: str = ""
    seen_revision: int | None = None
    presence: Presence | None = None
    first_values: Mapping[str, str] = field(default_factory=dict)
    heard: Mapping[str, str] = field(default_factory=dict)
    interface_language: str = ""
    shown_seconds: float | None = None
    waited_seconds: float = 0.0
    left_at: datetime | None = None


def check(
    questions: Sequence[Question],
    submission: Submission,
    texts: Mapping[str, str] | None = None,
    *,
    offers_cannot_rate: bool = True,
) -> dict[str, Answer]:
    """Return the checked answers by criterion key; those left open are absent.

    An answer to a criterion that is not asked, because of an earlier answer, is left out.

    Parameters
    ----------
    questions : sequence of Question
        The criteria of the form version that was shown, in its order.
    submission : Submission
        The content of the sent page.
    texts : mapping of str to str or None
        The texts of the item, by field; spans must lie within them.
    offers_cannot_rate : bool
        Whether the page offers “Can’t rate”, which the sentence about a missing answer then names.

    Raises
    ------
    InvalidAnswer
        `fields` names each criterion that is missing or outside its scale; `codes` has the codes of some.
    """
    problems = _problems_of_submission(submission)
    codes: dict[str, str] = {}
    checked: dict[str, Answer] = {}
    decided: dict[str, float | str] = {}
    for unknown in submission.answers.keys() - {question.key for question in questions}:
        problems[unknown] = message("This form has no such criterion.")
    for question in questions:
        if not question.is_asked(decided):
            continue
        raw = submission.answers.get(question.key, "")
        try:
            answer = question.kind.checked(question, raw, texts)
        except ValueError as problem:
            problems[question.key] = problem.args[0]
            if isinstance(problem, WrongPart):
                codes[question.key] = problem.code
            continue
        if answer is not None:
            checked[question.key] = answer
            decided[question.key] = question.kind.decided_by(question.kind.cell(answer))
        elif question.required and not submission.cannot_rate:
            problems[question.key] = question.kind.missing(question) if offers_cannot_rate else ANSWER_NEEDED
    if problems:
        raise InvalidAnswer(NOT_SAVED, fields=problems, codes=codes)
    return checked


def first_values(
    questions: Sequence[Question],
    submission: Submission,
    answers: Mapping[str, Answer],
    before: Mapping[str, float],
) -> dict[str, float]:
    """Return the first numbers of the answered criteria whose kind records them.

    A number that was sent is left out where the criterion cannot have it.

    Parameters
    ----------
    questions : sequence of Question
        The criteria of the form version that was shown.
    submission : Submission
        The content of the sent page.
    answers : mapping of str to Answer
        From `check`.
    before : mapping of str to float
        Those of the revision that is corrected, which stay.
    """
    found: dict[str, float] = {}
    for question in questions:
        if not question.kind.records_first or question.key not in answers:
            continue
        first = before.get(question.key, _number(question, submission.first_values.get(question.key, "")))
        if first is not None:
            found[question.key] = first
    return found


def _number(question: Question, typed: str) -> float | None:
    try:
        answer = question.kind.checked(question, typed)
    except ValueError:
        return None
    return None if answer is None else answer.value


def _problems_of_submission(submission: Submission) -> dict[str, str]:
    problems: dict[str, str] = {}
    if submission.cannot_rate and submission.cannot_rate not in REASONS:
        problems["cannot_rate"] = message("Choose one of the reasons given.")
    if "\0" in submission.remark:
        problems["remark"] = NOT_TEXT
    if len(submission.remark) > LONGEST_REMARK:
        problems["remark"] = message(
            "Shorten “What is missing?” to %(most)d characters.", most=LONGEST_REMARK
        )
    return problems
