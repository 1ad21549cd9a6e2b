"""Pairs of raters on marked spans, as the reliability page and its files show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from scoring.models import Report

FIGURES = ("precision", "recall", "f1")
BY_SPANS = tuple(product(("exact", "overlap"), FIGURES))


@dataclass(frozen=True)
class PairTable:
    """A table of a report with figures of the second rater against the first, by way of matching."""

    name: str
    count: str
    matchings: tuple[str, ...]
    shown: tuple[tuple[str, str], ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of a file."""
        names = [_column(*key) for key in product(self.matchings, FIGURES)]
        figures = (column for name in names for column in (name, f"{name}_low", f"{name}_high"))
        return "criterion", "first", "second", "n_items", self.count, *figures

    def lines(self, report: Report) -> list[dict[str, Any]]:
        """One row per criterion and pair. The keys are `columns`; an undefined value is None."""
        lines: dict[tuple[str, str], dict[str, Any]] = {}
        for row in report.tables.get(self.name, []):
            matching, pair = self._split(str(row["variant"]))
            line = lines.setdefault((row["criterion"], pair), self._line(row, pair))
            name = _column(matching, row["coefficient"])
            line |= {name: row["estimate"], f"{name}_low": row["low"], f"{name}_high": row["high"]}
        return list(lines.values())

    def groups(self, report: Report) -> list[dict[str, Any]]:
        """The rows of `lines` by criterion, for a table."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for line in self.lines(report):
            shown = {"cells": [line[_column(*key)] for key in self.shown], "n_marked": line[self.count]}
            groups.setdefault(line["criterion"], []).append({**line, **shown})
        return [{"criterion": name, "rows": rows} for name, rows in groups.items()]

    def _split(self, variant: str) -> tuple[str, str]:
        """The way of matching and the pair; names of raters may have commas too."""
        matching = max((one for one in self.matchings if variant.startswith(f"{one}, ")), key=len)
        return matching, variant.removeprefix(f"{matching}, ")

    def _line(self, row: dict[str, Any], pair: str) -> dict[str, Any]:
        first, _, second = pair.partition("|")
        known = {"criterion": row["criterion"], "first": first, "second": second}
        return {
            **dict.fromkeys(self.columns),
            **known,
            "n_items": row["n_items"],
            self.count: row["n_ratings"],
        }


def _column(matching: str, figure: str) -> str:
    return f"{matching.replace(', ', '_')}_{figure}"


TUPLES = PairTable("tuple_pairs", "n_tuples", ("exact", "overlap"), BY_SPANS)
ERRORS = PairTable(
    "error_pairs",
    "n_errors",
    ("exact", "overlap", "exact, weighted", "overlap, weighted"),
    (*BY_SPANS, ("exact, weighted", "f1"), ("overlap, weighted", "f1")),
)
