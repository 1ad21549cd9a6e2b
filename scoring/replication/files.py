"""Reading the published files, with errors that name file, row and column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from scoring.stats.base.errors import CodedError


class PublishedFileError(CodedError):
    """A published file that is missing or differs from the publication."""


def read_table(path: Path, *, texts: Sequence[str] = (), numbers: Sequence[str] = ()) -> pd.DataFrame:
    """Read a published CSV file.

    Parameters
    ----------
    path : Path
        The file.
    texts, numbers : sequence of str
        Columns it must have; an empty cell in one of `numbers`, or one that is not a number, is refused.

    Returns
    -------
    DataFrame
        Columns of `numbers` as float64, the others as text.

    Raises
    ------
    PublishedFileError
        `missing_file`, `bad_encoding`, `bad_csv`, `empty_file`, `missing_column` or `not_a_number`.
    """
    if not path.is_file():
        raise PublishedFileError("missing_file", f"{path}: the file is missing from the data folder")
    try:
        table: pd.DataFrame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise PublishedFileError("bad_encoding", f"{path}: not UTF-8 at byte {problem.start}") from problem
    except pd.errors.EmptyDataError as problem:
        raise PublishedFileError("empty_file", f"{path}: the file is empty") from problem
    except pd.errors.ParserError as problem:
        raise PublishedFileError("bad_csv", f"{path}: not a CSV table: {problem}") from problem
    missing = [column for column in (*texts, *numbers) if column not in table.columns]
    if missing:
        raise PublishedFileError("missing_column", f"{path}: column {', '.join(missing)} is missing")
    if table.empty:
        raise PublishedFileError("empty_file", f"{path}: the file has no rows below the header")
    for column in numbers:
        table[column] = _as_numbers(path, table[column])
    return table


def check_scale(path: Path, table: pd.DataFrame, columns: Sequence[str], scale: tuple[float, float]) -> None:
    """Refuse a rating that is no whole number of its scale.

    Parameters
    ----------
    path : Path
        The file, for the message.
    table : DataFrame
        Table from `read_table`.
    columns : sequence of str
        Columns of ratings.
    scale : (float, float)
        Ends of the scale.

    Raises
    ------
    PublishedFileError
        `outside_scale`, with row and column.
    """
    low, high = scale
    for column in columns:
        values = table[column].to_numpy(dtype=np.float64)
        wrong = np.flatnonzero((values < low) | (values > high) | (values != np.round(values)))
        if len(wrong):
            row = int(wrong[0])
            what = f"{values[row]:g} is not a whole number from {low:g} to {high:g}"
            raise PublishedFileError("outside_scale", f"{path}: row {row + 2}, column {column}: {what}")


def _as_numbers(path: Path, column: pd.Series) -> pd.Series:
    values = pd.to_numeric(column, errors="coerce").astype(float)
    wrong = np.flatnonzero(~np.isfinite(values.to_numpy(dtype=float)))
    if len(wrong):
        row = int(wrong[0])
        message = f"{path}: row {row + 2}, column {column.name}: {column.iloc[row]!r} is not a number"
        raise PublishedFileError("not_a_number", message)
    return values
