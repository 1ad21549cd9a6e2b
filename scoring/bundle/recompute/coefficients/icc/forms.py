"""Choice of the ICC estimator for a design."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import Row
from ...drawing import Drawing
from ...ratings import Ratings, refused
from .anova import from_mean_squares, unbalanced
from .components import from_components


def iccs(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """The one-way (`icc1`, `icc1k`) or two-way forms, by the path their design allows."""
    two_way = keys[0] != "icc1"
    few = ratings.n_items < 2 or len(ratings.raters) < 2 or ratings.sizes.max() < 2 or ratings.constant
    if few or (two_way and not ratings.identified):
        return [refused(ratings, key) for key in keys]
    if two_way and not ratings.is_complete:
        return from_components(ratings, keys, drawing)
    if two_way or len(np.unique(ratings.sizes)) == 1:
        return from_mean_squares(ratings, keys, "two-way ANOVA" if two_way else "one-way ANOVA")
    return unbalanced(ratings, keys, drawing)
