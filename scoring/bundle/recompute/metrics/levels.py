"""Correlations over items, within groups and over systems."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..arrays import Array, Row
from ..coefficients.correlation import (
    plain_correlation,
    pooled,
    rank_correlation,
    settled,
    t_test,
    weighted_ranks,
)
from ..drawing import CONFIDENCE, Drawing
from .measured import Measured

KENDALL_LIMIT = 3_000
LEVELS = ("item", "group", "system")
COEFFICIENTS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Correlations:
    """Of every metric with every criterion, shape (metrics, criteria); replicates have a third axis."""

    estimate: Array
    p: Array
    n: Array
    dropped: Array
    replicates: Array | None


def correlations(
    items: Measured, level: str, coefficient: str, drawing: Drawing | None = None
) -> Correlations:
    """At one level; with replicates over the units where a drawing is given."""
    how = {"item": over_items, "group": within_groups, "system": over_systems}[level]
    return how(items, coefficient, drawing)


def valid_of(items: Measured, place: tuple[int, int]) -> Array:
    """Which items have both values."""
    return np.isfinite(items.scores[:, place[0]]) & np.isfinite(items.human[:, place[1]])


def weights_of(items: Measured, drawing: Drawing) -> Array:
    """The same replicates for every column, so that differences are paired."""
    return np.concatenate(list(drawing.unit_weights(items.n_units, len(items.items))))


def over_items(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Over all items that have both values."""
    shape = (len(items.metrics), len(items.criteria))
    estimate, p, n = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
    every = np.ones((1, items.n_units))
    weights = None if drawing is None else weights_of(items, drawing)
    if coefficient == "kendall" and len(items.items) > KENDALL_LIMIT:
        weights = None
    replicates = None if weights is None else np.full((*shape, len(weights)), np.nan)
    ranks: dict[tuple[str, int, bytes], Array] = {}
    for place in np.ndindex(*shape):
        valid = valid_of(items, (place[0], place[1]))
        n[place] = valid.sum()
        if n[place] < 2:
            continue
        x, y, unit = items.scores[valid, place[0]], items.human[valid, place[1]], items.units[valid]
        if coefficient == "kendall":
            tested = stats.kendalltau(settled(x), settled(y))
            estimate[place], p[place] = tested.statistic, tested.pvalue
        else:
            estimate[place] = pooled(x, y, unit, items.n_units, coefficient)(every)[0]
            p[place] = t_test(float(estimate[place]), len(x))
        if replicates is None or weights is None:
            continue
        if coefficient != "spearman":
            replicates[place] = pooled(x, y, unit, items.n_units, coefficient)(weights)
            continue
        sides = []
        for side, column, values in (("scores", place[0], x), ("human", place[1], y)):
            key = (side, column, valid.tobytes())
            if key not in ranks:
                ranks[key] = weighted_ranks(settled(values), weights[:, unit])
            sides.append(ranks[key])
        replicates[place] = rank_correlation(sides[0], sides[1], weights[:, unit])
    return Correlations(estimate, p, n, len(items.items) - n, replicates)


def of_columns(x: Array, y: Array, coefficient: str) -> Array:
    """Correlations of two sets of columns over the points that have both values, shape (p, q)."""
    found = np.full((x.shape[1], y.shape[1]), np.nan)
    if np.isfinite(x).all() and np.isfinite(y).all():
        return plain_correlation(x, y, coefficient) if len(x) > 1 else found
    for one, other in np.ndindex(*found.shape):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        if both.sum() > 1:
            found[one, other] = plain_correlation(x[both, one, None], y[both, other, None], coefficient)[0, 0]
    return found


def group_correlations(items: Measured, coefficient: str) -> Array:
    """Within each group, shape (groups, metrics, criteria)."""
    found = [
        of_columns(items.scores[items.units == code], items.human[items.units == code], coefficient)
        for code in range(items.n_units)
    ]
    return np.array(found).reshape(items.n_units, len(items.metrics), len(items.criteria))


def nothing(items: Measured) -> Correlations:
    """Where the items have no such level."""
    shape = (len(items.metrics), len(items.criteria))
    empty = np.full(shape, np.nan)
    return Correlations(empty, empty, np.zeros(shape), np.zeros(shape), None)


def within_groups(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """In each group, then the mean over the groups where it is defined."""
    if items.group is None:
        return nothing(items)
    by_group = group_correlations(items, coefficient)
    defined = np.isfinite(by_group)
    filled = np.where(defined, by_group, 0.0).reshape(items.n_units, -1)
    known = defined.reshape(items.n_units, -1).astype(float)

    def mean(weights: Array) -> Array:
        number = weights @ known
        return np.where(number > 0, weights @ filled / np.where(number > 0, number, 1.0), np.nan)

    shape = by_group.shape[1:]
    estimate, number = mean(np.ones((1, items.n_units))).reshape(shape), defined.sum(axis=0).astype(float)
    squares = np.where(defined, (by_group - estimate) ** 2, 0.0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(estimate) / np.sqrt(squares / np.maximum(number - 1, 1) / number)
    p = np.where(number > 1, 2 * stats.t.sf(t, np.maximum(number - 1, 1)), np.nan)
    replicates = None if drawing is None else mean(weights_of(items, drawing)).T.reshape(*shape, -1)
    return Correlations(estimate, p, number, items.n_units - number, replicates)


def system_means(items: Measured, values: Array, weights: Array) -> Array:
    """Mean of each column over each system's items, shape (replicates, systems, columns)."""
    known, means = np.isfinite(values), np.full((len(weights), len(items.systems), values.shape[1]), np.nan)
    for code in range(len(items.systems)):
        inside = items.system == code
        number = weights[:, inside] @ known[inside].astype(float)
        total = weights[:, inside] @ np.where(known, values, 0.0)[inside]
        means[:, code] = np.where(number > 0, total / np.where(number > 0, number, 1.0), np.nan)
    return means


def over_systems(items: Measured, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Over the systems' means."""
    if items.system is None or len(items.systems) < 2:
        return nothing(items)
    every = np.ones((1, len(items.items)))
    x, y = (system_means(items, values, every)[0] for values in (items.scores, items.human))
    n = np.isfinite(x).astype(float).T @ np.isfinite(y).astype(float)
    estimate = of_columns(x, y, coefficient)
    p = np.full(estimate.shape, np.nan)
    for one, other in zip(*np.nonzero(np.isfinite(estimate)), strict=True):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        p[one, other] = t_test(float(estimate[one, other]), int(both.sum()))
        if coefficient == "kendall":
            p[one, other] = stats.kendalltau(settled(x[both, one]), settled(y[both, other])).pvalue
    replicates = None
    if drawing is not None:
        chunks = [
            drawn_over_systems(items, weights[:, items.units], (x, y), coefficient)
            for weights in drawing.unit_weights(items.n_units, len(items.items))
        ]
        replicates = np.moveaxis(np.concatenate(chunks), 0, -1)
    return Correlations(estimate, p, n, len(items.systems) - n, replicates)


def drawn_over_systems(
    items: Measured, weights: Array, known: tuple[Array, Array], coefficient: str
) -> Array:
    """Shape (replicates, metrics, criteria), over the systems that the estimate rests on."""
    x, y = (system_means(items, values, weights) for values in (items.scores, items.human))
    if all(np.isfinite(side).all() for side in known):
        return plain_correlation(x, y, coefficient)
    found = np.full((len(x), x.shape[2], y.shape[2]), np.nan)
    for one, other in np.ndindex(*found.shape[1:]):
        both = np.isfinite(known[0][:, one]) & np.isfinite(known[1][:, other])
        if both.sum() > 1:
            pair = plain_correlation(x[:, both, one, None], y[:, both, other, None], coefficient)
            found[:, one, other] = pair[:, 0, 0]
    return found


def meta_rows(items: Measured, level: str, coefficient: str, drawing: Drawing) -> list[Row]:
    """Every metric with every criterion at one level."""
    found = correlations(items, level, coefficient, drawing)
    rows = []
    for metric, criterion in np.ndindex(len(items.metrics), len(items.criteria)):
        place, name = (metric, criterion), items.criteria[criterion]
        valid, n = valid_of(items, place), int(found.n[place])
        estimate = float(found.estimate[place])
        limits = (math.nan, math.nan)
        if math.isfinite(estimate) and found.replicates is not None:
            limits = drawing.limits(found.replicates[place], items.unit, items.n_units)
        n_groups = 0 if items.group is None else len(np.unique(items.units[valid]))
        rows.append(
            {
                "criterion": name,
                "metric": items.metrics[metric],
                "level": level,
                "coefficient": coefficient,
                "estimate": estimate,
                "low": limits[0],
                "high": limits[1],
                "confidence": CONFIDENCE,
                "p": float(found.p[place]),
                "n_items": int(valid.sum()),
                "n_groups": n if level == "group" else n_groups,
                "n_systems": n if level == "system" else 0,
                "n_dropped": int(found.dropped[place]),
                **items.samples.get(name, {}),
            }
        )
    return rows


def levels_of(items: Measured) -> list[str]:
    """The levels that the items have."""
    return [
        level
        for level in LEVELS
        if level == "item" or (items.group is not None if level == "group" else len(items.systems) > 1)
    ]
