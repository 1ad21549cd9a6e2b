"""Ratings in long form, checked once and coded for computation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.base.result import Sample
from scoring.stats.data.coded_rows import CodedRows, LabelArray, RatingsTableError
from scoring.stats.data.scale import STEPS, Scale, categories_of, in_steps

__all__ = ["MOST_CATEGORIES", "Ratings", "RatingsTable", "RatingsTableError"]

# A scale with more points than this is read as a continuum, not as categories.
MOST_CATEGORIES = 20

# Fourth powers of values below 2 to this power, and their sums, are ordinary numbers.
SAFE_EXPONENT = 100


@dataclass(frozen=True)
class Ratings:
    """The values given for one criterion, one entry per rating."""

    criterion: str  # Name
    # item, rater: Codes 0, 1, ... of the item and the rater (or slot) of each rating; every code
    # occurs.
    item: IntArray
    rater: IntArray
    value: FloatArray
    # items, raters: Label of each item code and each rater code
    items: LabelArray
    raters: tuple[str, ...]
    group: IntArray | None  # Group code of each item code, or None where items belong to no groups
    categories: FloatArray  # Possible values in order: the declared scale, or else the values that occur
    identified: bool  # Whether the same rater code is the same person
    cannot_rate: int  # Number of answers without a value
    continuous: bool = False  # Whether the declared scale has no points, only ends
    nominal: bool = False  # Whether the values are codes of options, which have no order
    declared: bool = False  # Whether the ends of the scale were declared, so that half steps are points

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

    @property
    def is_complete(self) -> bool:
        """Whether every rater has rated every item; there is no complete design without a rating."""
        return 0 < self.n_ratings == self.n_items * len(self.raters)

    @property
    def has_categories(self) -> bool:
        """Whether two ratings can be expected to be equal.

        That is so of options, and of at most 20 points: whole numbers, or half steps of a declared scale.
        """
        in_points = in_steps(self.categories, min(STEPS) if self.declared else max(STEPS))
        points = in_points and not self.continuous and len(self.categories) <= MOST_CATEGORIES
        return self.nominal or points

    @cached_property
    def in_safe_unit(self) -> "Ratings":
        """The same ratings in a unit in which their squares neither overflow nor vanish.

        The unit is a power of two, so no digit of a value changes. Only for what does not depend on the unit.
        """
        exponent = math.frexp(float(np.abs(self.value).max(initial=0.0)))[1]
        if abs(exponent) <= SAFE_EXPONENT:
            return self
        value, categories = np.ldexp(self.value, -exponent), np.ldexp(self.categories, -exponent)
        return replace(self, value=value, categories=categories)

    def keep(self, chosen: BoolArray) -> "Ratings":
        """The ratings where `chosen` is true, with new codes of items and raters."""
        items, item = _occurring(self.item[chosen])
        raters, rater = _occurring(self.rater[chosen])
        group = None
        if self.group is not None:
            group = np.unique(self.group[items], return_inverse=True)[1]
        return Ratings(
            criterion=self.criterion,
            item=item,
            rater=rater,
            value=self.value[chosen],
            items=self.items[items],
            raters=tuple(self.raters[code] for code in raters),
            group=group,
            categories=self.categories,
            continuous=self.continuous,
            identified=self.identified,
            cannot_rate=self.cannot_rate,
            nominal=self.nominal,
            declared=self.declared,
        )

    def pairable(self) -> "Ratings":
        """The ratings of items that have at least two."""
        if self.n_items and self.sizes.min() >= 2:
            return self
        return self.keep(self.sizes[self.item] >= 2)


@dataclass(frozen=True)
class RatingsTable:
    """Checked ratings of a set of criteria."""

    criteria: Mapping[str, Ratings]  # Ratings of each criterion, in the order of first appearance
    identified: bool  # Whether raters are identified persons (True) or anonymous slots (False)
    fingerprint: str  # SHA-256 over the sorted content, independent of the order of rows and of other names

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        identified: bool = True,
        scales: Mapping[str, tuple[float, float] | Scale] | None = None,
    ) -> Self:
        """Check and code ratings in long form.

        Parameters
        ----------
        frame
            One row per rating: columns `item`, `rater`, `criterion`, `value`, and `group`, `system` if there
            are any. An empty value is a "can't rate": counted, not used. With anonymous slots `rater` is the
            slot.
        identified
            False when `rater` is an anonymous slot.
        scales
            Declared scales of criteria; a pair of ends is a scale of points.

        Returns
        -------
        RatingsTable
            The same for any order of the rows.

        Raises
        ------
        RatingsTableError
            `missing_column`, `missing_label`, `not_a_number`, `value_too_large`, `outside_scale`,
            `duplicate_rating` or `conflicting_group`, naming the rows.
        """
        labelled = CodedRows.of(frame, scales or {})
        criteria = {
            name: _coded(name, labelled.take(rows), identified, (scales or {}).get(name))
            for name, rows in labelled.by_criterion()
        }
        return cls(criteria, identified, labelled.fingerprint(identified))


def _occurring(codes: IntArray) -> tuple[IntArray, IntArray]:
    """The codes that occur, and each code's position among them."""
    occurring = np.flatnonzero(np.bincount(codes))
    new = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    new[occurring] = np.arange(len(occurring))
    return occurring, new[codes]


def _coded(
    name: str, rows: CodedRows, identified: bool, scale: tuple[float, float] | Scale | None
) -> Ratings:
    rated = rows.take(np.flatnonzero(~np.isnan(rows.value)))
    return Ratings(
        criterion=name,
        item=rated.columns["item"].code,
        rater=rated.columns["rater"].code,
        value=rated.value,
        items=rated.columns["item"].labels,
        raters=tuple(rated.columns["rater"].labels),
        group=_groups(rated),
        categories=categories_of(rated.value, scale),
        continuous=scale is not None and Scale(*scale).continuous,
        identified=identified,
        cannot_rate=len(rows.value) - len(rated.value),
        declared=scale is not None,
    )


def _groups(rated: CodedRows) -> IntArray | None:
    item, group = rated.columns["item"], rated.columns["group"]
    if not group.labels.any():
        return None
    of_item = np.zeros(len(item.labels), dtype=np.int64)
    of_item[item.code] = group.code
    if group.labels[0] == "":
        # An item without a group is a group of its own.
        alone = np.flatnonzero(of_item == 0)
        of_item[alone] = len(group.labels) + np.arange(len(alone))
        of_item -= 1
    return None if of_item.max() + 1 == len(item.labels) else of_item
