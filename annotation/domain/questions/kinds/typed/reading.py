"""Numbers as people type them, with a decimal point or comma."""

from __future__ import annotations

import re

from annotation.domain.base.messages import Message, message
from annotation.domain.base.numbers import READ_IN_TWO_WAYS, as_typed, plain_number

NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,4})?", re.ASCII)
LONG_NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]+)?", re.ASCII)
MOST = 999_999


def is_number(typed: str) -> bool:
    """Whether a text is a number, however many digits it has."""
    return LONG_NUMBER.fullmatch(typed) is not None


def number_of(typed: str) -> float:
    """Return the number that a text represents."""
    return plain_number(float(typed.replace(",", ".")))


def spelling_problem(typed: str) -> Message | str:
    """The reason why the spelling of a number is not accepted; empty if it is.

    Parameters
    ----------
    typed : str
        A text for which `is_number` holds.
    """
    if READ_IN_TWO_WAYS.fullmatch(typed.removeprefix("-")):
        return message(
            "%(value)s can be read in two ways. Enter %(whole)s or %(decimal)s.",
            value=typed,
            whole=re.sub("[.,]", "", typed),
            decimal=typed_once(str(number_of(typed))),
        )
    if not NUMBER.fullmatch(typed):
        return message("Use at most 6 digits before and 4 digits after the decimal point.")
    return ""


def typed_once(stored: str) -> str:
    """Return a stored number, also a negative one, in a spelling that can be read in one way only."""
    sign = "-" if stored.startswith("-") else ""
    return sign + as_typed(stored.removeprefix("-"))
