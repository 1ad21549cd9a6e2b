"""Comparison of stored numbers with recomputed ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..arrays import Row

TOLERANCE = 1e-9
# Restricted maximum likelihood stops when a step gains too little: two implementations agree to this.
ITERATED = 1e-6
P_VALUES = {
    "p",
    "new_systems_p",
    "p_adjusted",
    "adjusted_p",
    "all_ratings_p",
    "people_p",
    "p_bootstrap",
    "p_permutation",
    "williams_p",
    "williams_paper_p",
}
# Below this the tail of a distribution is only rounding error.
TINY = 1e-30
# Limits that differ by less than this are equal.
SAME_LIMIT = 1e-12
NUMBERS = ("estimate", "low", "high", "confidence", "p", "n_items", "n_raters", "n_ratings", "n_groups")


class Check:
    """Comparison of stored numbers with recomputed ones."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.compared = 0
        # Greatest difference, and what is allowed there, both relative to the greater of 1 and the number.
        self.furthest = 0.0
        self.allowed = TOLERANCE
        self.wrong: list[str] = []
        self.left: dict[str, int] = {}

    def same(self, what: str, stored: Any, again: Any) -> None:
        """Compare two values that must be equal."""
        self.compared += 1
        if stored != again:
            self.wrong.append(f"{what}: stored {stored!r}, recomputed {again!r}")

    def count_skipped(self, what: str, stored: Any) -> None:
        """Count numbers that this program cannot compute."""
        self.left[what] = self.left.get(what, 0) + count_numbers(stored)

    def near(
        self, what: str, stored: float | None, again: float | None, allowed: float | None = None
    ) -> None:
        """Compare two numbers that may differ by `allowed`; null means not a finite number."""
        self.compared += 1
        known = again is not None and math.isfinite(again)
        if stored is None or again is None or not known:
            if (stored is None) == known:
                self.wrong.append(f"{what}: stored {stored}, recomputed {again}")
            return
        size = max(1.0, abs(stored))
        away = abs(stored - again)
        most = TOLERANCE * size if allowed is None else allowed
        if away / size > self.furthest:
            self.furthest, self.allowed = away / size, most / size
        # Written so that a stored NaN is a difference.
        if not away <= most:
            self.wrong.append(f"{what}: stored {stored!r}, recomputed {again!r}")

    def rows(
        self,
        stored: Sequence[Row],
        again: Sequence[Row],
        how: tuple[Sequence[str], Sequence[str]],
        ours: Callable[[Row], bool] = bool,
    ) -> None:
        """Compare rows by key; `how` is key and numbers, `ours` says which rows must be computed."""
        key, names = how
        found = {tuple(row[name] for name in key): row for row in again}
        seen: set[tuple[Any, ...]] = set()
        for row in stored:
            row_key = tuple(row[name] for name in key)
            if row_key in found and row_key not in seen:
                seen.add(row_key)
                self.row(" ".join(map(str, row_key)), row, found[row_key], names)
            elif ours(row):
                self.wrong.append(f"{' '.join(map(str, row_key))}: not recomputed, or there twice")
            else:
                self.count_skipped(str(row.get("coefficient", "rows")), row)
        self.same("rows that are missing", [], [row_key for row_key in found if row_key not in seen])

    def row(self, what: str, stored: Row, again: Row, names: Sequence[str]) -> None:
        """Compare the numbers of one row, and whether missing numbers have a reason."""
        for name in names:
            if name in again and name not in stored:
                self.same(f"{what} {name}", "nothing", again[name])
            elif name in stored:
                self.near(f"{what} {name}", stored[name], again.get(name), get_tolerance(name, stored))
        if "reason" in stored and "estimate" in again:
            self.same(f"{what} has a reason", bool(stored["reason"]), not is_finite(again["estimate"]))
        if "interval_method" in stored and "low" in again:
            none = str(stored["interval_method"]).startswith("none")
            limits = is_finite(again["low"]) or is_finite(again["high"])
            self.same(f"{what} has an interval", not none, limits)
            if limits and "signature" in stored:
                self.cautions(what, stored, again)

    def cautions(self, what: str, stored: Row, again: Row) -> None:
        """Compare the cautions of an interval; if they were not recomputed, only that of a width of 0."""
        zero_width = ["zero_width"] * has_no_width(again)
        if "cautions" in again:
            self.same(f"{what} cautions", list_cautions(stored), sorted([*again["cautions"], *zero_width]))
        else:
            stored_cautions = [caution for caution in list_cautions(stored) if caution == "zero_width"]
            self.same(f"{what} width of 0", stored_cautions, zero_width)


def list_cautions(stored: Row) -> list[str]:
    """List the cautions that the signature of a row has, in the order of their names."""
    parts = str(stored.get("signature", "")).split("|")
    return sorted(part.removeprefix("caution:") for part in parts if part.startswith("caution:"))


def has_no_width(row: Row) -> bool:
    """Whether both limits of a row are the same but for rounding."""
    low, high = row["low"], row["high"]
    if low is None or high is None:
        return False
    return math.isclose(low, high, rel_tol=SAME_LIMIT, abs_tol=SAME_LIMIT)


def is_finite(value: float | None) -> bool:
    """Whether the value is a finite number."""
    return value is not None and math.isfinite(value)


def count_numbers(value: Any) -> int:
    """Count the numbers in a JSON value."""
    if isinstance(value, Mapping):
        return sum(count_numbers(part) for part in value.values())
    if isinstance(value, list | tuple):
        return sum(count_numbers(part) for part in value)
    return int(isinstance(value, int | float) and not isinstance(value, bool))


def get_tolerance(name: str, row: Row) -> float:
    """Return the allowed difference: relative to a p value, or to the larger of 1 and the number."""
    size = abs(row[name]) if is_finite(row[name]) else 0.0
    if name in P_VALUES:
        return ITERATED * size + TINY
    iterated = str(row.get("variant", "")).startswith("REML") or "strength" in row
    return (ITERATED if iterated else TOLERANCE) * max(1.0, size)


FIGURE = ("criterion", "coefficient", "variant")
