"""A long file of marked tuples, and the lengths of the texts they are marked in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.io.long_files import LongFileRefused, read_long
from scoring.stats.spans.marked_tuples import COLUMNS, MarksError, MarksTable

KEYS = ("item", "group", "system")


@dataclass(frozen=True)
class LongTuples:
    """Marked tuples ready for statistics."""

    # The marks of each criterion; the key is `tuples` where the file names none
    criteria: dict[str, MarksTable]
    left_out: dict[str, int]  # Rows that were left out, by reason: `superseded`, `excluded`, `late`


def read_tuples(
    source: str, *, slots: bool = False, file_format: str = "", lengths: dict[str, int] | None = None
) -> LongTuples:
    """Read a long file of tuples, one row per span.

    Parameters
    ----------
    source : str
        A path, or `-` for standard input.
    slots : bool
        Read `rater` as an anonymous slot; not needed for a file with a column `slot` in place of `rater`.
    file_format : str
        Format, where the file extension does not show it.
    lengths : dict or None
        Number of characters of each item's text; spans must lie within.

    Returns
    -------
    LongTuples
        Rows with `current` false, `excluded` true or `late` true left out.

    Raises
    ------
    LongFileRefused
        The file cannot be read, a column is missing, or rows contradict each other; rows are named.
    """
    file = read_long(source, file_format=file_format)
    rater = file.rater_column
    file.require(rater if name == "rater" else name for name in COLUMNS)
    counting, left_out = file.counting_rows()
    frame = file.frame.rename(columns={rater: "rater"})
    named = (
        frame["criterion"] if "criterion" in frame else frame["item"].mask(frame["item"].notna(), "tuples")
    )
    criteria = {}
    for name, rows in frame[counting].groupby(named[counting], sort=False):
        try:
            criteria[str(name)] = MarksTable.from_frame(
                rows,
                identified=not slots and rater == "rater",
                lengths=lengths,
                rows=[int(row) + file.first_row for row in rows.index],
            )
        except MarksError as problem:
            raise LongFileRefused(problem.code, f"{file.name}: {problem}") from problem
    return LongTuples(criteria, left_out)


def text_lengths(source: str, *, field: str = "") -> dict[str, int]:
    """Number of characters of each item's text.

    Parameters
    ----------
    source : str
        A file of items.
    field : str
        The column of the text; where empty, the first one other than `item`, `group` and `system`.

    Returns
    -------
    dict of int
        By item, in Unicode code points.

    Raises
    ------
    LongFileRefused
        The file cannot be read, has no such column, or has an item twice.
    """
    file = read_long(source, needed=("item", *([field] if field else [])))
    texts = [name for name in file.frame.columns if name not in KEYS and not name.startswith("meta.")]
    if not texts:
        raise LongFileRefused("missing_column", f"{file.name}: no column contains the texts of items")
    items = file.labels("item")
    twice = np.asarray(items.duplicated(keep=False), dtype=np.bool_)
    file.refuse(twice, "doubled_item", "the same item more than once")
    return dict(zip(items, file.frame[field or texts[0]].str.len().astype(int), strict=True))


def item_groups(source: str) -> dict[str, str]:
    """Group of each item that has one.

    Parameters
    ----------
    source : str
        A file of items, with a column `group` or without.

    Returns
    -------
    dict of str
        By item; empty without the column.

    Raises
    ------
    LongFileRefused
        The file cannot be read.
    """
    file = read_long(source, needed=("item",))
    if "group" not in file.frame.columns:
        return {}
    named = zip(file.labels("item"), file.frame["group"].fillna("").astype(str), strict=True)
    return {item: group for item, group in named if group}
