"""Types of the columns of exported tables, for descriptions that machines read."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.domain.base.timestamps import TIMES

WHOLE_NUMBER, FRACTION, TRUTH, MOMENT, TEXT = "integer", "number", "boolean", "dateTime", "string"
OF_ARROW = {
    "int32": WHOLE_NUMBER,
    "int64": WHOLE_NUMBER,
    "double": FRACTION,
    "bool": TRUTH,
    "timestamp[us, tz=UTC]": MOMENT,
}
COUNTS = frozenset({"position", "n_ratings", "n_cannot_rate", "n_answered"})
FRACTIONS = frozenset({"mean", "chance"})
Types = Mapping[str, Mapping[str, str]]


def table_name(path: str) -> str:
    """`data/ratings.csv` → `ratings`."""
    return path.removeprefix("data/").rpartition(".")[0]


def type_of(types: Types, table: str, column: str) -> str:
    """The type of a column: as its Parquet file has it; of tables only in CSV, what the name says."""
    if table in types:
        return OF_ARROW.get(types[table][column], TEXT)
    if column in COUNTS:
        return WHOLE_NUMBER
    if column in FRACTIONS:
        return FRACTION
    return MOMENT if column in TIMES else TEXT


def dtype_of(types: Types, table: str, column: str) -> str:
    """The type of a column of a Parquet table, as `datasets` names it."""
    stored = types[table][column]
    return {"double": "float64"}.get(stored, stored)
