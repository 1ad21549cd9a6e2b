"""Correlation of each rater with the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing, drawn_units
from ..ratings import Ratings, figure, refused
from .correlation import ROUNDING, moments, pearson_of, rank_correlation, weighted_ranks
from .patterns import not_comparable

MINIMUM_SHARED = 10


def held_out(ratings: Ratings, drawing: Drawing) -> list[Row]:
    """Each rater against the mean of the other raters of the same item; mean and greatest of these."""
    keys = ("held_out_pearson", "held_out_spearman")
    pairable = ratings.pairable()
    if not ratings.identified or not_comparable(ratings, pairable):
        return [refused(pairable, key, variant) for key in keys for variant in ("mean", "max")]
    sides = [one_against_others(pairable, code) for code in range(len(pairable.raters))]
    agreeing = [not pairable.spread_within[side.item].any() for side in sides]
    units = Units.of(pairable)
    replicates = held_out_replicates(sides, units, drawing, pairable.name)
    rows: list[Row] = []
    for place, key in enumerate(keys):
        estimates = np.array([side.correlations(np.ones((1, len(side.x))))[place][0] for side in sides])
        estimates[[len(side.x) < MINIMUM_SHARED for side in sides]] = np.nan
        estimates[np.array(agreeing) & np.isfinite(estimates)] = 1.0
        rows += summaries(pairable, key, estimates, replicates[place], drawing, units.n)
        for code, rater in enumerate(pairable.raters):
            limits = drawing.limits(replicates[place][code], pairable.unit, units.n)
            limits = limits if math.isfinite(estimates[code]) else (math.nan, math.nan)
            row = figure(pairable, key, f"rater:{rater}", float(estimates[code]), limits)
            rows.append(
                {**row, "n_items": len(sides[code].x), "n_raters": 1, "n_ratings": len(sides[code].x)}
            )
    return rows


@dataclass(frozen=True)
class Side:
    """One rater's values beside the mean of the others."""

    item: Array
    rating: Array
    x: Array
    y: Array

    def correlations(self, weights: Array) -> tuple[Array, Array]:
        """Pearson and Spearman for each row of weights of the rater's items."""
        ranks = [weighted_ranks(np.round(values / ROUNDING), weights) for values in (self.x, self.y)]
        return pearson_of(weights, moments(self.x, self.y)), rank_correlation(ranks[0], ranks[1], weights)


def one_against_others(ratings: Ratings, code: int) -> Side:
    """The pairs of one rater, scaled by the greatest rating and centred."""
    own = np.flatnonzero(ratings.rater == code)
    item, x = ratings.item[own], ratings.value[own]
    sums = np.bincount(ratings.item, ratings.value)
    y = (sums[item] - x) / (ratings.sizes[item] - 1)
    scale = float(np.abs(ratings.value).max()) or 1.0

    def prepared(values: Array) -> Array:
        rounded = np.round(values / scale / ROUNDING) * ROUNDING
        differences = rounded - rounded.mean()
        return np.where(np.abs(differences) > ROUNDING, differences, 0.0)

    return Side(item, own, prepared(x), prepared(y))


@dataclass(frozen=True)
class Units:
    """What is drawn: groups, items, or kinds of items that the same raters rated alike."""

    of_item: Array
    frequency: Array
    represents: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Units:
        """Kinds where they are at most a tenth of the items."""
        if ratings.group is not None:
            return cls(
                ratings.group,
                np.ones(int(ratings.group.max()) + 1, dtype=int),
                np.ones(ratings.n_items, bool),
            )
        answers = ratings.rater * len(ratings.categories) + ratings.code
        starts = np.cumsum(ratings.sizes) - ratings.sizes
        of_item, found = np.empty(ratings.n_items, dtype=int), 0
        for size in np.unique(ratings.sizes):
            items = np.flatnonzero(ratings.sizes == size)
            rows = answers[starts[items][:, None] + np.arange(size)]
            distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
            of_item[items] = found + inverse.ravel()
            found += len(distinct)
        if found > 0.1 * ratings.n_items:
            single = np.arange(ratings.n_items)
            return cls(single, np.ones(ratings.n_items, dtype=int), np.ones(ratings.n_items, bool))
        represents = np.zeros(ratings.n_items, dtype=bool)
        represents[np.unique(of_item, return_index=True)[1]] = True
        return cls(of_item, np.bincount(of_item), represents)

    @property
    def n(self) -> int:
        """Units to draw."""
        return int(self.frequency.sum())


def held_out_replicates(
    sides: Sequence[Side], units: Units, drawing: Drawing, name: str
) -> tuple[Array, Array]:
    """Replicates of both correlations, shape (raters, replicates); sixteen from each stream."""
    full, rest = divmod(drawing.replicates, 16)
    sizes = [16] * full + [rest] * (rest > 0)
    at_once = max(1, 20_000_000 // (16 * max(len(units.frequency), 1)))
    chosen = [units.represents[side.item] for side in sides]
    kept = [
        Side(side.item[own], side.rating[own], side.x[own], side.y[own])
        for side, own in zip(sides, chosen, strict=True)
    ]
    found = np.full((2, len(sides), drawing.replicates), np.nan)
    for start in range(0, len(sizes), at_once):
        drawn = [
            drawn_units(drawing.stream(name, "held_out", str(piece)), units.frequency, sizes[piece])
            for piece in range(start, min(start + at_once, len(sizes)))
        ]
        weights = np.concatenate(drawn, axis=1)
        columns = slice(16 * start, 16 * start + weights.shape[1])
        for code, side in enumerate(kept):
            if len(side.x):
                found[:, code, columns] = side.correlations(weights[units.of_item[side.item]].T)
    return found[0], found[1]


def summaries(
    ratings: Ratings, key: str, estimates: Array, replicates: Array, drawing: Drawing, n_units: int
) -> list[Row]:
    """Mean and greatest over the raters with enough items."""
    averaged = np.isfinite(estimates)
    chosen = averaged[ratings.rater]
    sample = {
        "n_items": len(np.unique(ratings.item[chosen])),
        "n_raters": int(averaged.sum()),
        "n_ratings": int(chosen.sum()),
    }
    rows = []
    for variant in ("mean", "max"):
        row = refused(ratings, key, variant)
        if averaged.any():
            estimate = float(estimates[averaged].mean() if variant == "mean" else estimates[averaged].max())
            over = over_raters(replicates[averaged], variant)
            limits = drawing.limits(over, ratings.unit, n_units)
            if variant == "max" and np.mean(over <= estimate) < 0.2:
                limits = (math.nan, math.nan)
            row = figure(ratings, key, variant, estimate, limits)
        rows.append({**row, **sample})
    return rows


def over_raters(replicates: Array, variant: str) -> Array:
    """Mean or greatest of the defined correlations of each replicate."""
    defined = np.isfinite(replicates)
    number = defined.sum(axis=0)
    if variant == "mean":
        found = np.where(defined, replicates, 0.0).sum(axis=0) / np.maximum(number, 1)
    else:
        found = np.where(defined, replicates, -math.inf).max(axis=0)
    return np.where(number > 0, found, np.nan)
