"""Two-way intraclass correlations from variance components."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...arrays import Array, Row
from ...drawing import Drawing, get_tail_probabilities
from ...ratings import Ratings, make_undefined_figure
from .anova import make_icc_row
from .crossed import Crossed
from .reml import REML_LIMIT, fit_reml

PIVOTS = 20_000


def estimate_components(design: Crossed) -> tuple[Array, str]:
    """Estimate the variances of rows, columns and residual, and name the method."""
    if len(design.n_column) > REML_LIMIT:
        return design.gao_owen(), "moments (Gao & Owen 2017)"
    start = design.henderson()
    if start[2] > 1e-12 * float(design.y @ design.y) / len(design.y):
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
    k = ratings.n_items / float((1 / ratings.sizes).sum())
    if not ratings.spread_within.any():
        return [make_icc_row(ratings, key, path, k, (1.0, 1.0, 1.0)) for key in keys]
    generator = drawing.stream(ratings.name, "two-way")
    residual = design.squares[2] / generator.chisquare(design.degrees[2], PIVOTS)
    drawn = [draw_pivots(design.squares[0], residual, design.spectrum(True), generator)]
    drawn += [draw_pivots(design.squares[1], residual, design.spectrum(False), generator), residual]
    moved = [one + shift for one, shift in zip(drawn, found - design.henderson(), strict=True)]
    rows = []
    for key in keys:
        estimate = float(compute_icc_ratio(key, found[:, None], k, design.items_are_rows)[0])
        ratios = compute_icc_ratio(key, np.array(moved), k, design.items_are_rows)
        low, high = np.quantile(ratios, get_tail_probabilities(), method="lower")
        rows.append(make_icc_row(ratings, key, path, k, (estimate, float(low), float(high))))
    return rows


def draw_pivots(
    squares: float, residual: Array, spectrum: tuple[Array, Array], generator: np.random.Generator
) -> Array:
    """Draw variance components from χ² distributions."""
    weights, df = spectrum
    chi = generator.chisquare(df, (PIVOTS, len(df)))
    return np.asarray((squares - residual * chi.sum(axis=1)) / (chi @ weights))


def compute_icc_ratio(key: str, variances: Array, k: float, items_are_rows: bool) -> Array:
    """Compute the items' share of the variance, with the shape of a row of `variances`."""
    item, rater = (variances[0], variances[1]) if items_are_rows else (variances[1], variances[0])
    noise = variances[2] + rater if key.startswith("icc2") else variances[2]
    total = item + (noise / k if key.endswith("k") else noise)
    return np.where(total > 0, item / np.where(total > 0, total, 1.0), -math.inf)
