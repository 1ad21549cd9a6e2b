"""Amounts of money as whole numbers of the smallest unit of a currency, such as cents."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal

# ISO 4217, table A.1 (“minor unit”); every other currency has two digits.
DIGITS: Mapping[str, int] = {
    **dict.fromkeys(["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI"], 0),
    **dict.fromkeys(["VND", "VUV", "XAF", "XOF", "XPF"], 0),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
}
USUAL_DIGITS = 2


def unit_of(currency: str) -> Decimal:
    """The smallest unit: 0.01 of EUR, 1 of JPY."""
    return Decimal(1).scaleb(-DIGITS.get(currency, USUAL_DIGITS))


def to_minor(amount: Decimal, currency: str) -> int:
    """An amount in the smallest units, rounded up, so that no rater gets less than was earned."""
    return int((amount / unit_of(currency)).to_integral_value(rounding=ROUND_CEILING))


def from_minor(units: int, currency: str) -> Decimal:
    """Convert a number of smallest units to an amount with the digits of its currency."""
    return units * unit_of(currency)
