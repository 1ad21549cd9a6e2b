"""How alike raters put options in order: Kendall's W, his τ, and pairs of options in the same order."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    NO_OVERLAP,
    TOO_FEW_RATERS,
    Figure,
    Sample,
    estimated,
    refused,
)
from scoring.stats.choices.orders.coded_orders import Orders

OfItem = Callable[[IntArray], float]


def kendall_w(places: IntArray) -> float:
    """Kendall's coefficient of concordance of the orders of one item.

    Parameters
    ----------
    places
        Place of each option, equal ones tied, shape (raters, options).

    Returns
    -------
    float
        12 S / (m²(n³ − n) − m Σ T) of m raters and n options: S is the sum of the squared distances of the
        rank sums from their mean, T the sum of t³ − t over the ties of a rater, t options each. NaN with
        fewer than two raters or options, or where every rater ties all options.

    References
    ----------
    Kendall and Smith (1939); Kendall (1948), chapter 6.
    """
    raters, options = places.shape
    if raters < 2 or options < 2:
        return math.nan
    ranks = scipy.stats.rankdata(places, axis=1)
    sums = ranks.sum(axis=0)
    distance = float(((sums - sums.mean()) ** 2).sum())
    tied = sum(float((sizes**3 - sizes).sum()) for sizes in map(_tie_sizes, places))
    most = raters**2 * (options**3 - options) - raters * tied
    return 12 * distance / most if most > 0 else math.nan


def mean_tau(places: IntArray) -> float:
    """Mean over pairs of raters of Kendall's τ_b of the orders of one item.

    Parameters
    ----------
    places
        Place of each option, equal ones tied, shape (raters, options).

    Returns
    -------
    float
        NaN where no two raters each distinguish any options.

    References
    ----------
    Kendall (1945); Hays (1960) on the mean over pairs of raters.
    """
    signs = _signs(places)
    products = signs @ signs.T
    own = np.diag(products)
    first, second = np.triu_indices(len(places), 1)
    both = own[first] * own[second]
    found = products[first, second][both > 0] / np.sqrt(both[both > 0])
    return float(found.mean()) if len(found) else math.nan


def equal_pairs(places: IntArray) -> float:
    """Share of pairs of options that two raters of one item put in the same order, or both tie.

    Parameters
    ----------
    places
        Place of each option, equal ones tied, shape (raters, options).

    Returns
    -------
    float
        Mean over pairs of raters; NaN with fewer than two raters or options.
    """
    signs = _signs(places)
    first, second = np.triu_indices(len(places), 1)
    if not len(first) or not signs.shape[1]:
        return math.nan
    return float((signs[first] == signs[second]).mean())


OF_ITEMS: Mapping[tuple[str, str], OfItem] = {
    ("kendall_w", ""): kendall_w,
    ("kendall_tau", "b"): mean_tau,
    ("pair_order", ""): equal_pairs,
}


def order_agreement(orders: Orders, resampling: Resampling) -> list[Figure]:
    """Agreement on the order of the options of one question.

    Parameters
    ----------
    orders
        Of any number of raters per item; items with one answer are left out.
    resampling
        Replicates, seed and confidence of the bootstrap over items, or groups; five of them are needed.

    Returns
    -------
    list of Figure
        W, τ_b and the share of pairs in the same order, each the mean over the items that have it.
    """
    rows = {item: found for item, found in orders.rows_of_items.items() if len(found) > 1}
    return [_mean(orders, rows, name, of_item, resampling) for name, of_item in OF_ITEMS.items()]


def _mean(
    orders: Orders,
    rows: Mapping[str, IntArray],
    name: tuple[str, str],
    of_item: OfItem,
    resampling: Resampling,
) -> Figure:
    values = {item: of_item(orders.places_of(found)) for item, found in rows.items()}
    defined = {item: value for item, value in values.items() if not math.isnan(value)}
    sample = _sample(orders, [rows[item] for item in defined or rows])
    place, confidence = (orders.criterion, *name), resampling.confidence
    if not defined:
        return refused(place, _reason(orders, rows), sample, confidence)
    units, unit = orders.units_of(list(defined))
    found = np.array(list(defined.values()))
    n_units = int(units.max()) + 1
    interval = nothing_to_draw(unit)
    if n_units >= FEWEST_UNITS:
        replicates = _replicates(found, units, n_units, resampling, place)
        interval = resampling.interval(replicates, unit, n_units)
    return estimated(place, float(found.mean()), interval, sample, confidence)


def _sample(orders: Orders, rows: Sequence[IntArray]) -> Sample:
    used = np.concatenate(rows) if rows else np.array([], dtype=np.int64)
    raters = len({orders.raters[row] for row in used})
    return Sample(len(rows), raters if orders.identified else None, len(used))


def _reason(orders: Orders, rows: Mapping[str, IntArray]) -> str:
    if rows:
        return CONSTANT_RATINGS
    return NO_OVERLAP if len(set(orders.raters)) > 1 else TOO_FEW_RATERS


def _replicates(
    values: FloatArray, units: IntArray, n_units: int, resampling: Resampling, stream: tuple[str, ...]
) -> FloatArray:
    """Means over the items of resampled units."""
    sums, sizes = np.bincount(units, weights=values), np.bincount(units).astype(np.float64)
    generator = resampling.generator(*stream)
    shares = np.full(n_units, 1 / n_units)
    found = []
    for size in resampling.chunks(n_units):
        drawn = generator.multinomial(n_units, shares, size=size).astype(np.float64)
        found.append((drawn @ sums) / (drawn @ sizes))
    return np.concatenate(found)


def _signs(places: IntArray) -> FloatArray:
    """Which of two options each rater puts first: 1, -1, or 0 where they are tied, shape (raters, pairs)."""
    first, second = np.triu_indices(places.shape[1], 1)
    return np.asarray(np.sign(places[:, second] - places[:, first]), dtype=np.float64)


def _tie_sizes(places: IntArray) -> IntArray:
    return np.unique(places, return_counts=True)[1]
