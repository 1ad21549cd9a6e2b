"""Numbers as files, pages and the API write them: a whole number has no decimal point."""

from __future__ import annotations

import math


def plain_number(number: float) -> float:
    """Return a whole number as `int` (4.0 becomes 4), every other number as it is."""
    return int(number) if math.isfinite(number) and number == int(number) else number
