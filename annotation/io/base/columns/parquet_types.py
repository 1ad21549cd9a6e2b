"""Types of the columns of a Parquet table, found from all of its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import pyarrow

from annotation.domain.base.timestamps import TIMES, moment_of

# Fixed types, not those of the values, so that files of two studies have the same types.
DECLARED = {
    "form_version": pyarrow.int32(),
    "form_correction": pyarrow.int32(),
    "revision": pyarrow.int32(),
    "tuple": pyarrow.int32(),
    "start": pyarrow.int32(),
    "end": pyarrow.int32(),
    "seconds": pyarrow.float64(),
    "cannot_rate": pyarrow.bool_(),
    "current": pyarrow.bool_(),
    "late": pyarrow.bool_(),
    "simulated": pyarrow.bool_(),
    "excluded": pyarrow.bool_(),
}
MOMENT = pyarrow.timestamp("us", tz="UTC")
TEXT = pyarrow.string()
# Classes of values that a type can hold.
HOLDS: dict[pyarrow.DataType, frozenset[type]] = {
    pyarrow.bool_(): frozenset({bool}),
    pyarrow.int32(): frozenset({int}),
    pyarrow.int64(): frozenset({int}),
    pyarrow.float64(): frozenset({int, float}),
}
BY_WIDTH = (pyarrow.bool_(), pyarrow.int64(), pyarrow.float64())
GREATEST = 2**63


class ColumnTypes:
    """The classes of the values of each column, counted batch by batch; an empty cell has none."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._classes: dict[str, set[type]] = {name: set() for name in columns}

    def add(self, values: Iterable[Sequence[Any]]) -> None:
        """Count the values of a batch, column by column."""
        for (name, classes), cells in zip(self._classes.items(), values, strict=True):
            filled = [cell for cell in cells if cell is not None and cell != ""]
            classes |= set(map(_plain_class, set(map(type, filled))))
            if not all(map(_fits, filled)) or (name in TIMES and not all(map(_is_moment, filled))):
                classes.add(object)

    def schema(self) -> pyarrow.Schema:
        """The narrowest type of each column that holds all of its values; text if there is none."""
        return pyarrow.schema([(name, _type(name, classes)) for name, classes in self._classes.items()])


def _plain_class(kind: type) -> type:
    return next((one for one in (bool, int, float, str) if issubclass(kind, one)), object)


def _fits(cell: Any) -> bool:
    return not isinstance(cell, int) or abs(cell) < GREATEST


def _is_moment(cell: Any) -> bool:
    return isinstance(cell, str) and moment_of(cell) is not None


def _type(name: str, classes: set[type]) -> pyarrow.DataType:
    if name in TIMES and classes <= {str}:
        return MOMENT
    declared = DECLARED.get(name)
    if declared is not None and classes <= HOLDS[declared]:
        return declared
    fitting = (kind for kind in BY_WIDTH if classes <= HOLDS[kind])
    return next(fitting, TEXT) if classes else TEXT


def arrow_array(cells: Iterable[Any], kind: pyarrow.DataType) -> pyarrow.Array:
    """A column of a batch; an empty text is no value of another type."""
    if kind == TEXT:
        return pyarrow.array([None if cell is None else _text(cell) for cell in cells], kind)
    if kind == MOMENT:
        return pyarrow.array([_moment(cell) for cell in cells], kind)
    return pyarrow.array([None if cell == "" else cell for cell in cells], kind)


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else str(cell)


def _moment(cell: str | None) -> datetime | None:
    return moment_of(cell) if cell else None
