"""Pearson's r, Spearman's ρ and Kendall's τ-b between columns, for many samples at once."""

from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.rounding import round_significant

Coefficient = Literal["pearson", "spearman", "kendall"]
BoolArray = npt.NDArray[np.bool_]

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")


def associations(
    x: FloatArray, y: FloatArray, coefficient: Coefficient, *, tie_rounding: bool = True
) -> FloatArray:
    """Correlation of every column of `x` with every column of `y`.

    Parameters
    ----------
    x
        Samples of columns, shape (..., n, p). The leading axes count the samples.
    y
        The same samples of other columns, shape (..., n, q).
    coefficient
        `pearson`, `spearman` (average ranks) or `kendall` (τ-b).
    tie_rounding
        Whether values that differ by rounding only are equal; False to repeat what others computed.

    Returns
    -------
    ndarray, shape (..., p, q)
        NaN where a column holds a NaN or does not vary.
    """
    first, second = (round_significant(x), round_significant(y)) if tie_rounding else (x, y)
    flat = _is_flat(first)[..., :, None] | _is_flat(second)[..., None, :]
    if coefficient == "kendall":
        first, second = _pair_signs(first), _pair_signs(second)
    elif coefficient == "spearman":
        first, second = _centred(_mid_ranks(first)), _centred(_mid_ranks(second))
    else:
        first, second = _standard(x), _standard(y)
    return np.where(flat, np.nan, _cosines(first, second))


def p_value(estimate: float, n: int) -> float:
    """Two-sided p of a Pearson or Spearman correlation of n independent pairs, by Student's t.

    Parameters
    ----------
    estimate
        The correlation.
    n
        Number of pairs.

    Returns
    -------
    float
        NaN with fewer than three pairs or without a correlation; 0 for a perfect one.
    """
    if n < 3 or np.isnan(estimate):
        return float("nan")
    if abs(estimate) >= 1:
        return 0.0
    t = estimate * np.sqrt((n - 2) / (1 - estimate**2))
    return float(2 * scipy.stats.t.sf(abs(t), n - 2))


def _standard(values: FloatArray) -> FloatArray:
    """Centred and scaled; scaled before, too, because the smallest numbers there are have no precise mean."""
    return _scaled(_centred(_scaled(values)))


def _scaled(values: FloatArray) -> FloatArray:
    """Columns with a greatest absolute value of one, so that squares of tiny values do not vanish."""
    greatest = np.abs(values).max(axis=-2, keepdims=True)
    return np.asarray(values / np.where(greatest > 0, greatest, 1.0), dtype=np.float64)


def _centred(values: FloatArray) -> FloatArray:
    return np.asarray(values - values.mean(axis=-2, keepdims=True), dtype=np.float64)


def _mid_ranks(values: FloatArray) -> FloatArray:
    return np.asarray(scipy.stats.rankdata(values, axis=-2, nan_policy="propagate"), dtype=np.float64)


def _pair_signs(values: FloatArray) -> FloatArray:
    """Which of two rows is greater, for all pairs of rows, shape (..., n(n−1)/2, columns)."""
    one, other = np.triu_indices(values.shape[-2], 1)
    return np.asarray(np.sign(values[..., one, :] - values[..., other, :]), dtype=np.float64)


def _is_flat(values: FloatArray) -> BoolArray:
    """Whether a column does not vary."""
    return np.asarray((values == values[..., :1, :]).all(axis=-2), dtype=np.bool_)


def _cosines(x: FloatArray, y: FloatArray) -> FloatArray:
    product = np.swapaxes(x, -1, -2) @ y
    scale = np.sqrt((x**2).sum(axis=-2))[..., :, None] * np.sqrt((y**2).sum(axis=-2))[..., None, :]
    ratio = np.divide(product, scale, out=np.full(product.shape, np.nan), where=scale > 0)
    return np.asarray(np.clip(ratio, -1.0, 1.0), dtype=np.float64)
