"""Printed figures and computed ones, cell by cell."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any


@dataclass(frozen=True)
class Cell:
    """One cell of a published table; `id` is `dataset/source/row/col`."""

    id: str
    source: str
    row: str
    col: str
    published: str | None
    computed: float | str | None
    status: str
    definition: str
    note: str = ""

    def to_row(self) -> dict[str, Any]:
        """The cell in the contract's JSON."""
        return asdict(self) | {"published": _number(self.published)}


def _number(printed: str | None) -> float | str | None:
    if printed is None:
        return None
    try:
        return float(printed) if "." in printed else int(printed)
    except ValueError:
        return printed


def status_of(published: str | None, computed: float | str | None) -> str:
    """Compare a computed figure with a printed one, at the precision of the printed one.

    Parameters
    ----------
    published : str or None
        As printed, trailing zeros included; None where the paper has no such figure.
    computed : float, int, str or None
        At full precision, a count, or a name.

    Returns
    -------
    str
        `reproduces` where it rounds to the printed figure, `last-digit` where it is within one unit of
        the last printed digit (a count never is), `differs`, `not-computable`, or `no-paper-figure`.
    """
    if computed is None or (isinstance(computed, float) and math.isnan(computed)):
        return "not-computable"
    if published is None:
        return "no-paper-figure"
    if isinstance(computed, str):
        return "reproduces" if computed == published else "differs"
    if isinstance(computed, int):
        return "reproduces" if computed == Decimal(published) else "differs"
    printed, value = Decimal(published), Decimal(repr(float(computed)))
    unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    if printed in {value.quantize(unit, rounding=way) for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)}:
        return "reproduces"
    return "last-digit" if abs(value - printed) <= unit else "differs"
