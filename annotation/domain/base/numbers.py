"""Numbers as files, pages and the API write them: a whole number has no decimal point."""

from __future__ import annotations

import math


def plain_number(number: float) -> float:
    """Return a whole number as `int`, every other number as it is.

    Parameters
    ----------
    number : float
        Such as 4.0, which becomes 4, or 4.5.
    """
    return int(number) if math.isfinite(number) and number == int(number) else number
