"""Rows of labels and values, checked and coded; and the fingerprint of their content."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.scale import Scale

LabelArray = np.ndarray[Any, np.dtype[np.object_]]

REQUIRED_COLUMNS = ("item", "rater", "criterion", "value")
LABEL_COLUMNS = ("item", "rater", "criterion", "group", "system")
ROWS_NAMED = 10

# Sums of greater values could overflow.
GREATEST_VALUE = 1e300
TOO_LARGE = f"beyond ±{GREATEST_VALUE:g}; use a larger unit"


class RatingsTableError(CodedError):
    """Ratings from which no statistics can be computed; `rows` are the zero-based positions of wrong rows."""

    def __init__(self, code: str, message: str, rows: Sequence[int] = ()) -> None:
        super().__init__(code, message)
        self.rows = tuple(rows)


@dataclass(frozen=True)
class LabelColumn:
    """One column of labels."""

    code: IntArray  # Position of each row's label in `labels`
    labels: LabelArray  # The labels that occur, in order

    @classmethod
    def of(cls, frame: pd.DataFrame, column: str) -> "LabelColumn":
        """The labels of a column as texts; empty where there is none."""
        if column not in frame.columns:
            return cls(np.zeros(len(frame), dtype=np.int64), np.array([""], dtype=object))
        cells = frame[column]
        # Factorising takes 1, 1.0 and True for the same; as labels they differ.
        if cells.dtype == object and pd.api.types.infer_dtype(cells, skipna=True) != "string":
            cells = cells.astype(str).where(cells.notna())
        raw, distinct = pd.factorize(cells)
        texts = np.array([*map(str, pd.Index(distinct).astype(object)), ""], dtype=object)
        labels, code = np.unique(texts, return_inverse=True)
        # Rows without a label have the code -1, which is that of the empty text.
        return cls(code[raw], labels).take(slice(None))

    def take(self, rows: IntArray | slice) -> "LabelColumn":
        """The labels of some rows, with new codes."""
        code = self.code[rows]
        used = np.bincount(code, minlength=len(self.labels)) > 0
        return (
            LabelColumn(code, self.labels)
            if used.all()
            else LabelColumn((np.cumsum(used) - 1)[code], self.labels[used])
        )

    @property
    def is_empty(self) -> BoolArray:
        """Whether the label of each row is the empty text."""
        empty: BoolArray = (self.code == 0) & (len(self.labels) > 0 and self.labels[0] == "")
        return empty


@dataclass(frozen=True)
class CodedRows:
    """Checked rows, one a rating, ordered by item, rater and criterion."""

    columns: Mapping[str, LabelColumn]  # Labels by the name of their column
    value: FloatArray  # The ratings; NaN for a "can't rate"
    criteria: IntArray  # Codes of the criteria in the order of their first appearance

    @classmethod
    def of(cls, frame: pd.DataFrame, scales: Mapping[str, tuple[float, float] | Scale]) -> "CodedRows":
        """Check and order the rows of a frame.

        Parameters
        ----------
        frame
            As for `RatingsTable.from_frame`.
        scales
            Declared scales of criteria.

        Returns
        -------
        Labelled
            The same for any order of the rows.

        Raises
        ------
        RatingsTableError
            Naming the rows at fault.
        """
        missing = [column for column in REQUIRED_COLUMNS if column not in frame.columns]
        if missing:
            raise RatingsTableError("missing_column", f"ratings: column {', '.join(missing)} is missing")
        columns = {column: LabelColumn.of(frame, column) for column in LABEL_COLUMNS}
        for column in REQUIRED_COLUMNS[:-1]:
            _refuse(columns[column].is_empty, "missing_label", f"{column} is empty")
        value = _values(frame["value"])
        too_large = np.asarray(np.abs(value) > GREATEST_VALUE, dtype=np.bool_)
        _refuse(too_large, "value_too_large", f"value is {TOO_LARGE}")
        cell = _cells(columns)
        order = np.argsort(cell)
        _refuse_duplicates(cell, order)
        _refuse_conflicting_groups(columns["item"], columns["group"])
        _refuse_outside(columns["criterion"], value, scales)
        codes, first = np.unique(columns["criterion"].code, return_index=True)
        ordered = {
            column: LabelColumn(labels.code[order], labels.labels) for column, labels in columns.items()
        }
        return cls(ordered, value[order], codes[np.argsort(first)])

    def take(self, rows: IntArray) -> "CodedRows":
        """Some of the rows, with new codes."""
        columns = {column: labels.take(rows) for column, labels in self.columns.items()}
        return CodedRows(columns, self.value[rows], np.unique(columns["criterion"].code))

    def by_criterion(self) -> Iterator[tuple[str, IntArray]]:
        """Name and rows of each criterion, in the order of first appearance."""
        criterion = self.columns["criterion"]
        for code in self.criteria:
            yield str(criterion.labels[code]), np.flatnonzero(criterion.code == code)

    def fingerprint(self, identified: bool) -> str:
        """SHA-256 of the labels of each column and of the rows, the same for any order of the rows.

        Parameters
        ----------
        identified
            Whether the raters are identified persons.
        """
        digest = hashlib.sha256(b"identified\n" if identified else b"slots\n")
        for column in LABEL_COLUMNS:
            labels = self.columns[column]
            for text in labels.labels:
                encoded = str(text).encode()
                digest.update(b"%d:%b" % (len(encoded), encoded))
            digest.update(labels.code.astype("<i8").data)
        # Zero has two signs, and "no value" has many forms.
        values = np.where(np.isnan(self.value), math.nan, self.value + 0.0)
        digest.update(values.astype("<f8").data)
        return digest.hexdigest()


def _cells(columns: Mapping[str, LabelColumn]) -> IntArray:
    """One number for each combination of item, rater and criterion, in their order."""
    item, rater, criterion = (columns[column] for column in REQUIRED_COLUMNS[:-1])
    cell = item.code * max(len(rater.labels), 1) + rater.code
    if len(item.labels) * len(rater.labels) * len(criterion.labels) > np.iinfo(np.int64).max:
        cell = np.unique(cell, return_inverse=True)[1]
    return np.asarray(cell * max(len(criterion.labels), 1) + criterion.code, dtype=np.int64)


def _values(cells: pd.Series) -> FloatArray:
    cells = cells.reset_index(drop=True)
    if pd.api.types.is_numeric_dtype(cells.dtype):
        numbers = cells.to_numpy(dtype=np.float64, na_value=math.nan)
        _refuse(np.isinf(numbers), "not_a_number", "value is not a finite number")
        return numbers
    empty = (cells.isna() | cells.astype(str).str.strip().eq("")).to_numpy(dtype=bool)
    numbers = pd.to_numeric(cells.where(~empty), errors="coerce").to_numpy(dtype=np.float64)
    _refuse(~np.isfinite(numbers) & ~empty, "not_a_number", "value is not a finite number")
    return numbers


def _refuse_duplicates(cell: IntArray, order: IntArray) -> None:
    ordered = cell[order]
    again = np.flatnonzero(ordered[1:] == ordered[:-1])
    twice = np.zeros(len(cell), dtype=bool)
    twice[order[again]] = twice[order[again + 1]] = True
    _refuse(
        twice, "duplicate_rating", "the same item, rater and criterion more than once; keep one row of each"
    )


def _refuse_conflicting_groups(item: LabelColumn, group: LabelColumn) -> None:
    group_of_item = np.zeros(len(item.labels), dtype=np.int64)
    group_of_item[item.code] = group.code
    conflicting = np.zeros(len(item.labels), dtype=bool)
    conflicting[item.code[group.code != group_of_item[item.code]]] = True
    _refuse(conflicting[item.code], "conflicting_group", "an item belongs to more than one group")


def _refuse_outside(
    criterion: LabelColumn, value: FloatArray, scales: Mapping[str, tuple[float, float] | Scale]
) -> None:
    for name, (least, greatest, *_) in scales.items():
        own = (criterion.labels == name)[criterion.code]
        outside = ((value < least) | (value > greatest)) & own
        _refuse(outside, "outside_scale", f"{name}: value outside the scale {least:g} to {greatest:g}")


def _refuse(wrong: BoolArray, code: str, what: str) -> None:
    rows = np.flatnonzero(wrong)
    if len(rows):
        named = ", ".join(str(row + 1) for row in rows[:ROWS_NAMED])
        more = f" and {len(rows) - ROWS_NAMED} more" if len(rows) > ROWS_NAMED else ""
        raise RatingsTableError(code, f"ratings, rows {named}{more}: {what}", rows.tolist())
