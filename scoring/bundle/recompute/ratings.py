"""Ratings of one criterion, coded, and the figures computed from them."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from .arrays import Array, Row
from .bundle import Bundle
from .counting import find_continuous_scales, get_scale_ends
from .drawing import CONFIDENCE

# Pairs and distributions of more raters than this are not stored.
MOST_RATERS = 30
# A scale of more points is no set of categories; half steps are points of declared scales only.
MOST_CATEGORIES = 20
STEPS = (1.0, 0.5)


@dataclass(frozen=True)
class Ratings:
    """Values of one criterion, ordered by item and rater."""

    name: str
    item: Array
    rater: Array
    value: Array
    items: Array
    raters: Array
    group: Array | None
    categories: Array
    identified: bool
    nominal: bool = False
    continuous: bool = False
    declared: bool = False

    @property
    def n_items(self) -> int:
        """Number of items with a value."""
        return len(self.items)

    @cached_property
    def sizes(self) -> Array:
        """Number of ratings of each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @property
    def harmonic_size(self) -> float:
        """Harmonic mean of the numbers of ratings, by which the noise of the items' means falls."""
        return self.n_items / float((1 / self.sizes).sum())

    @property
    def code(self) -> Array:
        """Position of each value among the categories."""
        return np.searchsorted(self.categories, self.value)

    @property
    def unit(self) -> str:
        """Name of the resampling unit."""
        return "items" if self.group is None else "groups"

    @property
    def is_complete(self) -> bool:
        """Whether every rater rated every item."""
        return len(self.value) == self.n_items * len(self.raters)

    @property
    def constant(self) -> bool:
        """Whether all values are the same."""
        return len(np.unique(self.value)) < 2

    @property
    def has_categories(self) -> bool:
        """Whether the values are options, or at most 20 points in whole or declared half steps."""
        if self.nominal or self.continuous:
            return self.nominal
        step = min(STEPS) if self.declared else max(STEPS)
        return are_in_steps(self.categories, step) and len(self.categories) <= MOST_CATEGORIES

    @cached_property
    def spread_within(self) -> Array:
        """Highest minus lowest value of each item."""
        starts = np.cumsum(self.sizes) - self.sizes
        return np.maximum.reduceat(self.value, starts) - np.minimum.reduceat(self.value, starts)

    def pairable(self) -> Ratings:
        """Select the ratings of items that have at least two."""
        chosen = self.sizes[self.item] >= 2
        items, item = np.unique(self.item[chosen], return_inverse=True)
        raters, rater = np.unique(self.rater[chosen], return_inverse=True)
        group = None if self.group is None else np.unique(self.group[items], return_inverse=True)[1]
        return Ratings(
            self.name,
            item,
            rater,
            self.value[chosen],
            self.items[items],
            self.raters[raters],
            group,
            self.categories,
            self.identified,
            self.nominal,
            declared=self.declared,
        )

    def numbers(self) -> Row:
        """Count items, raters and ratings behind a figure."""
        return {
            "n_items": self.n_items,
            "n_raters": len(self.raters) if self.identified else None,
            "n_ratings": len(self.value),
        }


@dataclass(frozen=True)
class Table:
    """Ratings by criterion, and the fingerprint of all of them."""

    criteria: dict[str, Ratings]
    cannot_rate: dict[str, int]
    fingerprint: str


def make_ratings_table(bundle: Bundle, counted: pd.DataFrame) -> Table:
    """Code the ratings that count, criterion by criterion."""
    identified, ends = bool(bundle.facts["identified"]), get_scale_ends(bundle, counted)
    continuous = find_continuous_scales(bundle, counted)
    criteria, cannot_rate = {}, {}
    for name in dict.fromkeys(counted["name"]):
        rows = counted[counted["name"] == name]
        rated = rows[rows["value"].notna()].sort_values(["item", "rater"], kind="stable")
        if name in continuous:
            criteria[name] = replace(code_ratings(name, rated, None, identified), continuous=True)
        else:
            criteria[name] = code_ratings(name, rated, ends.get(name), identified)
        cannot_rate[name] = len(rows) - len(rated)
    return Table(criteria, cannot_rate, compute_fingerprint(counted, identified))


def code_ratings(
    name: str, rated: pd.DataFrame, scale: tuple[float, float] | None, identified: bool
) -> Ratings:
    """Code the ratings of one criterion in the order of their labels."""
    items, item = np.unique(rated["item"].to_numpy(dtype=object), return_inverse=True)
    raters, rater = np.unique(rated["rater"].to_numpy(dtype=object), return_inverse=True)
    order = np.lexsort((rater, item))
    value = rated["value"].to_numpy(dtype=float)
    categories = list_points(value, scale)
    group = code_groups(rated["group"].to_numpy(dtype=object), item, len(items))
    ordered = item[order], rater[order], value[order]
    declared = scale is not None
    return Ratings(name, *ordered, items, raters, group, categories, identified, declared=declared)


def list_points(value: Array, scale: tuple[float, float] | None) -> Array:
    """List the values, and the points of the scale if both ends and all values are in whole or half steps."""
    occurring = np.unique(value)
    if scale is None:
        return occurring
    low, high = scale
    step = next((step for step in STEPS if are_in_steps(np.append(occurring, scale), step)), None)
    if step is None:
        return occurring
    return np.union1d(occurring, np.linspace(low, high, round((high - low) / step) + 1))


def are_in_steps(values: Array, step: float) -> bool:
    """Whether all values are multiples of a step."""
    return bool((values / step == np.round(values / step)).all())


def code_groups(labels: Array, item: Array, n_items: int) -> Array | None:
    """Code the group of each item; an item without a group is its own group."""
    if not any(labels):
        return None
    names, code = np.unique(labels, return_inverse=True)
    of_item = np.zeros(n_items, dtype=int)
    of_item[item] = code
    if names[0] == "":
        alone = np.flatnonzero(of_item == 0)
        of_item[alone] = len(names) + np.arange(len(alone))
        of_item -= 1
    return None if of_item.max() + 1 == n_items else of_item


def compute_fingerprint(counted: pd.DataFrame, identified: bool) -> str:
    """Compute SHA-256 over each column's labels and codes and the sorted values."""
    columns = {
        name: np.unique(counted[source].to_numpy(dtype=object), return_inverse=True)
        for name, source in (("item", "item"), ("rater", "rater"), ("criterion", "name"), ("group", "group"))
    }
    columns["system"] = (np.array([""], dtype=object), np.zeros(len(counted), dtype=int))
    order = np.lexsort([columns[name][1] for name in ("criterion", "rater", "item")])
    digest = hashlib.sha256(b"identified\n" if identified else b"slots\n")
    for name in ("item", "rater", "criterion", "group", "system"):
        labels, code = columns[name]
        for text in labels:
            encoded = str(text).encode()
            digest.update(b"%d:%b" % (len(encoded), encoded))
        digest.update(code[order].astype("<i8").tobytes())
    digest.update((counted["value"].to_numpy(dtype=float)[order] + 0.0).astype("<f8").tobytes())
    return digest.hexdigest()


def make_figure(
    ratings: Ratings, key: str, variant: str, estimate: float, limits: tuple[float, float]
) -> Row:
    """Make the row of a reliability figure."""
    low, high = limits
    return {
        "criterion": ratings.name,
        "coefficient": key,
        "variant": variant,
        "estimate": estimate,
        "low": low,
        "high": high,
        "confidence": CONFIDENCE,
        **ratings.numbers(),
    }


def make_undefined_figure(ratings: Ratings, key: str, variant: str = "") -> Row:
    """Make the row of a figure that cannot be computed."""
    return make_figure(ratings, key, variant, math.nan, (math.nan, math.nan))
