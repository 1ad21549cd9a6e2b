"""Best–worst files as they are published: one row per answer, with its items, its best and its worst."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd

from scoring.io.long_files import LongFile, LongFileRefused

ITEM = re.compile(r"item[ _]?([1-9])")
# Names of columns without spaces and underscores.
BEST, WORST = ("best", "bestitem"), ("worst", "worstitem")
RATERS = ("rater", "annotator", "worker", "workerid", "annotatorid")
SETS = ("set", "tuple", "tupleid", "setid")


def long_choices(file: LongFile) -> LongFile | None:
    """Return one row for each item of each answer, with `set`, `rater`, `item` and `choice`.

    Parameters
    ----------
    file : LongFile
        With `item1`, `item2` … (or `Item1` …), the best and the worst item (`best` or `BestItem`, `worst` or
        `WorstItem`), and a rater and a set if there are any. Without a set, equal items are one set; without
        a rater, each row is of another one.

    Returns
    -------
    LongFile or None
        None if the file has other columns.

    Raises
    ------
    LongFileRefused
        A best or worst item is none of the row's items (`unknown_item`), or one item is both
        (`not_one_best_and_worst`), and the row is named; or there are `item1`, `item2` … without a best or
        a worst (`missing_column`).
    """
    named = {re.sub(r"[ _]", "", str(column).lower()): str(column) for column in file.frame.columns}
    items = [column for name, column in sorted(named.items()) if ITEM.fullmatch(name)]
    best, worst, rater, of_set = (
        next((named[name] for name in names if name in named), "") for names in (BEST, WORST, RATERS, SETS)
    )
    if len(items) < 2:
        return None
    if not best or not worst:
        missing = " and ".join(name for name, found in (("best", best), ("worst", worst)) if not found)
        raise LongFileRefused(
            "missing_column",
            f"{file.name}: no column {missing}. A best–worst file has the columns item1, item2 …, best and "
            "worst, one row per answer.",
        )
    cells = file.frame[[*items, best, worst]].apply(lambda column: column.str.strip())
    for column in (best, worst):
        known = cells[items].eq(cells[column], axis=0).any(axis=1)
        file.refuse(~known.to_numpy(dtype=bool), "unknown_item", f"column {column}: none of the row's items")
    same = cells[best].eq(cells[worst]).to_numpy(dtype=bool)
    file.refuse(same, "not_one_best_and_worst", f"columns {best} and {worst}: the same item")
    sets = cells[items].apply(lambda row: "\x1f".join(sorted(one for one in row if one)), axis=1)
    if of_set:
        sets = file.frame[of_set].str.strip()
    raters = file.frame[rater].str.strip() if rater else sets.groupby(sets).cumcount().astype(str)
    marks = [name for name in ("current", "excluded", "late") if name in file.frame.columns]
    parts = [
        file.frame[marks].assign(
            set=sets,
            rater=raters,
            item=cells[column],
            choice=cells[column].eq(cells[best]).map({True: "best", False: ""})
            + cells[column].eq(cells[worst]).map({True: "worst", False: ""}),
        )
        for column in items
    ]
    frame = pd.concat(parts).sort_index(kind="stable")
    frame = frame[frame["item"] != ""]
    if frame.empty:
        raise LongFileRefused("empty_file", f"{file.name}: no rows are left")
    return replace(file, frame=frame)
