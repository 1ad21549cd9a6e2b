"""Intervals for two-way intraclass correlations of incomplete ratings, from generalised pivots."""

import numpy as np

from scoring.stats.agreement.variance.crossed import Components, Crossed, Spectrum
from scoring.stats.agreement.variance.moments import from_sums_of_squares
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import Interval

DRAWS = 20_000


def component_draws(
    design: Crossed, estimate: Components, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draws of the components of item, rater and residual that the sums of squares are compatible with.

    Each adjusted sum of squares is distributed as Σ (σ² + σ_factor² · weight) χ²; with drawn χ² the component
    solves a linear equation. With complete ratings these are the usual generalised confidence intervals.

    Parameters
    ----------
    design
        The crossed ratings, with at least one degree of freedom for rows, columns and residual.
    estimate
        The components that the figures are computed from. The sums of squares have components of their own,
        which part from these where the model does not fit; the draws are moved to lie around `estimate`.
    generator
        Source of the χ² draws.

    Returns
    -------
    item, rater, residual
        Draws, each of shape (DRAWS,).

    References
    ----------
    Weerahandi (1993); Ionan et al. (2014), Comparison of confidence interval methods for an intra-class
    correlation coefficient.
    """
    rows, columns, residual_squares = design.sums_of_squares
    residual = residual_squares / generator.chisquare(design.residual_df, DRAWS)
    by_row = _solve(rows, residual, design.row_spectrum, generator)
    by_column = _solve(columns, residual, design.column_spectrum, generator)
    own = design.components(*from_sums_of_squares(design))
    item, rater = (by_row, by_column) if design.items_are_rows else (by_column, by_row)
    return (
        item + (estimate.item - own.item),
        rater + (estimate.rater - own.rater),
        residual + (estimate.residual - own.residual),
    )


def _solve(
    squares: float, residual: FloatArray, spectrum: Spectrum, generator: np.random.Generator
) -> FloatArray:
    chi = generator.chisquare(spectrum.df, (DRAWS, len(spectrum.df)))
    return np.asarray((squares - residual * chi.sum(axis=1)) / (chi @ spectrum.weights), dtype=np.float64)


def pivotal_interval(draws: FloatArray, resampling: Resampling) -> Interval:
    """The interval between the quantiles of a coefficient's draws.

    Parameters
    ----------
    draws
        The coefficient for each draw of the components.
    resampling
        Seed and confidence.

    Returns
    -------
    Interval
        For new items and new raters: both components are drawn.
    """
    low, high = np.quantile(draws, resampling.tails(), method="lower")
    settings = f"draws:{DRAWS}|seed:{resampling.seed}"
    return Interval(float(low), float(high), "generalised pivots of the components", "", settings)
