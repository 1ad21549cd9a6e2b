"""What a bootstrap draws from: groups, items, or kinds of items where it matters who gave which value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, draw_units
from scoring.stats.data.bootstrap.distinct_patterns import distinct_sequences
from scoring.stats.data.table import Ratings

# Items that the same raters rated alike are drawn together where that leaves at most this share of units.
WORTH_POOLING = 0.1


@dataclass(frozen=True)
class Units:
    """Groups, items, or kinds of items that the same raters gave the same values."""

    chosen: IntArray  # Ratings that make up one of each unit, as positions among all ratings
    unit: IntArray  # Unit of each chosen rating
    frequency: IntArray  # How many there are of each unit

    @classmethod
    def of(cls, ratings: Ratings) -> "Units":
        """Groups where items belong to groups, else kinds of items where they are few, else items."""
        everything = np.arange(ratings.n_ratings)
        if ratings.group is not None:
            unit = ratings.group[ratings.item]
            return cls(everything, unit, np.ones(int(unit.max()) + 1, dtype=np.int64))
        category = np.searchsorted(ratings.categories, ratings.value)
        answers = ratings.rater * len(ratings.categories) + category
        kinds = distinct_sequences(ratings, answers, in_order=True)
        if len(kinds.sizes) > WORTH_POOLING * ratings.n_items:
            return cls(everything, ratings.item, np.ones(ratings.n_items, dtype=np.int64))
        _, first = np.unique(kinds.of_item, return_index=True)
        one_of_each = np.zeros(ratings.n_items, dtype=bool)
        one_of_each[first] = True
        chosen = np.flatnonzero(one_of_each[ratings.item])
        return cls(chosen, kinds.of_item[ratings.item[chosen]], kinds.frequency)

    def draw(self, generator: np.random.Generator, size: int) -> FloatArray:
        """How often each unit is drawn in each replicate, shape (units, size)."""
        return draw_units(generator, self.frequency, size)


def item_units(items: Sequence[str], groups: Mapping[str, str] | None) -> tuple[IntArray, str]:
    """Units of a bootstrap over items.

    Parameters
    ----------
    items
        The items that can be drawn, each once.
    groups
        Group of an item; an item that is not named, or has an empty one, is a group of its own.

    Returns
    -------
    codes, unit
        A whole number from 0 for each item, shape (items,), and `groups` where one holds several items,
        else `items`.
    """
    known = {item: group for item, group in (groups or {}).items() if group}
    names = [("group", known[item]) if item in known else ("item", item) for item in items]
    code_of = {name: code for code, name in enumerate(dict.fromkeys(names))}
    unit = "groups" if len(code_of) < len(names) else "items"
    return np.array([code_of[name] for name in names], dtype=np.int64), unit
