"""What may be read of a judge’s text: values that it states, and nothing that has to be guessed."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.judging.instrument import AskedCriterion

EMPTY, NOT_READABLE, TWICE = "empty_answer", "malformed", "answered_twice"
MISSING, NOT_A_VALUE, OUT_OF_SCALE = "criterion_missing", "not_a_value", "out_of_scale"
CANNOT_RATE = "cannot_rate"
# In the order in which they are explained to people.
REASONS: Final = (CANNOT_RATE, EMPTY, NOT_READABLE, TWICE, MISSING, NOT_A_VALUE, OUT_OF_SCALE)
NULL = "null"
LONGEST = 16_000
FENCED = re.compile(r"```[a-zA-Z]*[^\S\n]*\n(.*)```", re.DOTALL)
NUMBER = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)


class MalformedAnswer(ValueError):
    """A text from which no answer can be read; `code` is one of `REASONS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Parsed:
    """What a text states of each criterion: a value as the form writes it, or why there is none."""

    values: Mapping[str, str]
    reasons: Mapping[str, str]


def read_answers(text: str, criteria: Sequence[AskedCriterion], *, cannot_rate: bool = False) -> Parsed:
    """Read the values of criteria from a judge’s text.

    The text is one JSON object, or one line `criterion: value` for each criterion: alone, or in one fenced
    block with nothing outside it, since a block among other text may be a quotation or an example. A
    criterion is named by its key, or by its name unless that is also the key or the name of another. Further
    keys of an object are ignored.

    Parameters
    ----------
    text
        What the judge wrote.
    criteria
        What it was asked.
    cannot_rate
        Whether `null` says that a criterion cannot be rated; otherwise it is `not_a_value`.

    Returns
    -------
    Parsed
        Each criterion is in `values` or in `reasons`.

    Raises
    ------
    MalformedAnswer
        `empty_answer`, `malformed`, or `answered_twice` where a criterion is named more than once.
    """
    if not text.strip():
        raise MalformedAnswer(EMPTY)
    if len(text) > LONGEST:
        raise MalformedAnswer(NOT_READABLE)
    stated = _stated(text.strip(), criteria)
    values, reasons = {}, {}
    for criterion in criteria:
        if criterion.key not in stated:
            reasons[criterion.key] = MISSING
            continue
        value = _written(stated[criterion.key])
        if cannot_rate and _is_null(stated[criterion.key], criterion):
            reasons[criterion.key] = CANNOT_RATE
        elif value is None:
            reasons[criterion.key] = NOT_A_VALUE
        elif (on_scale := _on_scale(value, criterion)) is None:
            reasons[criterion.key] = OUT_OF_SCALE
        else:
            values[criterion.key] = on_scale
    return Parsed(values, reasons)


def _stated(text: str, criteria: Sequence[AskedCriterion]) -> dict[str, Any]:
    """What the text states, by key of the criterion."""
    names = _keys_by_name(criteria)
    block = FENCED.fullmatch(text)
    candidate = block[1].strip() if block else text
    pairs = _pairs_of_object(candidate) if candidate.startswith("{") else _pairs_of_lines(candidate, names)
    found: dict[str, Any] = {}
    for name, value in pairs:
        key = names.get(name.strip())
        if key is None:
            continue
        if key in found:
            raise MalformedAnswer(TWICE)
        found[key] = value
    return found


def _keys_by_name(criteria: Sequence[AskedCriterion]) -> dict[str, str]:
    """Key of the criterion by each accepted name: every key, and each name that only one criterion has."""
    times = Counter(one.name for one in criteria)
    names = {one.name: one.key for one in criteria if times[one.name] == 1}
    return names | {one.key: one.key for one in criteria}


def _pairs_of_object(text: str) -> list[tuple[str, Any]]:
    try:
        found = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:
        raise MalformedAnswer(NOT_READABLE) from fault
    if not isinstance(found, _Pairs):
        raise MalformedAnswer(NOT_READABLE)
    return list(found)


class _Pairs(list[tuple[str, Any]]):
    """An object with all of its pairs, also those whose key is there twice."""


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _pairs_of_lines(text: str, names: Mapping[str, str]) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in names:
            raise MalformedAnswer(NOT_READABLE)
        pairs.append((name, value))
    if not pairs:
        raise MalformedAnswer(NOT_READABLE)
    return pairs


def _is_null(value: Any, criterion: AskedCriterion) -> bool:
    """Whether nothing was stated: `null`, also as the word of a line, unless that is a value."""
    return value is None or (
        isinstance(value, str) and value.strip() == NULL and NULL not in criterion.values
    )


def _written(value: Any) -> str | None:
    """A stated value as text; None for what is not one value."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    return str(int(value)) if number.is_integer() else repr(value)


def _on_scale(value: str, criterion: AskedCriterion) -> str | None:
    """The value as the form writes it; None where it is not on the scale."""
    if value in criterion.values:
        return value
    number = float(value) if NUMBER.fullmatch(value) else None
    if number is None:
        return None
    if criterion.low is not None and criterion.high is not None:
        return _plain(number) if criterion.low <= number <= criterion.high else None
    equal = [one for one in criterion.values if NUMBER.fullmatch(one) and float(one) == number]
    return equal[0] if equal else None


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() else f"{number:.6f}".rstrip("0").rstrip(".")
