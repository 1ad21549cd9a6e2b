"""Cautions of the intervals of intraclass correlations."""

from __future__ import annotations

import numpy as np

from ...drawing import find_few_units
from ...ratings import Ratings

FEW_RATERS, MANY_ITEMS = 10, 50


def find_icc_cautions(ratings: Ratings, key: str, path: str) -> list[str]:
    """Find the cautions of an interval; one that is exact has none."""
    if not ratings.spread_within.any():
        return []
    grouped = ratings.group is not None
    n_units = ratings.n_items if ratings.group is None else int(ratings.group.max()) + 1
    found = find_few_units(n_units, grouped=grouped)
    if path.startswith("unbalanced"):
        return found
    found = found if grouped else []
    if key.startswith("icc2") and len(ratings.raters) < FEW_RATERS and ratings.n_items > MANY_ITEMS:
        found = [*found, "few_raters"]
    ends = ratings.value.min(), ratings.value.max()
    most = max(float(np.mean(ratings.value == end)) for end in ends)
    return [*found, "skewed_ratings"] if most > 0.5 else found
