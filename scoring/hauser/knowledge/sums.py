"""Rows of a future knowledge base, summed: by triple, by pair and by vehicle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# A row: three numbers of terms, the frequency n, and n · P (NaN where no plausibility is known).
ROW = np.dtype([("vehicle", "i4"), ("topic", "i4"), ("property", "i4"), ("n", "i8"), ("weighted", "f8")])
Row = tuple[int, int, int, int, float]
RowArray = np.ndarray[Any, np.dtype[np.void]]
TRIPLE = ("vehicle", "topic", "property")
PAIR = ("vehicle", "topic")
VEHICLE = ("vehicle",)
Counts = npt.NDArray[np.int64]


def summed(rows: RowArray) -> RowArray:
    """Each triple once, in the order of its numbers, with the sums of n and of n · P.

    Parameters
    ----------
    rows : ndarray of ROW, shape (rows,)
        In any order.

    Returns
    -------
    ndarray of ROW, shape (triples,)
    """
    order = np.lexsort([rows[column] for column in reversed(TRIPLE)])
    return summed_by(TRIPLE, rows[order])[0]


def summed_by(columns: Sequence[str], rows: RowArray) -> tuple[RowArray, Counts]:
    """Sums of n and of n · P over neighbouring rows that are equal in some columns.

    Parameters
    ----------
    columns : sequence of str
        By which rows are ordered.
    rows : ndarray of ROW, shape (rows,)
        In that order.

    Returns
    -------
    tuple
        One row per sum, with the other columns of its first row; and the number of rows in each sum.
    """
    if not len(rows):
        return rows, np.zeros(0, np.int64)
    changes = [np.diff(rows[column]) != 0 for column in columns]
    starts = np.concatenate([[0], np.flatnonzero(np.logical_or.reduce(changes)) + 1])
    sums: RowArray = rows[starts]
    for column in ("n", "weighted"):
        sums[column] = np.add.reduceat(rows[column], starts)
    return sums, np.diff(starts, append=len(rows))
