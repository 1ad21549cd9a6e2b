"""Attention checks and their results: whether a rater reads what a page says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.measuring import Measuring
from annotation.domain.questions.normalisation import comparable

# References are means printed with a few digits: 3.67 and 4 differ by .33 and no rounding error.
ROUNDING = 1e-9
AS_GIVEN = Measuring()

Json = dict[str, object]
Answers = Mapping[str, Answer]
Kinds = Mapping[str, Measuring]
Spans = tuple[tuple[int, int], ...]


class CheckKind(StrEnum):
    INSTRUCTED = "instructed"
    GOLD = "gold"
    REPEAT = "repeat"
    TWIN = "twin"
    COMPREHENSION = "comprehension"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True)
class Instructed:
    """The page says what to choose: the instructed values, by criterion."""

    values: Mapping[str, float | str]
    kind: ClassVar[CheckKind] = CheckKind.INSTRUCTED


@dataclass(frozen=True)
class Gold:
    """A reference value and a band around it, by criterion.

    Of marked errors the reference is where errors are expected, as pairs of start and end; without a pair,
    that there is none. The band is in characters, at either end of an error.
    """

    reference: Mapping[str, float | Spans]
    tolerance: Mapping[str, float]
    kind: ClassVar[CheckKind] = CheckKind.GOLD


@dataclass(frozen=True)
class Repeat:
    """An item that the rater has rated before; the criteria that must get similar values."""

    criteria: tuple[str, ...]
    tolerance: float = 1.0
    kind: ClassVar[CheckKind] = CheckKind.REPEAT


@dataclass(frozen=True)
class Twin:
    """A degraded copy of an item, to be rated lower; the lowest point of each criterion that counts."""

    lowest: Mapping[str, float]
    kind: ClassVar[CheckKind] = CheckKind.TWIN


@dataclass(frozen=True)
class Comprehension:
    """A question about the text, answered in words; “None” is an answer like any other."""

    accepted: tuple[str, ...]
    criterion: str = "answer"
    language: str = "en"
    kind: ClassVar[CheckKind] = CheckKind.COMPREHENSION


@dataclass(frozen=True)
class Knowledge:
    """A question with one right option."""

    right: str
    criterion: str = "answer"
    kind: ClassVar[CheckKind] = CheckKind.KNOWLEDGE


Check = Instructed | Gold | Repeat | Twin | Comprehension | Knowledge


@dataclass(frozen=True)
class Verdict:
    """The result of a check. `passed` is None while it is undecided; `detail` can be stored as JSON."""

    passed: bool | None
    reason: str
    detail: Json = field(default_factory=dict)


def verdict(
    check: Check, answers: Answers, other: Answers | None = None, questions: Sequence[Question] = ()
) -> Verdict:
    """Judge the answers to the page of a check.

    Parameters
    ----------
    check : Check
        The check.
    answers : mapping of str to Answer
        The answers to the page of the check, by criterion.
    other : mapping of str to Answer, optional
        The rater's earlier answers for a repeat, those to the original for a twin; None while there are none.
    questions : sequence of Question
        Of the page; their kinds measure the deviation of two numbers. Without them it is the difference.

    Returns
    -------
    Verdict
        Reasons: `as_told`, `not_as_told`; `within_tolerance`, `outside_tolerance`; `twin_lower`,
        `twin_not_lower`; `accepted`, `not_accepted`; `right`, `wrong`. Undecided: `not_answered`,
        `no_earlier_answer`, `waiting_for_original`, `original_at_bottom`.
    """
    kinds: Kinds = {question.key: question.kind for question in questions}
    match check:
        case Instructed():
            return _as_instructed(check, answers)
        case Gold():
            return _near_reference(check, answers, kinds)
        case Repeat():
            return _as_before(check, answers, other, kinds)
        case Twin():
            return _below_original(check, answers, other)
        case Comprehension():
            return _understood(check, answers)
        case Knowledge():
            return _known(check, answers)


def _as_instructed(check: Instructed, answers: Answers) -> Verdict:
    """A missing answer fails: the page asks for nothing else."""
    followed = all(_given(answers, key) == value for key, value in check.values.items())
    detail = {key: {"told": value, "given": _given(answers, key)} for key, value in check.values.items()}
    return Verdict(followed, "as_told" if followed else "not_as_told", {"criteria": detail})


def _near_reference(check: Gold, answers: Answers, kinds: Kinds) -> Verdict:
    criteria: dict[str, object] = {}
    within = True
    for key, reference in check.reference.items():
        tolerance = check.tolerance.get(key, 0.0)
        value = _value(answers, key) if isinstance(reference, float | int) else _spans(answers, key)
        if value is None:
            return Verdict(None, "not_answered", {"criterion": key})
        near = _is_near(value, reference, tolerance, kinds.get(key, AS_GIVEN))
        criteria[key] = {"given": value, "reference": reference, "tolerance": tolerance, "within": near}
        within = within and near
    return _tolerance_verdict(within=within, detail={"criteria": criteria})


def _is_near(value: float | Spans, reference: float | Spans, tolerance: float, kind: Measuring) -> bool:
    """Whether a value is within the tolerance; of errors, whether each expected one is marked, or none is."""
    if isinstance(value, float | int) and isinstance(reference, float | int):
        return is_within(kind.deviation(value, reference), tolerance)
    if isinstance(value, float | int) or isinstance(reference, float | int):
        return False
    if not reference:
        return not value
    return all(
        any(is_within(start - at, tolerance) and is_within(end - to, tolerance) for start, end in value)
        for at, to in reference
    )


def _as_before(check: Repeat, answers: Answers, earlier: Answers | None, kinds: Kinds) -> Verdict:
    if earlier is None:
        return Verdict(None, "no_earlier_answer")
    differences: dict[str, object] = {}
    sizes: list[float] = []
    for key in check.criteria:
        now, before = _value(answers, key), _value(earlier, key)
        if now is None or before is None:
            reason = "not_answered" if now is None else "no_earlier_answer"
            return Verdict(None, reason, {"criterion": key})
        difference = kinds.get(key, AS_GIVEN).deviation(now, before)
        differences[key] = {"given": now, "earlier": before, "difference": difference}
        sizes.append(abs(difference))
    detail: Json = {"criteria": differences, "tolerance": check.tolerance}
    detail["mean_difference"] = sum(sizes) / len(sizes)
    return _tolerance_verdict(within=all(is_within(size, check.tolerance) for size in sizes), detail=detail)


def _below_original(check: Twin, answers: Answers, original: Answers | None) -> Verdict:
    """A criterion on which the original already has the lowest point cannot be judged and does not count."""
    if original is None:
        return Verdict(None, "waiting_for_original")
    criteria: dict[str, object] = {}
    lower: list[bool] = []
    for key, lowest in check.lowest.items():
        twin, whole = _value(answers, key), _value(original, key)
        if twin is None or whole is None:
            return Verdict(None, "not_answered", {"criterion": key})
        criteria[key] = {"twin": twin, "original": whole, "counts": whole > lowest}
        if whole > lowest:
            lower.append(twin < whole)
    if not lower:
        return Verdict(None, "original_at_bottom", {"criteria": criteria})
    return Verdict(all(lower), "twin_lower" if all(lower) else "twin_not_lower", {"criteria": criteria})


def _understood(check: Comprehension, answers: Answers) -> Verdict:
    typed = str(_given(answers, check.criterion) or "")
    read = comparable(typed, check.language)
    if not read:
        return Verdict(None, "not_answered", {"criterion": check.criterion})
    accepted = read in {comparable(answer, check.language) for answer in check.accepted}
    return Verdict(accepted, "accepted" if accepted else "not_accepted", {"given": typed, "read_as": read})


def _known(check: Knowledge, answers: Answers) -> Verdict:
    chosen = _given(answers, check.criterion)
    if chosen is None:
        return Verdict(None, "not_answered", {"criterion": check.criterion})
    right = chosen == check.right
    return Verdict(right, "right" if right else "wrong", {"given": chosen, "right": check.right})


def is_within(difference: float, tolerance: float) -> bool:
    """Whether a difference of either sign is within the tolerance, its limits included."""
    return abs(difference) <= tolerance + ROUNDING


def _tolerance_verdict(*, within: bool, detail: Json) -> Verdict:
    return Verdict(within, "within_tolerance" if within else "outside_tolerance", detail)


def _value(answers: Answers, key: str) -> float | None:
    return answers[key].value if key in answers else None


def _spans(answers: Answers, key: str) -> Spans | None:
    content = answers[key].content if key in answers else None
    return None if content is None else tuple((mark["start"], mark["end"]) for mark in content)


def _given(answers: Answers, key: str) -> float | str | None:
    if key not in answers:
        return None
    answer = answers[key]
    return (answer.text or None) if answer.value is None else answer.value
