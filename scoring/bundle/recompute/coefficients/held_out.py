"""Correlation of each rater with the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing, draw_units
from ..ratings import Ratings, make_figure, make_undefined_figure
from .correlation import ROUNDING, collect_moments, compute_weighted_pearson, correlate_ranks, rank_weighted

MINIMUM_SHARED = 10
# The maximum has no limits if fewer replicates are at or below it. Within so many standard errors of that
# share, and not at 0, a fixed seed decides.
LEAST_BELOW, NEAR, DECIDING, DECIDING_SEED = 0.2, 5, 1000, 0


def compute_held_out(ratings: Ratings, drawing: Drawing) -> list[Row]:
    """Correlate each rater with the mean of the others; add the mean and maximum over raters."""
    keys = ("held_out_pearson", "held_out_spearman")
    pairable = ratings.pairable()
    has_pairs = len(ratings.raters) >= 2 and len(pairable.value) > 0
    if not ratings.identified or not has_pairs or pairable.constant:
        return [make_undefined_figure(pairable, key, variant) for key in keys for variant in ("mean", "max")]
    sides = [compare_with_others(pairable, code) for code in range(len(pairable.raters))]
    agreeing = [not pairable.spread_within[side.item].any() for side in sides]
    units = Units.of(pairable)
    replicates = draw_held_out(sides, units, drawing, pairable.name)
    fixed = replace(drawing, seed=DECIDING_SEED, replicates=DECIDING)
    rows: list[Row] = []
    for position, key in enumerate(keys):
        estimates = np.array([side.correlations(np.ones((1, len(side.x))))[position][0] for side in sides])
        estimates[[len(side.x) < MINIMUM_SHARED for side in sides]] = np.nan
        estimates[np.array(agreeing) & np.isfinite(estimates)] = 1.0
        biased = is_maximum_biased(estimates, replicates[position])
        if biased is None:
            deciding = draw_held_out(sides, units, fixed, pairable.name)[position]
            biased = is_maximum_biased(estimates, deciding, decides=True)
        rows += summarise_raters(
            pairable, key, estimates, replicates[position], drawing, units.n, biased=biased
        )
        for code, rater in enumerate(pairable.raters):
            limits = drawing.limits(replicates[position][code], units.n)
            limits = limits if math.isfinite(estimates[code]) else (math.nan, math.nan)
            row = make_figure(pairable, key, f"rater:{rater}", float(estimates[code]), limits)
            rows.append(
                {**row, "n_items": len(sides[code].x), "n_raters": 1, "n_ratings": len(sides[code].x)}
            )
    return rows


@dataclass(frozen=True)
class Side:
    """One rater's values with the mean of the other raters."""

    item: Array
    rating: Array
    x: Array
    y: Array

    def correlations(self, weights: Array) -> tuple[Array, Array]:
        """Compute Pearson and Spearman for each row of weights of the rater's items."""
        ranks = [rank_weighted(np.round(values / ROUNDING), weights) for values in (self.x, self.y)]
        return compute_weighted_pearson(weights, collect_moments(self.x, self.y)), correlate_ranks(
            ranks[0], ranks[1], weights
        )


def compare_with_others(ratings: Ratings, code: int) -> Side:
    """Pair one rater's ratings with the others' means, scaled and centred."""
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
    """Resampling units: groups, items, or kinds of items that the same raters rated alike."""

    of_item: Array
    frequency: Array
    represents: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Units:
        """Find the units; kinds are used if there are at most a tenth as many as items."""
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
        """Number of units to draw."""
        return int(self.frequency.sum())


def draw_held_out(sides: Sequence[Side], units: Units, drawing: Drawing, name: str) -> tuple[Array, Array]:
    """Compute replicates of both correlations, shape (raters, replicates), sixteen a stream."""
    full, rest = divmod(drawing.replicates, 16)
    sizes = [16] * full + [rest] * (rest > 0)
    at_once = max(1, 20_000_000 // (16 * max(len(units.frequency), 1)))
    chosen = [units.represents[side.item] for side in sides]
    counting = [
        Side(side.item[own], side.rating[own], side.x[own], side.y[own])
        for side, own in zip(sides, chosen, strict=True)
    ]
    found = np.full((2, len(sides), drawing.replicates), np.nan)
    for start in range(0, len(sizes), at_once):
        drawn = [
            draw_units(drawing.stream(name, "held_out", str(piece)), units.frequency, sizes[piece])
            for piece in range(start, min(start + at_once, len(sizes)))
        ]
        weights = np.concatenate(drawn, axis=1)
        columns = slice(16 * start, 16 * start + weights.shape[1])
        for code, side in enumerate(counting):
            if len(side.x):
                found[:, code, columns] = side.correlations(weights[units.of_item[side.item]].T)
    return found[0], found[1]


def is_maximum_biased(estimates: Array, replicates: Array, *, decides: bool = False) -> bool | None:
    """Whether too few replicates of the maximum are at or below it; None if a fixed seed has to decide."""
    averaged = np.isfinite(estimates)
    if not averaged.any():
        return False
    over = reduce_over_raters(replicates[averaged], "max")
    share = float(np.mean(over <= estimates[averaged].max()))
    error = math.sqrt(LEAST_BELOW * (1 - LEAST_BELOW) / len(over))
    if not decides and abs(share - LEAST_BELOW) < min(NEAR * error, LEAST_BELOW):
        return None
    return share < LEAST_BELOW


def summarise_raters(
    ratings: Ratings,
    key: str,
    estimates: Array,
    replicates: Array,
    drawing: Drawing,
    n_units: int,
    *,
    biased: bool | None,
) -> list[Row]:
    """Compute mean and maximum over the raters with enough items; a biased maximum has no limits."""
    averaged = np.isfinite(estimates)
    chosen = averaged[ratings.rater]
    sample = {
        "n_items": len(np.unique(ratings.item[chosen])),
        "n_raters": int(averaged.sum()),
        "n_ratings": int(chosen.sum()),
    }
    rows = []
    for variant in ("mean", "max"):
        row = make_undefined_figure(ratings, key, variant)
        if averaged.any():
            estimate = float(estimates[averaged].mean() if variant == "mean" else estimates[averaged].max())
            over = reduce_over_raters(replicates[averaged], variant)
            limits = drawing.limits(over, n_units)
            if variant == "max" and biased:
                limits = (math.nan, math.nan)
            row = make_figure(ratings, key, variant, estimate, limits)
        rows.append({**row, **sample})
    return rows


def reduce_over_raters(replicates: Array, variant: str) -> Array:
    """Compute the mean or maximum of the defined correlations in each replicate."""
    defined = np.isfinite(replicates)
    number = defined.sum(axis=0)
    if variant == "mean":
        found = np.where(defined, replicates, 0.0).sum(axis=0) / np.maximum(number, 1)
    else:
        found = np.where(defined, replicates, -math.inf).max(axis=0)
    return np.where(number > 0, found, np.nan)
