"""Ratings of one criterion, coded, and the figures computed from them."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from .arrays import Array, Row
from .bundle import Bundle
from .counting import scales
from .drawing import CONFIDENCE


@dataclass(frozen=True)
class Ratings:
    """The values of one criterion, ordered by item and rater."""

    name: str
    item: Array
    rater: Array
    value: Array
    items: Array
    raters: Array
    group: Array | None
    categories: Array
    identified: bool

    @property
    def n_items(self) -> int:
        """Items with a value."""
        return len(self.items)

    @cached_property
    def sizes(self) -> Array:
        """Ratings of each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @property
    def code(self) -> Array:
        """Position of each value among the categories."""
        return np.searchsorted(self.categories, self.value)

    @property
    def unit(self) -> str:
        """What is resampled."""
        return "items" if self.group is None else "groups"

    @property
    def is_complete(self) -> bool:
        """Every rater rated every item."""
        return len(self.value) == self.n_items * len(self.raters)

    @property
    def constant(self) -> bool:
        """Every value is the same."""
        return len(np.unique(self.value)) < 2

    @cached_property
    def spread_within(self) -> Array:
        """Greatest less least value of each item."""
        starts = np.cumsum(self.sizes) - self.sizes
        return np.maximum.reduceat(self.value, starts) - np.minimum.reduceat(self.value, starts)

    def pairable(self) -> Ratings:
        """The ratings of items that have at least two."""
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
        )

    def numbers(self) -> Row:
        """What a figure rests on."""
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


def ratings_table(bundle: Bundle, kept: pd.DataFrame) -> Table:
    """Code the ratings that count."""
    identified, ends = bool(bundle.facts["identified"]), scales(bundle, kept)
    criteria, cannot_rate = {}, {}
    for name in dict.fromkeys(kept["name"]):
        rows = kept[kept["name"] == name]
        rated = rows[rows["value"].notna()].sort_values(["item", "rater"], kind="stable")
        criteria[name] = coded(name, rated, ends.get(name), identified)
        cannot_rate[name] = len(rows) - len(rated)
    return Table(criteria, cannot_rate, fingerprint(kept, identified))


def coded(name: str, rated: pd.DataFrame, scale: tuple[int, int] | None, identified: bool) -> Ratings:
    """The ratings of one criterion as codes, in the order of their labels."""
    items, item = np.unique(rated["item"].to_numpy(dtype=object), return_inverse=True)
    raters, rater = np.unique(rated["rater"].to_numpy(dtype=object), return_inverse=True)
    order = np.lexsort((rater, item))
    value = rated["value"].to_numpy(dtype=float)
    categories = np.unique(value)
    if scale is not None and np.all(categories == np.round(categories)):
        categories = np.union1d(categories, np.arange(scale[0], scale[1] + 1, dtype=float))
    group = grouped(rated["group"].to_numpy(dtype=object), item, len(items))
    ordered = item[order], rater[order], value[order]
    return Ratings(name, *ordered, items, raters, group, categories, identified)


def grouped(labels: Array, item: Array, n_items: int) -> Array | None:
    """Group code of each item; an item without one is a group of its own."""
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


def fingerprint(kept: pd.DataFrame, identified: bool) -> str:
    """SHA-256 over the labels of each column, their codes and the values, rows in order."""
    columns = {
        name: np.unique(kept[source].to_numpy(dtype=object), return_inverse=True)
        for name, source in (("item", "item"), ("rater", "rater"), ("criterion", "name"), ("group", "group"))
    }
    columns["system"] = (np.array([""], dtype=object), np.zeros(len(kept), dtype=int))
    order = np.lexsort([columns[name][1] for name in ("criterion", "rater", "item")])
    digest = hashlib.sha256(b"identified\n" if identified else b"slots\n")
    for name in ("item", "rater", "criterion", "group", "system"):
        labels, code = columns[name]
        for text in labels:
            encoded = str(text).encode()
            digest.update(b"%d:%b" % (len(encoded), encoded))
        digest.update(code[order].astype("<i8").tobytes())
    digest.update((kept["value"].to_numpy(dtype=float)[order] + 0.0).astype("<f8").tobytes())
    return digest.hexdigest()


def figure(ratings: Ratings, key: str, variant: str, estimate: float, limits: tuple[float, float]) -> Row:
    """A reliability figure as a row."""
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


def refused(ratings: Ratings, key: str, variant: str = "") -> Row:
    """A figure that cannot be computed."""
    return figure(ratings, key, variant, math.nan, (math.nan, math.nan))
