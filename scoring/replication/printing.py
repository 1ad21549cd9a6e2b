"""A replication as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from scoring.replication.cells import Cell
from scoring.replication.checked import as_lines, checked
from scoring.replication.definitions import DEFINITIONS
from scoring.replication.hanna.comparisons import RESAMPLING
from scoring.replication.registry import Replication, counts

# Definitions of results that use bootstrap samples, with their settings.
DRAWN = {"pair_f1": RESAMPLING}


def as_json(replication: Replication, cells: list[Cell]) -> dict[str, Any]:
    """Cells, counts by status and definitions, with the keys of the contract.

    Parameters
    ----------
    replication : Replication
        The recomputed study.
    cells : list of Cell
        Its cells.

    Returns
    -------
    dict
        Keys `dataset`, `paper`, `counts`, `definitions`, `checked` and `cells`.
    """
    used = sorted({cell.definition for cell in cells})
    return {
        "dataset": replication.name,
        "paper": replication.paper,
        "counts": counts(cells),
        "definitions": {key: DEFINITIONS[key] for key in used},
        "checked": [asdict(one) for one in checked(replication.name, cells)],
        "cells": [cell.to_row() for cell in cells],
    }


def as_text(replication: Replication, cells: list[Cell], *, every: bool = False) -> Iterator[str]:
    """Counts, each table's cells, how they were computed, then what could be checked.

    Parameters
    ----------
    replication : Replication
        The recomputed study.
    cells : list of Cell
        Its cells.
    every : bool
        Whether to include cells without a result in the paper.

    Yields
    ------
    str
        One line.
    """
    found = counts(cells)
    computable = found["reproduces"] + found["last-digit"] + found["differs"]
    yield f"{replication.title}: {replication.paper}"
    yield f"{found['reproduces']} of the {computable} printed results that can be computed are reproduced"
    yield "  ".join(f"{status}: {number}" for status, number in found.items())
    shown = cells if every else [cell for cell in cells if cell.published is not None]
    for source, group in groupby(shown, key=lambda cell: cell.source):
        yield ""
        yield source
        for cell in group:
            yield _line(cell)
    yield ""
    yield from _how_computed(shown)
    yield ""
    yield "What could be checked:"
    yield from as_lines(checked(replication.name, cells))


def _how_computed(cells: list[Cell]) -> Iterator[str]:
    """The definition of each kind of result, with the number of bootstrap samples and the seed."""
    yield "How the results were computed:"
    used = sorted({cell.definition for cell in cells})
    for key in used:
        how = DRAWN.get(key)
        drawn = f"; {how.replicates:,} bootstrap samples, seed {how.seed}" if how else ""
        yield f"  {key}: {DEFINITIONS[key]}{drawn}"
    if not DRAWN.keys() & set(used):
        yield "No result uses bootstrap samples, so there is no seed."


def _line(cell: Cell) -> str:
    computed = figure(cell.computed, cell.published)
    note = f"  ({cell.note})" if cell.note else ""
    return f"  {f'{cell.row}, {cell.col}':<58} {cell.published or '':>18} {computed:>18}  {cell.status}{note}"


def figure(computed: float | str | None, printed: str | None) -> str:
    """A computed figure with two digits more than the printed one; a dash where there is none.

    Parameters
    ----------
    computed : float, str or None
        At full precision, or a name.
    printed : str or None
        As printed.
    """
    if computed is None:
        return "–"
    if isinstance(computed, str | int):
        return str(computed)
    decimals = len(printed.partition(".")[2]) + 2 if printed else 4
    return f"{computed:.{decimals}f}"
