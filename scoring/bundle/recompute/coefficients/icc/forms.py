"""Choice of the ICC estimator for a design."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import Row
from ...drawing import Drawing
from ...ratings import Ratings, make_undefined_figure
from .anova import compute_from_mean_squares, compute_unbalanced
from .components import compute_from_components


def compute_iccs(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """Compute the one-way or two-way ICCs with the estimator that the design allows."""
    two_way = keys[0] != "icc1"
    few = ratings.n_items < 2 or len(ratings.raters) < 2 or ratings.sizes.max() < 2 or ratings.constant
    if few or (two_way and not ratings.identified):
        return [make_undefined_figure(ratings, key) for key in keys]
    if two_way and not ratings.is_complete:
        return compute_from_components(ratings, keys, drawing)
    if two_way or len(np.unique(ratings.sizes)) == 1:
        return compute_from_mean_squares(
            ratings, keys, "two-way ANOVA" if two_way else "one-way ANOVA", drawing
        )
    return compute_unbalanced(ratings, keys, drawing)
