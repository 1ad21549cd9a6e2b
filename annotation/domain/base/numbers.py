"""Numbers as files, pages and the API write them, and whole numbers within a range."""

from __future__ import annotations

import math
import re

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message

# A comma or point before three digits separates thousands in some countries and decimals in others.
READ_IN_TWO_WAYS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}", re.ASCII)
# Such a number as files hold it, which have no zeros at the end.
STORED_IN_TWO_WAYS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{2}[1-9]", re.ASCII)


def plain_number(number: float) -> float:
    """Return a whole number as `int` (4.0 becomes 4), every other number as it is."""
    return int(number) if math.isfinite(number) and number == int(number) else number


def as_typed(stored: str) -> str:
    """Return a stored number as it can be read in one way only: 1.234 as 1.2340, and all else as it is."""
    return f"{stored}0" if STORED_IN_TWO_WAYS.fullmatch(stored) else stored


def check_whole_number(name: str, number: int, *, least: int, most: int) -> None:
    """Refuse a whole number outside its range (`bad_option`), naming the option or field and the range."""
    if not least <= number <= most:
        problem = message(
            "%(name)s is %(number)d. Enter a whole number from %(least)s to %(most)s.",
            name=name,
            number=number,
            least=f"{least:,}",
            most=f"{most:,}",
        )
        raise InvalidContent(problem, code="bad_option", fields={name: problem})
