"""Two-way intraclass correlations from variance components."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...arrays import Array, Row
from ...drawing import Drawing, get_tail_probabilities
from ...ratings import Ratings, make_undefined_figure
from .anova import PIVOTS, compute_item_df, has_enough_groups, make_icc_row
from .crossed import Crossed
from .reml import REML_LIMIT, fit_reml

# Times the mean square of the ratings: a smaller component is an error of rounding.
ROUNDING = 1e-12


def estimate_components(design: Crossed) -> tuple[Array, str]:
    """Estimate the variances of rows, columns and residual, and name the method."""
    if len(design.n_column) > REML_LIMIT:
        return design.gao_owen(), "moments (Gao & Owen 2017)"
    start = design.henderson()
    if start[2] > ROUNDING * float(design.y @ design.y) / len(design.y):
        fitted = fit_reml(design, start)
        if fitted is not None:
            return fitted, "REML"
    return start, "moments (Henderson III)"


def compute_from_components(ratings: Ratings, keys: Sequence[str], drawing: Drawing) -> list[Row]:
    """Compute two-way ICCs of incomplete ratings, with generalised pivots (Weerahandi 1993)."""
    design = Crossed.of(ratings)
    if min(design.degrees) < 1:
        return [make_undefined_figure(ratings, key) for key in keys]
    found, path = estimate_components(design)
    k, common = ratings.harmonic_size, share_severity(ratings)
    if not ratings.spread_within.any():
        return [make_icc_row(ratings, key, path, k, (1.0, 1.0, 1.0)) for key in keys]
    order = [0, 1, 2] if design.items_are_rows else [1, 0, 2]
    item, _, rest = found[order]
    if max(abs(item), abs(rest)) < ROUNDING * float(design.y @ design.y) / len(design.y):
        return [make_icc_row(ratings, key, path, k, (math.nan, math.nan, math.nan)) for key in keys]
    generator = drawing.stream(ratings.name, "two-way")
    residual = design.squares[2] / generator.chisquare(design.degrees[2], PIVOTS)
    share = compute_item_df(ratings) / (ratings.n_items - 1)
    shares = (share, 1.0) if design.items_are_rows else (1.0, share)
    drawn = [draw_pivots(design.squares[0], residual, design.spectrum(True), generator, shares[0])]
    drawn += [
        draw_pivots(design.squares[1], residual, design.spectrum(False), generator, shares[1]),
        residual,
    ]
    moved = np.array([one + shift for one, shift in zip(drawn, found - design.henderson(), strict=True)])
    rows = []
    for key in keys:
        estimate = float(compute_icc_ratio(key, found[order, None], k, common)[0])
        ratios = compute_icc_ratio(key, moved[order], k, common)
        low, high = math.nan, math.nan
        if has_enough_groups(ratings):
            low, high = np.quantile(ratios, get_tail_probabilities(), method="lower")
        rows.append(make_icc_row(ratings, key, path, k, (estimate, float(low), float(high))))
    return rows


def draw_pivots(
    squares: float,
    residual: Array,
    spectrum: tuple[Array, Array],
    generator: np.random.Generator,
    share: float,
) -> Array:
    """Draw variance components from χ² distributions with a share of their degrees of freedom."""
    weights, df = spectrum
    chi = generator.chisquare(share * df, (PIVOTS, len(df))) / share
    return np.asarray((squares - residual * chi.sum(axis=1)) / (chi @ weights))


def share_severity(ratings: Ratings) -> float:
    """Compute what two items' means share of the raters' variance: the mean of common raters ÷ mᵢmⱼ."""
    n, within = ratings.n_items, 1 / ratings.sizes
    sums = np.bincount(ratings.rater, within[ratings.item])
    return float((sums**2).sum() - within.sum()) / (n * (n - 1))


def compute_icc_ratio(key: str, variances: Array, k: float, common: float) -> Array:
    """Compute the items' share of the variance; rows of `variances` are item, rater and residual."""
    item, rater, residual = variances
    number = k if key.endswith("k") else 1.0
    noise = residual / number
    if key.startswith("icc2"):
        noise = noise + rater / number
    elif key.endswith("k"):
        noise = noise + max(1 / k - common, 0.0) * rater
    total = item + noise
    return np.where(total > 0, item / np.where(total > 0, total, 1.0), -math.inf)
