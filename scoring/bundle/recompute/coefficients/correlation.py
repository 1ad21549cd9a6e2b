"""Pearson, Spearman and Kendall correlations, also under bootstrap weights."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse, stats

from ..arrays import Array, Statistic

ROUNDING = 1e-12


def round_significant(values: Array) -> Array:
    """Round values to forty bits, so that those that differ by rounding alone are equal."""
    fraction, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(fraction, 40)), exponent - 40))


def compute_correlation(covariance: Array, variance_x: Array, variance_y: Array) -> Array:
    """Compute a correlation from moments; NaN if a side does not vary."""
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    return np.clip(np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), np.nan), -1.0, 1.0)


def collect_moments(x: Array, y: Array) -> Array:
    """Collect what Pearson's r needs of each point."""
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def compute_weighted_pearson(weights: Array, of_points: Array) -> Array:
    """Compute Pearson's r for each row of weights of points or units."""
    n, sx, sy, xx, yy, xy = (weights @ of_points).T
    n = np.maximum(n, 1)
    left_x, left_y = xx - sx**2 / n, yy - sy**2 / n
    return compute_correlation(
        xy - sx * sy / n,
        np.where(left_x > ROUNDING * xx, left_x, 0.0),
        np.where(left_y > ROUNDING * yy, left_y, 0.0),
    )


def rank_weighted(values: Array, weights: Array) -> Array:
    """Compute centred mid-ranks in which each value occurs as often as its weight."""
    distinct, run = np.unique(values, return_inverse=True)
    members = sparse.coo_array(
        (np.ones(len(run)), (np.arange(len(run)), run)), shape=(len(run), len(distinct))
    )
    size = np.asarray(weights @ members.tocsr())
    middle = np.cumsum(size, axis=1) - size / 2 - size.sum(axis=1, keepdims=True) / 2
    return np.asarray(middle[:, run])


def correlate_ranks(x: Array, y: Array, weights: Array) -> Array:
    """Compute Spearman's ρ from weighted ranks."""

    def products(one: Array, other: Array) -> Array:
        return np.asarray(np.einsum("rn,rn,rn->r", weights, one, other))

    return compute_correlation(products(x, y), products(x, x), products(y, y))


def scale_and_centre(values: Array) -> Array:
    """Scale to a largest absolute value of one and centre; rounding errors become zero."""
    scaled = values / (np.abs(values).max() or 1.0)
    around = scaled - scaled.mean()
    return around if np.abs(around).max() > ROUNDING else np.zeros(len(values))


def make_weighted_correlation(x: Array, y: Array, unit: Array, n_units: int, coefficient: str) -> Statistic:
    """Return the correlation as a function of unit weights, shape (replicates, units)."""
    if coefficient == "spearman":
        one, other = round_significant(x), round_significant(y)
        return lambda weights: correlate_ranks(
            rank_weighted(one, weights[:, unit]), rank_weighted(other, weights[:, unit]), weights[:, unit]
        )
    shape = (n_units, len(unit))
    members = sparse.coo_array((np.ones(len(unit)), (unit, np.arange(len(unit)))), shape=shape).tocsr()
    if coefficient == "pearson":
        of_units = members @ collect_moments(scale_and_centre(x), scale_and_centre(y))
        return lambda weights: compute_weighted_pearson(weights, of_units)
    return make_weighted_kendall(round_significant(x), round_significant(y), members)


def make_weighted_kendall(x: Array, y: Array, members: sparse.csr_array) -> Statistic:
    """Return Kendall's τ-b as a function of unit weights, from pairs between units."""
    signs = [np.sign(values[:, None] - values) for values in (x, y)]
    between = [members @ (members @ table).T for table in (signs[0] * signs[1], signs[0] ** 2, signs[1] ** 2)]

    def kendall(weights: Array) -> Array:
        return compute_correlation(*(((weights @ table) * weights).sum(axis=1) for table in between))

    return kendall


def correlate_columns(x: Array, y: Array, coefficient: str) -> Array:
    """Correlate columns of samples: (..., n, p) with (..., n, q) gives (..., p, q)."""
    one, other = round_significant(x), round_significant(y)
    flat = (one == one[..., :1, :]).all(axis=-2)[..., :, None] | (other == other[..., :1, :]).all(axis=-2)[
        ..., None, :
    ]
    if coefficient == "kendall":
        first, second = np.triu_indices(x.shape[-2], 1)
        one, other = (np.sign(side[..., first, :] - side[..., second, :]) for side in (one, other))
    elif coefficient == "spearman":
        one, other = (
            centre_columns(stats.rankdata(side, axis=-2, nan_policy="propagate")) for side in (one, other)
        )
    else:
        one, other = (scale_columns(centre_columns(scale_columns(side))) for side in (x, y))
    product = np.swapaxes(one, -1, -2) @ other
    scale = np.sqrt((one**2).sum(axis=-2))[..., :, None] * np.sqrt((other**2).sum(axis=-2))[..., None, :]
    with np.errstate(invalid="ignore"):
        found = np.where(scale > 0, product / np.where(scale > 0, scale, 1.0), np.nan)
    return np.where(flat, np.nan, np.clip(found, -1.0, 1.0))


def centre_columns(values: Array) -> Array:
    """Subtract the mean of each column."""
    return np.asarray(values - values.mean(axis=-2, keepdims=True))


def scale_columns(values: Array) -> Array:
    """Scale columns to a largest absolute value of one."""
    greatest = np.abs(values).max(axis=-2, keepdims=True)
    return np.asarray(values / np.where(greatest > 0, greatest, 1.0))


def compute_t_test_p(r: float, n: int) -> float:
    """Compute the two-sided p of a correlation of n pairs."""
    if n < 3 or math.isnan(r):
        return math.nan
    return 0.0 if abs(r) >= 1 else float(2 * stats.t.sf(abs(r * math.sqrt((n - 2) / (1 - r**2))), n - 2))
