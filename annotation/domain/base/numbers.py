"""Numbers as files, pages and the API write them, and whole numbers within a range."""

from __future__ import annotations

import math

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message


def plain_number(number: float) -> float:
    """Return a whole number as `int` (4.0 becomes 4), every other number as it is."""
    return int(number) if math.isfinite(number) and number == int(number) else number


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
