"""A long file of ratings; rows that do not count in statistics are left out and counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from scoring.io.long_files import BoolArray, FloatArray, LongFile, LongFileRefused, read_long
from scoring.io.wide_files import OWN_NAMES, Columns, made_long

NOT_RATINGS = (
    "A file of ratings has one row per rating, such as the ratings that a study exports; "
    "a file of items has none."
)
NOT_LONG = (
    f"{NOT_RATINGS} Where each criterion or each rater has a column, name these columns with "
    "--criterion-column or --rater-column, and the other ones with --item and --rater."
)


@dataclass(frozen=True)
class LongRatings:
    """Ratings ready for statistics."""

    # Columns `item`, `rater`, `criterion`, `value` (NaN for a can't-rate); `group` and `system` if
    # there
    frame: pd.DataFrame
    identified: bool  # Whether `rater` names persons (True) or anonymous slots (False)
    left_out: dict[str, int]  # Rows that were left out, by reason: `superseded`, `excluded`, `late`
    excluded: dict[str, int]  # The excluded rows by exclusion rule
    cannot_rate: int  # Rows without a value


def read_ratings(
    source: str,
    *,
    slots: bool = False,
    file_format: str = "",
    criteria: list[str] | None = None,
    scale: tuple[float, float] | None = None,
    columns: Columns | None = None,
) -> LongRatings:
    """Read a file of ratings.

    Parameters
    ----------
    source : str
        A path, or `-` for standard input.
    slots : bool
        Read `rater` as an anonymous slot; not needed for a file with a column `slot` in place of `rater`.
    file_format : str
        Format, where the file extension does not show it.
    criteria : list of str or None
        Criteria to take; None takes all.
    scale : tuple of float or None
        Least and greatest value.
    columns : Columns or None
        Which columns hold what; None for the names of the long form.

    Returns
    -------
    LongRatings
        Rows with `current` false, `excluded` true or `late` true left out.

    Raises
    ------
    LongFileRefused
        The file cannot be read, a column is missing, a value is not a number or outside the scale, a label is
        empty, or the same rater rated an item twice on a criterion; rows are named.
    """
    file = read_long(source, file_format=file_format)
    if columns:
        file = made_long(file, columns)
    rater = file.rater_column
    needed = [rater if name == "rater" else name for name in OWN_NAMES]
    file.require(needed, hint=NOT_RATINGS if columns is None else NOT_LONG)
    long = pd.DataFrame(
        {"item": file.labels("item"), "rater": file.labels(rater), "criterion": file.labels("criterion")}
    )
    counting, left_out = file.counting_rows(_chosen(file, criteria))
    values = _values(file, counting, scale)
    file.refuse(
        _doubled(long, counting),
        "duplicate_rating",
        "the same item, rater and criterion more than once; keep only one row",
    )
    labels = {name: file.frame[name] for name in ("group", "system") if name in file.frame.columns}
    return LongRatings(
        frame=long.assign(value=values, **labels)[counting].reset_index(drop=True),
        identified=not slots and rater == "rater",
        left_out=left_out,
        excluded=_by_rule(file, counting),
        cannot_rate=int(np.isnan(values[counting]).sum()),
    )


def _chosen(file: LongFile, criteria: list[str] | None) -> BoolArray:
    if not criteria:
        return np.ones(len(file.frame), dtype=np.bool_)
    unknown = sorted(set(criteria) - set(file.frame["criterion"]))
    if unknown:
        raise LongFileRefused("unknown_criterion", f"{file.name}: no rows of criterion {', '.join(unknown)}")
    return file.frame["criterion"].isin(criteria).to_numpy(dtype=np.bool_)


def _doubled(long: pd.DataFrame, counting: BoolArray) -> BoolArray:
    twice = np.zeros(len(long), dtype=np.bool_)
    twice[counting] = long[counting].duplicated(keep=False)
    return twice


def _by_rule(file: LongFile, counting: BoolArray) -> dict[str, int]:
    excluded = file.flags("excluded") & ~counting
    if "exclusion_rule" not in file.frame.columns:
        return {"": int(excluded.sum())} if excluded.any() else {}
    counts = file.frame.loc[excluded, "exclusion_rule"].value_counts()
    return {str(rule): int(number) for rule, number in counts.items()}


def _values(file: LongFile, counting: BoolArray, scale: tuple[float, float] | None) -> FloatArray:
    values = file.numbers("value", counting)
    if "cannot_rate" in file.frame.columns:
        empty = np.isnan(values) & counting & ~file.flags("cannot_rate")
        file.refuse(empty, "missing_value", "column value: empty, and cannot_rate is not true")
    if scale is not None:
        outside = np.asarray((values < scale[0]) | (values > scale[1]), dtype=np.bool_)
        what = f"column value: outside the scale {scale[0]:g} to {scale[1]:g}"
        file.refuse(outside, "outside_scale", what)
    return values
