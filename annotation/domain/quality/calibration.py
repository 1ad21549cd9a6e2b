"""Calibration items as a researcher sets them up: the pass rule, and references that are possible."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_REFERENCE
from annotation.domain.base.messages import joined, message
from annotation.domain.quality.checks import is_within
from annotation.domain.quality.qualification import ByHand, NearReference, Qualification, RankedAlike, Rule
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.registry import KINDS

FEWEST_RANKED = 3

Reference = Mapping[str, float | str]
Item = TypeVar("Item")


EMPTY = {"title": message("Enter a title."), "text": message("Enter a text.")}
TOO_LONG = {
    "title": message("The title has %(n)s characters. Shorten it to %(most)s."),
    "text": message("The text has %(n)s characters. Shorten it to %(most)s."),
    "reason": message("The reason has %(n)s characters. Shorten it to %(most)s."),
}


class RuleKind(StrEnum):
    NEAR = "near"
    RANK = "rank"
    HAND = "hand"


def qualification_of(
    kind: RuleKind, *, tolerance: float | None, share: float | None, least: float | None, attempts: int | None
) -> Qualification:
    """The pass rule from its settings: `near` reads tolerance and share, `rank` the least correlation.

    `attempts` is how often a rater may try, None for no limit.

    Raises
    ------
    InvalidContent
        `invalid_qualification`; `fields` maps each wrong setting to a sentence.
    """
    needed = {RuleKind.NEAR: {"tolerance": tolerance, "share": share}, RuleKind.RANK: {"least": least}}
    lacking = {
        name: message("Enter a number.")
        for name, value in needed.get(kind, {}).items()
        if value is None or not math.isfinite(value)
    }
    if lacking:
        raise InvalidContent(
            message("The rule is incomplete. Enter a number for: %(settings)s.", settings=", ".join(lacking)),
            code="invalid_qualification",
            fields=lacking,
        )
    return Qualification(_rule(kind, tolerance or 0.0, share or 0.0, least or 0.0), attempts)


def read_reference(
    given: Mapping[str, object], questions: Sequence[Question], texts: Mapping[str, str]
) -> dict[str, float | str]:
    """The reference values of one item, by criterion: numbers on scales, else answers as files hold them.

    Empty values are left out. `texts` are those of the item, by field.

    Raises
    ------
    InvalidContent
        `invalid_reference`: there is none, one lies outside its scale or is no option, or a criterion
        takes none; `fields` maps each criterion to a sentence.
    """
    known = {question.key: question for question in questions}
    found: dict[str, float | str] = {}
    problems: dict[str, str] = {}
    for key, value in given.items():
        text = str("" if value is None else value).strip()
        if text:
            try:
                found[key] = _read_reference(key, text, known.get(key), texts)
            except ValueError as problem:
                problems[key] = problem.args[0]
    if not found and not problems:
        problems["reference"] = message("Enter a reference value for at least one criterion.")
    if problems:
        raise InvalidContent(joined(problems.values()), code="invalid_reference", fields=problems)
    return found


def _read_reference(key: str, text: str, question: Question | None, texts: Mapping[str, str]) -> float | str:
    """One reference value; the message of a `ValueError` says why it is invalid."""
    if question is None:
        raise ValueError(message("The form has no criterion “%(key)s”.", key=key))
    read = None if len(text) > LONGEST_REFERENCE else question.kind.reference_in(question, text, texts)
    if len(str(text if read is None else read)) > LONGEST_REFERENCE:
        raise ValueError(message("Use at most %(most)d characters.", most=LONGEST_REFERENCE))
    if read is None:
        sentence = message(
            "“%(value)s” is not a possible value of “%(name)s”.", value=text, name=question.name
        )
        raise ValueError(sentence)
    return read


def in_numbers(
    reference: float | str, cell: float | str | None, kind: str, settings: Mapping[str, Any]
) -> tuple[float | None, float]:
    """An answer, as files hold it, and its reference as numbers: an order by its distance from the reference.

    A wrong option is beyond any tolerance. `settings` are those of the criterion.
    """
    if isinstance(reference, str):
        return (None if cell in (None, "") else KINDS[kind].distance(reference, str(cell), settings)), 0.0
    return (float(cell) if isinstance(cell, float | int) else None), float(reference)


def deviation_in_numbers(
    reference: float | str, cell: float | str | None, kind: str, settings: Mapping[str, Any]
) -> tuple[float | None, float]:
    """As `in_numbers`, but the two numbers differ by the deviation as their kind measures it."""
    number, aim = in_numbers(reference, cell, kind, settings)
    if number is None or isinstance(reference, str) or not KINDS[kind].on_ratios:
        return number, aim
    return aim + KINDS[kind].deviation(number, aim), aim


def is_within_tolerance(
    reference: float | str,
    tolerance: float | None,
    cell: float | str | None,
    kind: str,
    settings: Mapping[str, Any],
) -> bool:
    """Whether an answer lies within the tolerance of its reference; without a tolerance it must be equal."""
    number, aim = deviation_in_numbers(reference, cell, kind, settings)
    return number is not None and is_within(number - aim, tolerance or 0.0)


def rankable(references: Iterable[Reference]) -> frozenset[str]:
    """Criteria on which a correlation with the reference exists: numbers that differ between items."""
    values: dict[str, list[float]] = defaultdict(list)
    for reference in references:
        for key, value in reference.items():
            if not isinstance(value, str):
                values[key].append(value)
    return frozenset(
        key for key, numbers in values.items() if len(numbers) >= FEWEST_RANKED and len(set(numbers)) > 1
    )


def why_incomplete(kind: RuleKind, references: Sequence[Reference], *, per_attempt: int | None = None) -> str:
    """Why no rater could pass the calibration items; empty if raters can.

    `per_attempt` is the number of items in an attempt, None for all.
    """
    if not references:
        return message("Add calibration items or remove the qualification.")
    attempts = in_attempts(references, per_attempt)
    if kind is not RuleKind.RANK or all(map(rankable, attempts)):
        return ""
    if len(attempts) == 1:
        return message(
            "A correlation needs at least %(fewest)s calibration items with different reference values on at "
            "least one criterion.",
            fewest=FEWEST_RANKED,
        )
    return message(
        "In each attempt, a correlation needs at least %(fewest)s calibration items with different reference "
        "values on at least one criterion.",
        fewest=FEWEST_RANKED,
    )


def in_attempts(items: Sequence[Item], per_attempt: int | None) -> list[list[Item]]:
    """Divide the calibration items into attempts, in order; the last attempt may repeat the first items."""
    size = min(per_attempt or len(items), len(items))
    ring = [*items, *items]
    return [ring[start : start + size] for start in range(0, len(items), size or 1)]


def _rule(kind: RuleKind, tolerance: float, share: float, least: float) -> Rule:
    if kind is RuleKind.NEAR:
        return NearReference(tolerance, share)
    return RankedAlike(least) if kind is RuleKind.RANK else ByHand()


def text_problems(texts: Mapping[str, tuple[str, int]]) -> dict[str, str]:
    """Problems of the title, text or reason of a qualification, given with their maximum lengths."""
    problems: dict[str, str] = {}
    for name, (text, longest) in texts.items():
        if not text.strip():
            problems[name] = EMPTY[name]
        elif len(text) > longest:
            problems[name] = message(TOO_LONG[name], n=len(text), most=longest)
    return problems
