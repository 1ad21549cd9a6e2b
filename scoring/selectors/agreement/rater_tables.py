"""Pairs of raters and distributions of a report, as its page shows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from scoring.models import Report
from scoring.selectors.base.figures import as_answered, is_logarithmic

MINIMUM_SHARED = 10
# Steps of the shading, and the lowest value of each.
STEPS = (0.15, 0.30, 0.45, 0.60, 0.75)
# Columns of a distribution; more values than this, as a slider has them, are put into about ten bins.
MOST_COLUMNS, BINS = 20, 10


def pair_matrices(report: Report) -> list[dict[str, Any]]:
    """The lower triangle of raters against raters, for each criterion of a reliability report.

    Returns
    -------
    list of dict
        `criterion`, `columns` (raters) and `rows`, each with `rater` and `cells`; a cell has `kappa`,
        `pearson`, `shared`, `shade` (0 to 5) and `few`. A cell is None if two raters share no item.
    """
    return [
        {"criterion": criterion, **_matrix(found["raters"], found["cells"])}
        for criterion, found in report.tables.get("pairs", {}).items()
        if len(found["raters"]) > 1
    ]


def _matrix(raters: list[str], cells: list[dict[str, Any]]) -> dict[str, Any]:
    by_pair = {(cell["first"], cell["second"]): cell for cell in cells}
    rows = []
    for second in range(1, len(raters)):
        shown = [_shown(by_pair.get((first, second))) for first in range(second)]
        rows.append({"rater": raters[second], "cells": shown, "blanks": range(len(raters) - 1 - second)})
    return {"columns": raters[:-1], "rows": rows}


def _shown(cell: dict[str, Any] | None) -> dict[str, Any]:
    if cell is None:
        return {"shared": 0, "few": True, "shade": 0, "kappa": None}
    few = cell["shared"] < MINIMUM_SHARED or cell["kappa"] is None
    shade = 0 if few else sum(cell["kappa"] >= step for step in STEPS)
    return {**cell, "few": few, "shade": shade}


def distributions(report: Report) -> list[dict[str, Any]]:
    """Shares of the values of each criterion of a reliability report, in total and by rater.

    Returns
    -------
    list of dict
        `criterion`, `values`, and `rows` with a name, the mean, and for each value its count and share in
        per cent. More than 20 values are put into bins, which `values` names by their ends (`in_bins`). Of
        `logarithmic` criteria values are those that were answered, and means are geometric.
    """
    found = []
    for criterion, table in report.tables.get("distributions", {}).items():
        named = [
            (row["rater"], row["counts"], as_answered(report, criterion, row["mean"]))
            for row in table["raters"]
        ]
        total = sum(table["counts"])
        mean = sum(value * n for value, n in zip(table["values"], table["counts"], strict=True)) / total
        logarithmic = is_logarithmic(report, criterion)
        bins = bins_of(table["values"], logarithmic=logarithmic)
        rows = [_row("", bins.counts(table["counts"]), as_answered(report, criterion, mean))]
        rows += [_row(name, bins.counts(counts), own) for name, counts, own in named]
        shown = {"values": bins.labels, "in_bins": bins.step > 0, "rows": rows, "logarithmic": logarithmic}
        found.append({"criterion": criterion, **shown})
    return found


@dataclass(frozen=True)
class Bins:
    """Columns of a distribution: the bin of each value; without a `step`, each value is a column."""

    labels: Sequence[float | str]
    place: Sequence[int]
    step: float = 0.0

    def counts(self, of_values: Sequence[int]) -> list[int]:
        """The counts of the columns, from those of the values."""
        found = [0] * len(self.labels)
        for place, count in zip(self.place, of_values, strict=True):
            found[place] += count
        return found


def bins_of(values: Sequence[float], *, logarithmic: bool = False) -> Bins:
    """Put more than 20 values in order into at most 11 bins with round ends.

    A value at the end of two bins is in the upper one; the greatest value is in the last bin.

    Parameters
    ----------
    values : sequence of float
        The different values, in order.
    logarithmic : bool
        The values are logarithms; labels have what they are logarithms of.
    """
    answered: Callable[[float], float] = _three_digits if logarithmic else float
    if len(values) <= MOST_COLUMNS:
        return Bins([answered(value) for value in values] if logarithmic else values, range(len(values)))
    step = _round_step((values[-1] - values[0]) / BINS)
    # Without the errors of binary fractions, in which 0.3 is no multiple of 0.1.
    steps = [round(value / step, 6) for value in values]
    first, last = math.floor(steps[0]), math.ceil(steps[-1])
    ends = [answered(place * step) for place in range(first, last + 1)]
    labels = [f"{low:g}–{high:g}" for low, high in pairwise(ends)]
    return Bins(labels, [min(math.floor(one), last - 1) - first for one in steps], step)


def _three_digits(logarithm: float) -> float:
    return float(f"{math.exp(logarithm):.3g}")


def _round_step(least: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(part * power for part in (1, 2, 5, 10) if round(part * power, 12) >= round(least, 12))


def _row(rater: str, counts: list[int], mean: float) -> dict[str, Any]:
    total = sum(counts) or 1
    shares = [100 * count / total for count in counts]
    cells = [{"count": count, "share": share} for count, share in zip(counts, shares, strict=True)]
    return {"rater": rater, "mean": mean, "total": total, "cells": cells}
