"""Krippendorff's α with a bootstrap interval."""

import math
from collections.abc import Callable, Mapping
from typing import Literal

import krippendorff
import numpy as np

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import NEGATIVE_VALUES, Figure, Sample, estimated, refused
from scoring.stats.data.bootstrap.bca import bootstrap_interval
from scoring.stats.data.bootstrap.count_patterns import Patterns, patterns_of
from scoring.stats.data.bootstrap.item_patterns import patterns_of_items
from scoring.stats.data.refusals import no_agreement_reason
from scoring.stats.data.table import Ratings

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")

# The krippendorff package computes items × categories² cells; beyond this many the patterns take its place.
PACKAGE_CELLS = 1_000_000


def alpha(
    ratings: Ratings, level: Level, resampling: Resampling, times: Mapping[str, int] | None = None
) -> Figure:
    """Krippendorff's α of one criterion.

    Parameters
    ----------
    ratings
        Ratings of one criterion; items with a single rating are left out.
    level
        Level of measurement, which decides the distance between two values.
    resampling
        Replicates, seed and confidence of the interval.
    times
        Number of items that each item represents, by its label; None for 1 each.

    Returns
    -------
    Figure
        The interval is a percentile bootstrap over items, or over groups where items belong to groups;
        ordinal distances come from the marginals of each replicate. Refused for fewer than two items with
        two ratings, and at the ratio level for ratings below zero.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Krippendorff (2019), chapter 12.
    """
    name = (ratings.criterion, "alpha", str(level))
    pairable = ratings.pairable().in_safe_unit
    reason = no_alpha_reason(ratings, pairable, level)
    if reason:
        return refused(name, reason, _sample(pairable, times), resampling.confidence)
    patterns = patterns_of(pairable, _of_items(pairable, times))
    estimate = _point(pairable, patterns, level, times)
    interval = nothing_to_draw(pairable.unit)
    if patterns.n_units >= FEWEST_UNITS:
        replicates = _replicates(pairable, patterns, level, resampling)
        interval = bootstrap_interval(
            resampling,
            replicates,
            pairable.unit,
            estimate,
            patterns,
            lambda weights: _alphas(weights, pairable, patterns, level),
        )
    return estimated(name, estimate, interval, _sample(pairable, times), resampling.confidence)


def _of_items(ratings: Ratings, times: Mapping[str, int] | None) -> IntArray | None:
    """Number of items that each one represents, shape (items,)."""
    return None if times is None else np.array([times[str(label)] for label in ratings.items], dtype=np.int64)


def _sample(ratings: Ratings, times: Mapping[str, int] | None) -> Sample:
    of_items = _of_items(ratings, times)
    if of_items is None:
        return ratings.sample
    return Sample(int(of_items.sum()), ratings.sample.raters, int(of_items @ ratings.sizes))


def no_alpha_reason(ratings: Ratings, pairable: Ratings, level: Level) -> str:
    """Why Krippendorff's α cannot be computed at a level; empty when it can.

    Parameters
    ----------
    ratings, pairable
        As for `no_agreement_reason`.
    level
        Level of measurement. The ratio distance ((c − k) / (c + k))² is a distance for values of zero or
        more only: a rating below zero has no place on a ratio scale.
    """
    if level == "ratio" and bool((ratings.value < 0).any()):
        return NEGATIVE_VALUES
    return no_agreement_reason(ratings, pairable)


def _point(ratings: Ratings, patterns: Patterns, level: Level, times: Mapping[str, int] | None) -> float:
    n_categories = len(ratings.categories)
    if times is not None or ratings.n_items * n_categories**2 > PACKAGE_CELLS:
        return float(_alphas(patterns.frequency[None, :], ratings, patterns, level)[0])
    cells = ratings.item * n_categories + np.searchsorted(ratings.categories, ratings.value)
    counts = np.bincount(cells, minlength=ratings.n_items * n_categories)
    return float(
        krippendorff.alpha(
            value_counts=counts.reshape(ratings.n_items, n_categories),
            value_domain=ratings.categories,
            level_of_measurement=level,
        )
    )


def _replicates(ratings: Ratings, patterns: Patterns, level: Level, resampling: Resampling) -> FloatArray:
    generator = resampling.generator(ratings.criterion, "alpha", level)
    return np.concatenate(
        [
            _alphas(patterns.draw(generator, size), ratings, patterns, level)
            for size in resampling.chunks(patterns.width)
        ]
    )


def _alphas(weights: FloatArray, ratings: Ratings, patterns: Patterns, level: Level) -> FloatArray:
    """α for each row of pattern weights, shape (replicates, patterns)."""
    marginals: FloatArray = (patterns.counts.T @ weights.T).T
    total = marginals.sum(axis=1)
    observed = _observed(weights, marginals, ratings, patterns, level)
    expected = _expected(marginals, ratings, level) / (total - 1)
    undefined = (np.count_nonzero(marginals, axis=1) < 2) | (expected <= 0)
    ratio = np.divide(observed, expected, out=np.full(len(total), math.nan), where=~undefined)
    return np.asarray(1 - ratio, dtype=np.float64)


def _observed(
    weights: FloatArray, marginals: FloatArray, ratings: Ratings, patterns: Patterns, level: Level
) -> FloatArray:
    counts = patterns.counts
    sizes = np.asarray(counts.sum(axis=1)).ravel()
    if level == "ordinal":
        positions = _midranks(marginals).T
        spread = sizes[:, None] * (counts @ positions**2) - (counts @ positions) ** 2
        ordinal: FloatArray = 2 * np.einsum("bp,pb->b", weights, spread / (sizes - 1)[:, None])
        return ordinal
    if level == "interval":
        values = _centred(ratings.categories)
        pairs = 2 * (sizes * (counts @ values**2) - (counts @ values) ** 2)
    elif level == "nominal":
        pairs = sizes**2 - np.asarray(counts.power(2).sum(axis=1)).ravel()
    else:
        pairs = np.asarray(counts.multiply(counts @ _ratio_distances(ratings.categories)).sum(axis=1)).ravel()
    return np.asarray(weights @ (pairs / (sizes - 1)), dtype=np.float64)


def _expected(marginals: FloatArray, ratings: Ratings, level: Level) -> FloatArray:
    total = marginals.sum(axis=1)
    if level == "nominal":
        return np.asarray(total**2 - (marginals**2).sum(axis=1), dtype=np.float64)
    if level == "ratio":
        distances = _ratio_distances(ratings.categories)
        return np.asarray(((marginals @ distances) * marginals).sum(axis=1), dtype=np.float64)
    positions = _midranks(marginals) if level == "ordinal" else _centred(ratings.categories)[None, :]
    first = (marginals * positions).sum(axis=1)
    second = (marginals * positions**2).sum(axis=1)
    return np.asarray(2 * (total * second - first**2), dtype=np.float64)


def _midranks(marginals: FloatArray) -> FloatArray:
    """Positions whose squared differences are the ordinal distances Σ_{g=c..k} n_g − (n_c+n_k)/2."""
    return np.asarray(np.cumsum(marginals, axis=1) - marginals / 2, dtype=np.float64)


def _centred(categories: FloatArray) -> FloatArray:
    return np.asarray(categories - categories.mean(), dtype=np.float64)


def _ratio_distances(categories: FloatArray) -> FloatArray:
    difference = categories[:, None] - categories[None, :]
    total = categories[:, None] + categories[None, :]
    return np.asarray(
        np.divide(difference, total, out=np.zeros_like(difference), where=total != 0) ** 2, dtype=np.float64
    )


def alpha_of_weights(ratings: Ratings, level: Level) -> Callable[[FloatArray], FloatArray]:
    """Prepare Krippendorff's α for items that count several times.

    Parameters
    ----------
    ratings
        Ratings of items with at least two each, see `Ratings.pairable`.
    level
        Level of measurement.

    Returns
    -------
    callable
        From weights of the items, shape (replicates, items), to α, shape (replicates,).
    """
    safe = ratings.in_safe_unit
    items = patterns_of_items(safe)
    return lambda weights: _alphas(weights, safe, items, level)
