"""Cautions of the intervals of intraclass correlations."""

from __future__ import annotations

from ...drawing import find_few_units
from ...ratings import Ratings
from .jackknife import is_skewed

# Limits of ICC2 of fewer raters are by pivots with more items than the first, and have a caution with more
# than the second.
FEW_RATERS, ITEMS_OF_F, MANY_ITEMS = 20, 50, 200
# Fewer items or groups of skewed ratings have a caution also where limits come from leaving them out.
FEW_WITH_SKEW = 50
# Limits by F or pivots of fewer groups have a caution.
FEW_GROUPS = 20


def find_icc_cautions(ratings: Ratings, key: str, path: str) -> list[str]:
    """Find the cautions of an interval; one that is exact has none."""
    if not ratings.spread_within.any():
        return []
    grouped = ratings.group is not None
    n_units = ratings.n_items if ratings.group is None else int(ratings.group.max()) + 1
    few_units = find_few_units(n_units, grouped=grouped)
    if path.startswith("unbalanced"):
        return few_units
    if path == "jackknife":
        found = few_units if grouped else []
        return [*found, "skewed_ratings"] if n_units < FEW_WITH_SKEW else found
    found = ["few_groups"] if grouped and n_units < FEW_GROUPS else []
    if key.startswith("icc2") and len(ratings.raters) < FEW_RATERS and ratings.n_items > MANY_ITEMS:
        found = [*found, "few_raters"]
    return [*found, "skewed_ratings"] if is_skewed(ratings) else found
