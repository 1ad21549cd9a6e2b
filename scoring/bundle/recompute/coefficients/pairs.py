"""Agreement of every two raters."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..ratings import Ratings
from .correlation import correlate_columns


def compare_rater_pairs(ratings: Ratings) -> dict[tuple[str, str], Row]:
    """Compute the agreement of every two raters on the items that both rated."""
    table = pd.DataFrame(
        {"item": ratings.item, "rater": ratings.rater, "code": ratings.code, "x": ratings.value}
    )
    cells, q = table.merge(table, on="item"), len(ratings.categories)
    cells = cells[cells["rater_x"] < cells["rater_y"]]
    found = {}
    for pair, rows in cells.groupby(["rater_x", "rater_y"]):
        one, other = (str(ratings.raters[code]) for code in np.array(pair, dtype=int))
        x, y = rows["x_x"].to_numpy(), rows["x_y"].to_numpy()
        codes = rows["code_x"].to_numpy(), rows["code_y"].to_numpy()
        distances = np.abs(np.subtract.outer(ratings.categories, ratings.categories))
        distances = distances / distances.max() if q > 1 else distances
        categorical = ratings.has_categories
        found[one, other] = {
            "shared": len(rows),
            "kappa": compute_cohen_kappa(*codes, distances**2) if categorical else math.nan,
            "kappa_unweighted": compute_cohen_kappa(*codes, (distances > 0).astype(float))
            if categorical
            else math.nan,
            "pearson": float(correlate_columns(x[:, None], y[:, None], "pearson")[0, 0])
            if len(x) > 1
            else math.nan,
            "spearman": float(correlate_columns(x[:, None], y[:, None], "spearman")[0, 0])
            if len(x) > 1
            else math.nan,
            "exact": float((x == y).mean()) if categorical else math.nan,
            "within_one": float((np.abs(x - y) <= 1).mean()) if categorical else math.nan,
            "difference": float((x - y).mean()),
        }
    return found


def compute_cohen_kappa(one: Array, other: Array, disagreement: Array) -> float:
    """Compute Cohen's κ with disagreement weights."""
    q = len(disagreement)
    shares = [np.bincount(side, minlength=q) / len(one) for side in (one, other)]
    expected = float(shares[0] @ disagreement @ shares[1])
    defined = expected > 0 and len(one) >= 2
    return 1 - float(disagreement[one, other].mean()) / expected if defined else math.nan
