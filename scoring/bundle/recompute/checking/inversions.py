"""Checks of rankings against the scores of their options."""

from __future__ import annotations

from ..arrays import Row
from ..bundle import Bundle
from ..choices.inversions import list_inversions
from .check import Check

PAIR = ("criterion", "metric", "first", "second")
COUNTS = ("n", "inverted", "tied", "answers", "against")


def check_inversions(bundle: Bundle, report: Row, check: Check) -> None:
    """Check the inversions of each pair of candidates."""
    check.rows(report["tables"]["inversions"], list_inversions(bundle), (PAIR, COUNTS))
