"""Wide files of ratings made long: those with a column for each criterion, or for each rater."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from scoring.io.long_files import LongFile, LongFileRefused

OWN_NAMES = ("item", "rater", "criterion", "value")
ONLY_CRITERION = "rating"
BETWEEN_PARTS = " / "


@dataclass(frozen=True)
class Columns:
    """Which columns of a file hold what.

    Attributes
    ----------
    item : tuple of str
        The columns that identify an item together; empty for `item`.
    rater : str
        The column of raters; empty for `rater` or `slot`.
    criteria : tuple of str
        Columns that hold the values of one criterion each; empty in a long file.
    raters : tuple of str
        Columns that hold the values of one rater each.
    """

    item: tuple[str, ...] = ()
    rater: str = ""
    criteria: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()


def made_long(file: LongFile, columns: Columns) -> LongFile:
    """Bring a file into the long form, with columns `item`, `rater`, `criterion` and `value`.

    Parameters
    ----------
    file : LongFile
        As it was read.
    columns : Columns
        Which columns hold what.

    Returns
    -------
    LongFile
        Rows have the same numbers as in the file. Empty cells of columns of criteria or raters are no
        ratings and are left out.

    Raises
    ------
    LongFileRefused
        A column is missing (`missing_column`) or has two tasks (`doubled_column`), or no cell holds a rating
        (`empty_file`).
    """
    named = _named(file, columns)
    if not columns.criteria and not columns.raters:
        return named
    spread, over = (columns.criteria, "criterion") if columns.criteria else (columns.raters, "rater")
    frame = named.frame
    long = frame.melt(
        id_vars=[column for column in frame.columns if column not in (*spread, over, "value")],
        value_vars=list(spread),
        var_name=over,
        value_name="value",
        ignore_index=False,
    )
    long = long[long["value"].str.strip().ne("")].sort_index(kind="stable")
    if long.empty:
        raise LongFileRefused("empty_file", f"{file.name}: columns {', '.join(spread)} have no ratings")
    if columns.raters and "criterion" not in long.columns:
        long = long.assign(criterion=ONLY_CRITERION)
    return LongFile(file.name, long, file.first_row)


def _named(file: LongFile, columns: Columns) -> LongFile:
    """The file with its item and its rater under the names of the long form."""
    asked = [*columns.item, *([columns.rater] if columns.rater else []), *columns.criteria, *columns.raters]
    doubled = sorted({column for column in asked if asked.count(column) > 1})
    if doubled:
        raise LongFileRefused("doubled_column", f"{file.name}: column {doubled[0]} is named for two things")
    file.require(asked)
    new: dict[str, pd.Series] = {}
    if columns.item:
        parts = pd.DataFrame({column: file.labels(column) for column in columns.item})
        new["item"] = parts.agg(BETWEEN_PARTS.join, axis="columns")
    if columns.rater:
        new["rater"] = file.labels(columns.rater)
    return LongFile(file.name, file.frame.assign(**new), file.first_row)
