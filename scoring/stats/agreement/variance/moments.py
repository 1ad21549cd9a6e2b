"""Variance components of crossed random effects from moments."""

import numpy as np

from scoring.stats.agreement.variance.crossed import Crossed
from scoring.stats.base.resampling import FloatArray


def from_sums_of_squares(design: Crossed) -> FloatArray:
    """Components that make the adjusted sums of squares equal their expectations (Henderson's method III).

    Parameters
    ----------
    design
        The crossed ratings, with at least one degree of freedom for rows, columns and residual.

    Returns
    -------
    ndarray, shape (3,)
        Variances of rows, columns and residual.
    """
    rows, columns, residual_squares = design.sums_of_squares
    residual = residual_squares / design.residual_df
    by_row, by_column = design.row_spectrum, design.column_spectrum
    return np.array(
        [
            (rows - residual * by_row.df.sum()) / by_row.trace,
            (columns - residual * by_column.df.sum()) / by_column.trace,
            residual,
        ]
    )


def gao_owen(design: Crossed) -> FloatArray:
    """Components from three U-statistics, in time proportional to the number of ratings.

    Parameters
    ----------
    design
        The crossed ratings.

    Returns
    -------
    ndarray, shape (3,)
        Variances of rows, columns and residual.

    References
    ----------
    Gao & Owen (2017), Efficient moment calculations for variance components in large unbalanced
    crossed random effects models, section 4.
    """
    n = len(design.value)
    rows, columns = design.row_sizes, design.column_sizes
    squares = float(design.value @ design.value)
    within_rows = squares - float((design.row_sums(design.value) ** 2 / rows).sum())
    within_columns = squares - float((design.column_sums(design.value) ** 2 / columns).sum())
    # The third U-statistic, half the sum over all pairs, is n times the sum of squares of centred values.
    system = np.array(
        [
            [0.0, n - design.n_rows, n - design.n_rows],
            [n - design.n_columns, 0.0, n - design.n_columns],
            [n**2 - float((rows**2).sum()), n**2 - float((columns**2).sum()), n**2 - n],
        ]
    )
    return np.asarray(np.linalg.solve(system, [within_rows, within_columns, n * squares]), dtype=np.float64)
