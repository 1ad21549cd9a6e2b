"""Ratings in long form, checked once and coded for computation."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from scoring.stats.resampling import FloatArray, IntArray
from scoring.stats.result import Sample

NEEDED = ("item", "rater", "criterion", "value")
LABELS = ("item", "rater", "criterion", "group", "system")
ROWS_NAMED = 10


class RatingsTableError(ValueError):
    """Ratings that no statistics can be computed from.

    Parameters
    ----------
    code
        Stable code of the error.
    message
        What is wrong, where, and what to do.
    rows
        Zero-based positions of the rows at fault.
    """

    def __init__(self, code: str, message: str, rows: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.rows = tuple(rows)


@dataclass(frozen=True)
class Ratings:
    """The values given for one criterion, one entry a rating.

    Parameters
    ----------
    criterion
        Name of the criterion.
    item, rater
        Codes 0, 1, ... of the item and the rater (or slot) of each rating; every code occurs.
    value
        The ratings.
    items, raters
        Label of each item code and each rater code.
    group
        Group code of each item code, or None where items belong to no groups.
    categories
        Possible values in order: the declared scale, or else the values that occur.
    identified
        Whether the same rater code is the same person.
    cannot_rate
        Number of answers without a value.
    """

    criterion: str
    item: IntArray
    rater: IntArray
    value: FloatArray
    items: tuple[str, ...]
    raters: tuple[str, ...]
    group: IntArray | None
    categories: FloatArray
    identified: bool
    cannot_rate: int

    @cached_property
    def n_items(self) -> int:
        """Number of items with at least one value."""
        return int(self.item.max()) + 1 if len(self.item) else 0

    @property
    def n_ratings(self) -> int:
        """Number of values."""
        return len(self.value)

    @property
    def unit(self) -> str:
        """What a bootstrap resamples: `groups` where items belong to groups, else `items`."""
        return "items" if self.group is None else "groups"

    @cached_property
    def sizes(self) -> IntArray:
        """Number of ratings of each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def sample(self) -> Sample:
        """Numbers of items, raters and ratings."""
        return Sample(self.n_items, len(self.raters) if self.identified else None, self.n_ratings)

    @cached_property
    def is_constant(self) -> bool:
        """Whether every value is the same."""
        return self.n_ratings == 0 or bool(np.all(self.value == self.value[0]))

    @cached_property
    def agrees_exactly(self) -> bool:
        """Whether the ratings of each item are all equal."""
        first = np.empty(self.n_items)
        first[self.item] = self.value
        return bool(np.all(self.value == first[self.item]))

    def keep(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> "Ratings":
        """The ratings where `chosen` is true, items and raters coded anew."""
        items, item = np.unique(self.item[chosen], return_inverse=True)
        raters, rater = np.unique(self.rater[chosen], return_inverse=True)
        group = None
        if self.group is not None:
            group = np.unique(self.group[items], return_inverse=True)[1]
        return Ratings(
            criterion=self.criterion,
            item=item,
            rater=rater,
            value=self.value[chosen],
            items=tuple(self.items[code] for code in items),
            raters=tuple(self.raters[code] for code in raters),
            group=group,
            categories=self.categories,
            identified=self.identified,
            cannot_rate=self.cannot_rate,
        )

    def pairable(self) -> "Ratings":
        """The ratings of items that have at least two."""
        return self.keep(self.sizes[self.item] >= 2)


@dataclass(frozen=True)
class RatingsTable:
    """Checked ratings of a set of criteria.

    Parameters
    ----------
    criteria
        The ratings of each criterion, in the order of first appearance.
    identified
        Whether raters are identified persons (True) or anonymous slots (False).
    fingerprint
        SHA-256 over the sorted content: independent of the order of rows and of any name outside them.
    """

    criteria: Mapping[str, Ratings]
    identified: bool
    fingerprint: str

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        identified: bool = True,
        scales: Mapping[str, tuple[float, float]] | None = None,
    ) -> Self:
        """Check and code ratings in long form.

        Parameters
        ----------
        frame
            One row a rating: columns `item`, `rater`, `criterion`, `value`, and `group`, `system` if there
            are any. An empty value is a "can't rate": counted, not used. With anonymous slots `rater` is the
            slot.
        identified
            False when `rater` is an anonymous slot.
        scales
            Declared least and greatest value of criteria.

        Returns
        -------
        RatingsTable
            The same for any order of the rows.

        Raises
        ------
        RatingsTableError
            `missing_column`, `missing_label`, `not_a_number`, `outside_scale`, `duplicate_rating` or
            `conflicting_group`, naming the rows.
        """
        checked = _labelled(frame)
        checked["value"] = _values(checked)
        _refuse_duplicates(checked)
        _refuse_conflicting_groups(checked)
        _refuse_outside(checked, scales or {})
        criteria = {
            str(name): _coded(str(name), rows, identified, (scales or {}).get(str(name)))
            for name, rows in checked.groupby("criterion", sort=False)
        }
        return cls(criteria, identified, _fingerprint(checked, identified))


def _labelled(frame: pd.DataFrame) -> pd.DataFrame:
    missing = [column for column in NEEDED if column not in frame.columns]
    if missing:
        raise RatingsTableError("missing_column", f"ratings: column {', '.join(missing)} is missing")
    checked = pd.DataFrame({"value": frame["value"]}).reset_index(drop=True)
    for column in LABELS:
        if column not in frame.columns:
            checked[column] = ""
            continue
        given = frame[column].reset_index(drop=True)
        empty = given.isna().to_numpy(dtype=bool)
        checked[column] = given.astype("object").where(~empty, "").astype(str)
        if column in NEEDED:
            _refuse(checked[column].eq("").to_numpy(dtype=bool), "missing_label", f"{column} is empty")
    return checked


def _values(frame: pd.DataFrame) -> pd.Series:
    given = frame["value"]
    empty = (given.isna() | given.astype(str).str.strip().eq("")).to_numpy(dtype=bool)
    numbers = pd.to_numeric(given.where(~empty), errors="coerce").astype(float)
    wrong = ~np.isfinite(numbers.to_numpy(dtype=float)) & ~empty
    _refuse(wrong, "not_a_number", "value is not a finite number")
    return numbers


def _refuse_duplicates(frame: pd.DataFrame) -> None:
    twice = frame.duplicated(["item", "rater", "criterion"], keep=False).to_numpy(dtype=bool)
    _refuse(
        twice,
        "duplicate_rating",
        "the same item, rater and criterion more than once; keep one row of each",
    )


def _refuse_conflicting_groups(frame: pd.DataFrame) -> None:
    grouped = frame.groupby("item")["group"].transform("nunique").to_numpy()
    _refuse(grouped > 1, "conflicting_group", "an item belongs to more than one group")


def _refuse_outside(frame: pd.DataFrame, scales: Mapping[str, tuple[float, float]]) -> None:
    value = frame["value"].to_numpy(dtype=float)
    for criterion, (least, greatest) in scales.items():
        outside = ((value < least) | (value > greatest)) & frame["criterion"].eq(criterion).to_numpy(
            dtype=bool
        )
        _refuse(outside, "outside_scale", f"{criterion}: value outside the scale {least:g} to {greatest:g}")


def _refuse(wrong: np.ndarray[Any, np.dtype[np.bool_]], code: str, what: str) -> None:
    rows = np.flatnonzero(wrong)
    if len(rows):
        named = ", ".join(str(row + 1) for row in rows[:ROWS_NAMED])
        more = f" and {len(rows) - ROWS_NAMED} more" if len(rows) > ROWS_NAMED else ""
        raise RatingsTableError(code, f"ratings, rows {named}{more}: {what}", rows.tolist())


def _coded(name: str, rows: pd.DataFrame, identified: bool, scale: tuple[float, float] | None) -> Ratings:
    rated = rows[rows["value"].notna()]
    items, item = np.unique(rated["item"].to_numpy(dtype=str), return_inverse=True)
    raters, rater = np.unique(rated["rater"].to_numpy(dtype=str), return_inverse=True)
    value = rated["value"].to_numpy(dtype=np.float64)
    order = np.lexsort((rater, item))
    return Ratings(
        criterion=name,
        item=item[order].astype(np.int64),
        rater=rater[order].astype(np.int64),
        value=value[order],
        items=tuple(str(label) for label in items),
        raters=tuple(str(label) for label in raters),
        group=_groups(rated, items, item),
        categories=_categories(value, scale),
        identified=identified,
        cannot_rate=len(rows) - len(rated),
    )


def _groups(rated: pd.DataFrame, items: np.ndarray[Any, Any], item: np.ndarray[Any, Any]) -> IntArray | None:
    labels = np.empty(len(items), dtype=object)
    labels[item] = rated["group"].to_numpy(dtype=object)
    if not any(labels):
        return None
    # An item without a group is a group of its own.
    own = [f"g{label}" if label else f"i{key}" for label, key in zip(labels, items, strict=True)]
    codes = np.unique(np.array(own, dtype=str), return_inverse=True)[1].astype(np.int64)
    return None if codes.max() + 1 == len(items) else codes


def _categories(value: FloatArray, scale: tuple[float, float] | None) -> FloatArray:
    occurring = np.unique(value)
    whole = bool(np.all(occurring == np.round(occurring)))
    if scale is None or not whole:
        return occurring
    return np.union1d(occurring, np.arange(scale[0], scale[1] + 1, dtype=np.float64))


def _fingerprint(frame: pd.DataFrame, identified: bool) -> str:
    values = ["" if np.isnan(value) else repr(float(value)) for value in frame["value"]]
    labels = [frame[column].tolist() for column in LABELS]
    digest = hashlib.sha256(b"identified\n" if identified else b"slots\n")
    for row in sorted(zip(*labels, values, strict=True)):
        digest.update(("\x1f".join(row) + "\n").encode())
    return digest.hexdigest()
