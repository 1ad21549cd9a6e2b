"""Types of the columns of exported tables, for descriptions that machines read."""

from __future__ import annotations

from annotation.io.base.writers import TYPES

WHOLE_NUMBER, FRACTION, TRUTH, TEXT = "integer", "number", "boolean", "string"
OF_ARROW = {"int32": WHOLE_NUMBER, "double": FRACTION, "bool": TRUTH}
COUNTS = frozenset({"position", "n_ratings", "n_cannot_rate", "n_answered"})
OF_ANSWERS = frozenset({"sample", "tokens_in", "tokens_out", "latency_ms", "attempts"})
FRACTIONS = frozenset({"mean", "chance"})


def table_name(path: str) -> str:
    """`data/ratings.csv` → `ratings`."""
    return path.removeprefix("data/").rpartition(".")[0]


def type_of(table: str, column: str) -> str:
    """The type of a column; texts where a study’s own columns may hold anything."""
    if column in COUNTS and table != "items":
        return WHOLE_NUMBER
    if table == "judgements" and column in OF_ANSWERS:
        return WHOLE_NUMBER
    if column in FRACTIONS or (table, column) == ("scores", "value"):
        return FRACTION
    return OF_ARROW.get(str(TYPES.get(column)), TEXT) if table == "ratings" else TEXT


def dtype_of(column: str) -> str:
    """The type of a column of a Parquet table, as `datasets` names it."""
    stored = str(TYPES.get(column, "string"))
    return {"double": "float64"}.get(stored, stored)
