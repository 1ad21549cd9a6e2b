"""What the items of a figure are drawn with: their groups where there are any, else they themselves."""

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.stats.base.resampling import IntArray


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
    place = {name: code for code, name in enumerate(dict.fromkeys(names))}
    unit = "groups" if len(place) < len(names) else "items"
    return np.array([place[name] for name in names], dtype=np.int64), unit
