"""Ratings made up for the tests of the statistics."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import Figure
from scoring.stats.data.table import Ratings, RatingsTable


def long_form(matrix: Sequence[Sequence[float]] | FloatArray, criterion: str = "quality") -> pd.DataFrame:
    """One row a rating from a matrix of items by raters; NaN cells are left out."""
    values = np.asarray(matrix, dtype=float)
    rows = [
        (f"item {item:04d}", f"R-{rater + 1:03d}", criterion, value)
        for (item, rater), value in np.ndenumerate(values)
        if not np.isnan(value)
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"])


def ratings_of(
    frame: pd.DataFrame, *, identified: bool = True, scale: tuple[float, float] | None = None
) -> Ratings:
    """The only criterion of a frame."""
    scales = {str(name): scale for name in frame["criterion"].unique()} if scale else None
    (ratings,) = RatingsTable.from_frame(frame, identified=identified, scales=scales).criteria.values()
    return ratings


def likert(
    seed: int, items: int, raters: int, *, missing: float = 0.0, rater_sd: float = 0.5, error_sd: float = 0.8
) -> FloatArray:
    """Ratings on 1 to 5 with item, rater and residual effects, some of them missing."""
    rng = np.random.default_rng(seed)
    latent = 3 + rng.normal(0, 1, (items, 1)) + rng.normal(0, rater_sd, (1, raters))
    values = np.clip(np.round(latent + rng.normal(0, error_sd, (items, raters))), 1, 5)
    values[rng.random((items, raters)) < missing] = np.nan
    return values


def figures_of(
    frame: pd.DataFrame, *, identified: bool = True, replicates: int = 100, seed: int = 1
) -> dict[tuple[str, str], Figure]:
    """Figures of a frame by coefficient and first word of the variant."""
    table = RatingsTable.from_frame(frame, identified=identified)
    found = reliability(table, seed=seed, replicates=replicates).figures
    return {(figure.coefficient, _level(figure)): figure for figure in found}


def _level(figure: Figure) -> str:
    named = figure.coefficient == "alpha" or figure.coefficient.startswith("held_out")
    return figure.variant if named else ""
