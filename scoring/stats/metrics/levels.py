"""Correlations of columns of items at three levels, with their bootstrap replicates."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.base.association import Coefficient, associations, p_value
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.bootstrap.bootstrap_draws import Draws, unit_draws
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.pooled import PooledPairs, pooled

Level = Literal["item", "group", "system"]
LEVELS: tuple[Level, ...] = ("item", "group", "system")


@dataclass(frozen=True)
class LevelCorrelations:
    """Correlations of every metric with every criterion at one level."""

    estimate: FloatArray  # Shape (metrics, criteria); NaN where undefined
    p: FloatArray  # Two-sided p under no correlation, shape (metrics, criteria)
    n: FloatArray  # Items, groups or systems behind each correlation, shape (metrics, criteria)
    # Shape (metrics, criteria): items without both values, groups in which the correlation is undefined,
    # or systems without both means
    dropped: FloatArray
    # Shape (metrics, criteria, replicates); None where none were requested or none are possible
    replicates: FloatArray | None


def correlations(
    items: MeasuredItems, level: Level, coefficient: Coefficient, resampling: Resampling | None = None
) -> LevelCorrelations:
    """Correlate every metric with every criterion.

    Parameters
    ----------
    items
        Mean ratings and scores.
    level
        `item`: over all items. `group`: in each group over its items, then the mean over the groups where it
        is defined. `system`: over the systems' means.
    coefficient
        `pearson`, `spearman` or `kendall`.
    resampling
        Settings of the bootstrap over groups (over items where there are none); None for estimates alone, as
        there always are over systems. The same settings draw the same units for every column, so that
        differences of columns are paired.

    Returns
    -------
    LevelCorrelations
        Signed; callers that need absolute values take them after averaging.

    References
    ----------
    HANNA (2022), section 5.1; statistics of correlated correlations: paired group bootstrap.
    """
    if level == "system":
        return _system_level(items, coefficient)
    draws = None if resampling is None else unit_draws(items.n_units, len(items.items), resampling)
    by_level = {"item": _item_level, "group": _group_level}
    return by_level[level](items, coefficient, draws)


def _item_level(items: MeasuredItems, coefficient: Coefficient, draws: Draws | None) -> LevelCorrelations:
    pairs = PooledPairs(items)
    estimate, p = np.full(pairs.shape, np.nan), np.full(pairs.shape, np.nan)
    every = np.ones((1, items.n_units))
    for cell in pairs.places(at_least=2):
        x, y, unit = pairs.columns(cell)
        if coefficient == "kendall":
            tested = scipy.stats.kendalltau(round_significant(x), round_significant(y))
            estimate[cell], p[cell] = tested.statistic, tested.pvalue
        else:
            estimate[cell] = pooled(x, y, unit, coefficient)(every)[0]
            p[cell] = p_value(estimate[cell], len(x))
    replicates = None if draws is None else pairs.replicates(coefficient, draws)
    return LevelCorrelations(estimate, p, pairs.n, len(items.items) - pairs.n, replicates)


def _group_level(items: MeasuredItems, coefficient: Coefficient, draws: Draws | None) -> LevelCorrelations:
    shape = (len(items.metrics), len(items.criteria))
    if items.group is None:
        empty = np.full(shape, np.nan)
        return LevelCorrelations(empty, empty, np.zeros(shape), np.zeros(shape), None)
    by_group = group_correlations(items, coefficient)
    defined = np.isfinite(by_group)
    values = np.where(defined, by_group, 0.0).reshape(items.n_units, -1)
    counted = defined.reshape(items.n_units, -1).astype(np.float64)

    def mean(weights: FloatArray) -> FloatArray:
        number, total = weights @ counted, weights @ values
        ratio = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
        return np.asarray(ratio, dtype=np.float64)

    estimate = mean(np.ones((1, items.n_units))).reshape(shape)
    number = defined.sum(axis=0).astype(np.float64)
    replicates = None
    if draws is not None:
        replicates = np.concatenate([mean(weights) for weights in draws()]).T.reshape(*shape, -1)
    return LevelCorrelations(
        estimate, _p_over_groups(by_group, estimate), number, items.n_units - number, replicates
    )


def _p_over_groups(by_group: FloatArray, mean: FloatArray) -> FloatArray:
    """Student's t of the groups' correlations against zero; NaN with fewer than two groups."""
    defined = np.isfinite(by_group)
    number = defined.sum(axis=0)
    squares = np.where(defined, (by_group - mean) ** 2, 0.0).sum(axis=0)
    below = np.maximum(number - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt(squares / below / number)
    return np.where(number > 1, 2 * scipy.stats.t.sf(t, below), np.nan)


def group_correlations(items: MeasuredItems, coefficient: Coefficient) -> FloatArray:
    """Correlations within each group.

    Parameters
    ----------
    items
        Items with groups.
    coefficient
        `pearson`, `spearman` or `kendall`.

    Returns
    -------
    ndarray, shape (groups, metrics, criteria)
        Over the items of the group that have both values; NaN where undefined.
    """
    if items.group is None:
        raise ValueError("the items belong to no groups")
    by_group = np.full((items.n_units, len(items.metrics), len(items.criteria)), np.nan)
    for code in range(items.n_units):
        inside = items.group == code
        by_group[code] = _within(items.scores[inside], items.human[inside], coefficient)
    return by_group


def _within(scores: FloatArray, human: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Correlations within one group, over the items that have both values."""
    if np.isfinite(scores).all() and np.isfinite(human).all():
        return associations(scores, human, coefficient) if len(scores) > 1 else _undefined(scores, human)
    found = _undefined(scores, human)
    for metric, criterion in np.ndindex(*found.shape):
        valid = np.isfinite(scores[:, metric]) & np.isfinite(human[:, criterion])
        if valid.sum() > 1:
            x, y = scores[valid, metric][:, None], human[valid, criterion][:, None]
            found[metric, criterion] = associations(x, y, coefficient)[0, 0]
    return found


def _undefined(scores: FloatArray, human: FloatArray) -> FloatArray:
    return np.full((scores.shape[1], human.shape[1]), np.nan)


def _system_level(items: MeasuredItems, coefficient: Coefficient) -> LevelCorrelations:
    shape = (len(items.metrics), len(items.criteria))
    n_systems = len(items.systems)
    if items.system is None or n_systems < 2:
        empty = np.full(shape, np.nan)
        return LevelCorrelations(empty, empty, np.zeros(shape), np.zeros(shape), None)

    once = np.ones((1, len(items.items)))
    x, y = (system_means(items, values, once)[0] for values in (items.scores, items.human))
    n = np.isfinite(x).astype(np.float64).T @ np.isfinite(y).astype(np.float64)
    estimate, p = _over_systems(x, y, coefficient)
    return LevelCorrelations(estimate, p, n, n_systems - n, None)


def system_means(items: MeasuredItems, values: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean of each column over the items of each system.

    Parameters
    ----------
    items
        Items with systems.
    values
        Shape (items, columns); a NaN is left out of its mean.
    weights
        Weight of each item, shape (replicates, items).

    Returns
    -------
    ndarray, shape (replicates, systems, columns)
        NaN where a system has no value.
    """
    if items.system is None:
        raise ValueError("the items belong to no systems")
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    means = np.full((len(weights), len(items.systems), values.shape[1]), np.nan)
    for code in range(len(items.systems)):
        inside = items.system == code
        number = weights[:, inside] @ known[inside].astype(np.float64)
        total = weights[:, inside] @ filled[inside]
        np.divide(total, number, out=means[:, code], where=number > 0)
    return means


def _over_systems(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> tuple[FloatArray, FloatArray]:
    """Correlations over the systems that have both means, and their p."""
    estimate = _within(x, y, coefficient)
    p = np.full(estimate.shape, np.nan)
    for metric, criterion in zip(*np.nonzero(np.isfinite(estimate)), strict=True):
        both = np.isfinite(x[:, metric]) & np.isfinite(y[:, criterion])
        if coefficient == "kendall":
            pair = round_significant(x[both, metric]), round_significant(y[both, criterion])
            p[metric, criterion] = scipy.stats.kendalltau(*pair).pvalue
        else:
            p[metric, criterion] = p_value(estimate[metric, criterion], int(both.sum()))
    return estimate, p
