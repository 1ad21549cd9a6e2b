"""Correlations over items, within groups and over systems."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..arrays import Array, Row
from ..coefficients.correlation import (
    compute_t_test_p,
    correlate_columns,
    correlate_ranks,
    make_weighted_correlation,
    rank_weighted,
    round_significant,
)
from ..drawing import CONFIDENCE, Drawing, find_few_units
from .rated_items import RatedItems
from .significance import compute_tail_p
from .system_level import NOTHING, SystemInference

KENDALL_LIMIT = 3_000
LEVELS = ("item", "group", "system")
COEFFICIENTS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Correlations:
    """Correlations of every metric with every criterion, shape (metrics, criteria[, replicates])."""

    estimate: Array
    p: Array
    n: Array
    dropped: Array
    replicates: Array | None


def correlate(
    items: RatedItems, level: str, coefficient: str, drawing: Drawing | None = None
) -> Correlations:
    """Correlate at one level; with replicates if a drawing is given, but for systems."""
    if level == "system":
        return correlate_over_systems(items, coefficient)
    how = {"item": correlate_over_items, "group": correlate_within_groups}[level]
    return how(items, coefficient, drawing)


def find_complete_items(items: RatedItems, place: tuple[int, int]) -> Array:
    """Find the items that have both values."""
    return np.isfinite(items.scores[:, place[0]]) & np.isfinite(items.human[:, place[1]])


def draw_weights(items: RatedItems, drawing: Drawing) -> Array:
    """Draw unit weights, the same for every column so that differences are paired."""
    return np.concatenate(list(drawing.unit_weights(items.n_units, len(items.items))))


def correlate_over_items(items: RatedItems, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Correlate over all items that have both values."""
    shape = (len(items.metrics), len(items.criteria))
    estimate, p, n = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
    every = np.ones((1, items.n_units))
    weights = None if drawing is None else draw_weights(items, drawing)
    if coefficient == "kendall" and len(items.items) > KENDALL_LIMIT:
        weights = None
    replicates = None if weights is None else np.full((*shape, len(weights)), np.nan)
    ranks: dict[tuple[str, int, bytes], Array] = {}
    for cell in np.ndindex(*shape):
        valid = find_complete_items(items, (cell[0], cell[1]))
        n[cell] = valid.sum()
        if n[cell] < 2:
            continue
        x, y, unit = items.scores[valid, cell[0]], items.human[valid, cell[1]], items.units[valid]
        if coefficient == "kendall":
            tested = stats.kendalltau(round_significant(x), round_significant(y))
            estimate[cell], p[cell] = tested.statistic, tested.pvalue
        else:
            estimate[cell] = make_weighted_correlation(x, y, unit, items.n_units, coefficient)(every)[0]
            p[cell] = compute_t_test_p(float(estimate[cell]), len(x))
        if replicates is None or weights is None:
            continue
        if coefficient != "spearman":
            replicates[cell] = make_weighted_correlation(x, y, unit, items.n_units, coefficient)(weights)
            continue
        sides = []
        for side, column, values in (("scores", cell[0], x), ("human", cell[1], y)):
            key = (side, column, valid.tobytes())
            if key not in ranks:
                ranks[key] = rank_weighted(round_significant(values), weights[:, unit])
            sides.append(ranks[key])
        replicates[cell] = correlate_ranks(sides[0], sides[1], weights[:, unit])
    return Correlations(estimate, p, n, len(items.items) - n, replicates)


def correlate_complete(x: Array, y: Array, coefficient: str) -> Array:
    """Correlate two sets of columns over the points with both values, shape (p, q)."""
    found = np.full((x.shape[1], y.shape[1]), np.nan)
    if np.isfinite(x).all() and np.isfinite(y).all():
        return correlate_columns(x, y, coefficient) if len(x) > 1 else found
    for one, other in np.ndindex(*found.shape):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        if both.sum() > 1:
            found[one, other] = correlate_columns(x[both, one, None], y[both, other, None], coefficient)[0, 0]
    return found


def correlate_in_groups(items: RatedItems, coefficient: str) -> Array:
    """Correlate within each group, shape (groups, metrics, criteria)."""
    found = [
        correlate_complete(items.scores[items.units == code], items.human[items.units == code], coefficient)
        for code in range(items.n_units)
    ]
    return np.array(found).reshape(items.n_units, len(items.metrics), len(items.criteria))


def make_undefined(items: RatedItems) -> Correlations:
    """Return undefined correlations for items that lack a level."""
    shape = (len(items.metrics), len(items.criteria))
    empty = np.full(shape, np.nan)
    return Correlations(empty, empty, np.zeros(shape), np.zeros(shape), None)


def correlate_within_groups(items: RatedItems, coefficient: str, drawing: Drawing | None) -> Correlations:
    """Average the correlations within groups over the groups where they are defined."""
    if items.group is None:
        return make_undefined(items)
    by_group = correlate_in_groups(items, coefficient)
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
    replicates = None if drawing is None else mean(draw_weights(items, drawing)).T.reshape(*shape, -1)
    return Correlations(estimate, p, number, items.n_units - number, replicates)


def compute_system_means(items: RatedItems, values: Array, weights: Array) -> Array:
    """Average each column over each system's items, shape (replicates, systems, columns)."""
    known, means = np.isfinite(values), np.full((len(weights), len(items.systems), values.shape[1]), np.nan)
    for code in range(len(items.systems)):
        inside = items.system == code
        number = weights[:, inside] @ known[inside].astype(float)
        total = weights[:, inside] @ np.where(known, values, 0.0)[inside]
        means[:, code] = np.where(number > 0, total / np.where(number > 0, number, 1.0), np.nan)
    return means


def correlate_over_systems(items: RatedItems, coefficient: str) -> Correlations:
    """Correlate the means of the systems."""
    if items.system is None or len(items.systems) < 2:
        return make_undefined(items)
    every = np.ones((1, len(items.items)))
    x, y = (compute_system_means(items, values, every)[0] for values in (items.scores, items.human))
    n = np.isfinite(x).astype(float).T @ np.isfinite(y).astype(float)
    estimate = correlate_complete(x, y, coefficient)
    p = np.full(estimate.shape, np.nan)
    for one, other in zip(*np.nonzero(np.isfinite(estimate)), strict=True):
        both = np.isfinite(x[:, one]) & np.isfinite(y[:, other])
        p[one, other] = compute_t_test_p(float(estimate[one, other]), int(both.sum()))
        if coefficient == "kendall":
            p[one, other] = stats.kendalltau(
                round_significant(x[both, one]), round_significant(y[both, other])
            ).pvalue
    return Correlations(estimate, p, n, len(items.systems) - n, None)


def make_meta_rows(items: RatedItems, level: str, coefficient: str, drawing: Drawing) -> list[Row]:
    """Make a row for every metric and criterion at one level."""
    found = correlate(items, level, coefficient, drawing)
    systems = SystemInference(items, coefficient, drawing) if level == "system" else None
    rows = []
    for metric, criterion in np.ndindex(len(items.metrics), len(items.criteria)):
        pair, name = (metric, criterion), items.criteria[criterion]
        valid, n = find_complete_items(items, pair), int(found.n[pair])
        estimate = float(found.estimate[pair])
        these, new = (math.nan, math.nan, float(found.p[pair])), NOTHING
        if systems is not None:
            these, new = systems.infer(pair, estimate) if math.isfinite(estimate) else (NOTHING, NOTHING)
        elif math.isfinite(estimate) and found.replicates is not None:
            limits = drawing.limits(found.replicates[pair], items.n_units)
            if math.isfinite(limits[0]):
                these = (*limits, compute_tail_p(found.replicates[pair]))
        n_groups = 0 if items.group is None else len(np.unique(items.units[valid]))
        rows.append(
            {
                "criterion": name,
                "metric": items.metrics[metric],
                "level": level,
                "coefficient": coefficient,
                "estimate": estimate,
                "low": these[0],
                "high": these[1],
                "confidence": CONFIDENCE,
                "p": math.nan if level == "item" and items.group is not None else these[2],
                "new_systems_low": new[0],
                "new_systems_high": new[1],
                "new_systems_p": new[2],
                "n_items": int(valid.sum()),
                "n_groups": n if level == "group" else n_groups,
                "n_systems": n if level == "system" else 0,
                "n_dropped": int(found.dropped[pair]),
                "cautions": find_cautions(items, systems, pair),
                **items.samples.get(name, {}),
            }
        )
    return rows


def find_cautions(items: RatedItems, systems: SystemInference | None, pair: tuple[int, int]) -> list[str]:
    """Find the cautions of the interval of a correlation."""
    few = find_few_units(items.n_units, grouped=items.group is not None)
    return few if systems is None else systems.find_cautions(pair, few)


def list_levels(items: RatedItems) -> list[str]:
    """List the levels at which the items can be correlated."""
    return [
        level
        for level in LEVELS
        if level == "item" or (items.group is not None if level == "group" else len(items.systems) > 1)
    ]
