"""Pearson, Spearman and Kendall correlations, also under bootstrap weights."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse, stats

from ..arrays import Array, Statistic

ROUNDING = 1e-12


def settled(values: Array) -> Array:
    """Values with forty bits: what differs by rounding only is equal."""
    fraction, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(fraction, 40)), exponent - 40))


def ratio(covariance: Array, variance_x: Array, variance_y: Array) -> Array:
    """A correlation; NaN where a side does not vary."""
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    return np.clip(np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), np.nan), -1.0, 1.0)


def moments(x: Array, y: Array) -> Array:
    """What Pearson's r needs of each point."""
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def pearson_of(weights: Array, of_points: Array) -> Array:
    """Pearson's r for each row of weights of the points, or units, whose moments are given."""
    n, sx, sy, xx, yy, xy = (weights @ of_points).T
    n = np.maximum(n, 1)
    left_x, left_y = xx - sx**2 / n, yy - sy**2 / n
    return ratio(
        xy - sx * sy / n,
        np.where(left_x > ROUNDING * xx, left_x, 0.0),
        np.where(left_y > ROUNDING * yy, left_y, 0.0),
    )


def weighted_ranks(values: Array, weights: Array) -> Array:
    """Mid-ranks less their mean when each value comes as often as its weight says."""
    distinct, run = np.unique(values, return_inverse=True)
    members = sparse.coo_array(
        (np.ones(len(run)), (np.arange(len(run)), run)), shape=(len(run), len(distinct))
    )
    size = np.asarray(weights @ members.tocsr())
    middle = np.cumsum(size, axis=1) - size / 2 - size.sum(axis=1, keepdims=True) / 2
    return np.asarray(middle[:, run])


def rank_correlation(x: Array, y: Array, weights: Array) -> Array:
    """Spearman's ρ from ranks under weights."""

    def products(one: Array, other: Array) -> Array:
        return np.asarray(np.einsum("rn,rn,rn->r", weights, one, other))

    return ratio(products(x, y), products(x, x), products(y, y))


def centred(values: Array) -> Array:
    """Scaled to a greatest absolute value of one and centred; rounding errors are zero."""
    scaled = values / (np.abs(values).max() or 1.0)
    around = scaled - scaled.mean()
    return around if np.abs(around).max() > ROUNDING else np.zeros(len(values))


def pooled(x: Array, y: Array, unit: Array, n_units: int, coefficient: str) -> Statistic:
    """A correlation over all points, from weights of units, shape (replicates, units)."""
    if coefficient == "spearman":
        one, other = settled(x), settled(y)
        return lambda weights: rank_correlation(
            weighted_ranks(one, weights[:, unit]), weighted_ranks(other, weights[:, unit]), weights[:, unit]
        )
    shape = (n_units, len(unit))
    members = sparse.coo_array((np.ones(len(unit)), (unit, np.arange(len(unit)))), shape=shape).tocsr()
    if coefficient == "pearson":
        of_units = members @ moments(centred(x), centred(y))
        return lambda weights: pearson_of(weights, of_units)
    return kendall_pooled(settled(x), settled(y), members)


def kendall_pooled(x: Array, y: Array, members: sparse.csr_array) -> Statistic:
    """Kendall's τ-b from the pairs between units."""
    signs = [np.sign(values[:, None] - values) for values in (x, y)]
    between = [members @ (members @ table).T for table in (signs[0] * signs[1], signs[0] ** 2, signs[1] ** 2)]

    def kendall(weights: Array) -> Array:
        return ratio(*(((weights @ table) * weights).sum(axis=1) for table in between))

    return kendall


def plain_correlation(x: Array, y: Array, coefficient: str) -> Array:
    """Correlations of samples of columns, shapes (..., n, p) and (..., n, q) to (..., p, q)."""
    one, other = settled(x), settled(y)
    flat = (one == one[..., :1, :]).all(axis=-2)[..., :, None] | (other == other[..., :1, :]).all(axis=-2)[
        ..., None, :
    ]
    if coefficient == "kendall":
        first, second = np.triu_indices(x.shape[-2], 1)
        one, other = (np.sign(side[..., first, :] - side[..., second, :]) for side in (one, other))
    elif coefficient == "spearman":
        one, other = (around(stats.rankdata(side, axis=-2, nan_policy="propagate")) for side in (one, other))
    else:
        one, other = (scaled(around(scaled(side))) for side in (x, y))
    product = np.swapaxes(one, -1, -2) @ other
    scale = np.sqrt((one**2).sum(axis=-2))[..., :, None] * np.sqrt((other**2).sum(axis=-2))[..., None, :]
    with np.errstate(invalid="ignore"):
        found = np.where(scale > 0, product / np.where(scale > 0, scale, 1.0), np.nan)
    return np.where(flat, np.nan, np.clip(found, -1.0, 1.0))


def around(values: Array) -> Array:
    """Columns less their means."""
    return np.asarray(values - values.mean(axis=-2, keepdims=True))


def scaled(values: Array) -> Array:
    """Columns with a greatest absolute value of one."""
    greatest = np.abs(values).max(axis=-2, keepdims=True)
    return np.asarray(values / np.where(greatest > 0, greatest, 1.0))


def t_test(r: float, n: int) -> float:
    """Two-sided p of a correlation of n pairs."""
    if n < 3 or math.isnan(r):
        return math.nan
    return 0.0 if abs(r) >= 1 else float(2 * stats.t.sf(abs(r * math.sqrt((n - 2) / (1 - r**2))), n - 2))
