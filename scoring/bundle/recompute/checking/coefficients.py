"""Check of the list of coefficients."""

from __future__ import annotations

from ..bundle import Bundle
from ..registry import COMPUTED
from .check import Check


def check_coefficients(bundle: Bundle, check: Check) -> None:
    """Check that the programme has code for every coefficient that the bundle lists."""
    for key in sorted(bundle.coefficients.known):
        check.same(f"{key} has code in this programme", True, key in COMPUTED)
