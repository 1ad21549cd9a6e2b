"""Agreement of raters among themselves, as a ceiling for metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Array, Row
from ..coefficients.correlation import make_weighted_correlation
from ..coefficients.held_out import MINIMUM_SHARED
from ..coefficients.icc.forms import compute_iccs
from ..drawing import Drawing
from ..ratings import Ratings

SPLITS = 50


def compute_ceiling(ratings: Ratings, drawing: Drawing) -> Row:
    """Compute the raters' agreement: split half, leave one out, and √reliability."""
    pairable = ratings.pairable()
    lacking = len(ratings.raters) < 2 or pairable.n_items < 2 or pairable.constant
    halves = None if lacking else compute_split_half(pairable, drawing)
    return {
        "criterion": ratings.name,
        "split_half": halves or make_ceiling_row(pairable, math.nan, (math.nan, math.nan)),
        "leave_one_out": compute_leave_one_out(pairable, drawing, lacking=lacking),
        "upper_bound": compute_upper_bound(ratings, drawing),
    }


def make_ceiling_row(ratings: Ratings, estimate: float, limits: tuple[float, float]) -> Row:
    """Make a row of the ceiling."""
    n_groups = 0 if ratings.group is None or not ratings.n_items else int(ratings.group.max()) + 1
    return {
        "estimate": estimate,
        "low": limits[0],
        "high": limits[1],
        "n_groups": n_groups,
        **ratings.numbers(),
    }


def average_defined(parts: Sequence[Array]) -> Array:
    """Average the defined parts, replicate by replicate."""
    values = np.stack(parts)
    defined = np.isfinite(values)
    number = defined.sum(axis=0)
    return np.where(number > 0, np.where(defined, values, 0.0).sum(axis=0) / np.maximum(number, 1), np.nan)


def get_units(ratings: Ratings) -> tuple[Array, int]:
    """Return the unit of each item and the number of units."""
    unit = np.arange(ratings.n_items) if ratings.group is None else ratings.group
    return unit, int(unit.max()) + 1


def compute_split_half(ratings: Ratings, drawing: Drawing) -> Row | None:
    """Correlate fifty random halves and step up; complete tables are split by rater."""
    generator, half_size = drawing.stream(ratings.name, "halves"), ratings.sizes // 2
    step = float(ratings.sizes.mean()) * float(np.mean(1 / half_size))
    unit, n_units = get_units(ratings)
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    by_person = ratings.identified and ratings.is_complete
    correlate = []
    for _ in range(SPLITS):
        key = generator.random(len(ratings.raters) if by_person else len(ratings.item))
        order = np.lexsort((key[ratings.rater] if by_person else key, ratings.item))
        rank = np.empty(len(ratings.item), dtype=int)
        rank[order] = np.arange(len(ratings.item)) - starts[ratings.item[order]]
        half = rank // half_size[ratings.item]
        means = [
            np.bincount(ratings.item[half == side], ratings.value[half == side], ratings.n_items) / half_size
            for side in (0, 1)
        ]
        correlate.append(make_weighted_correlation(means[0], means[1], unit, n_units, "pearson"))

    def stepped_up(weights: Array) -> Array:
        r = average_defined([one(weights) for one in correlate])
        below = 1 + (step - 1) * r
        return np.where(below > 0, step * r / np.where(below > 0, below, 1.0), np.nan)

    estimate = float(stepped_up(np.ones((1, n_units)))[0])
    if math.isnan(estimate):
        return None
    replicates = np.concatenate([stepped_up(one) for one in drawing.unit_weights(n_units, ratings.n_items)])
    return make_ceiling_row(ratings, estimate, drawing.limits(replicates, n_units))


def compute_leave_one_out(ratings: Ratings, drawing: Drawing, *, lacking: bool) -> Row:
    """Average the correlation of each rater (or slot) with the mean of the others."""
    nothing_there = make_ceiling_row(ratings, math.nan, (math.nan, math.nan))
    shared = np.bincount(ratings.rater, minlength=len(ratings.raters))
    if lacking or shared.max(initial=0) < MINIMUM_SHARED:
        return nothing_there
    unit, n_units = get_units(ratings)
    sums = np.bincount(ratings.item, ratings.value)
    others = (sums[ratings.item] - ratings.value) / (ratings.sizes[ratings.item] - 1)
    chosen = [ratings.rater == code for code in np.flatnonzero(shared >= MINIMUM_SHARED)]
    correlate = [
        make_weighted_correlation(
            ratings.value[own], others[own], unit[ratings.item[own]], n_units, "pearson"
        )
        for own in chosen
    ]
    estimate = float(average_defined([one(np.ones((1, n_units))) for one in correlate])[0])
    if math.isnan(estimate):
        return nothing_there
    replicates = np.concatenate(
        [
            average_defined([one(weights) for one in correlate])
            for weights in drawing.unit_weights(n_units, len(ratings.value))
        ]
    )
    taken = np.any(chosen, axis=0)
    row = make_ceiling_row(ratings, estimate, drawing.limits(replicates, n_units))
    raters = len(chosen)
    return {
        **row,
        "n_items": len(np.unique(ratings.item[taken])),
        "n_raters": raters,
        "n_ratings": int(taken.sum()),
    }


def compute_upper_bound(ratings: Ratings, drawing: Drawing) -> Row:
    """Compute √ICC3k of complete tables of persons, otherwise √ICC1k."""
    as_persons = ratings.identified and ratings.is_complete
    keys = ("icc2", "icc2k", "icc3", "icc3k") if as_persons else ("icc1", "icc1k")
    found = compute_iccs(ratings, keys, drawing)[-1]
    if math.isnan(found["estimate"]) or found["estimate"] < 0:
        return make_ceiling_row(ratings, math.nan, (math.nan, math.nan))
    limits = found["low"], found["high"]
    if not math.isnan(limits[0]):
        limits = math.sqrt(max(limits[0], 0.0)), math.sqrt(max(limits[1], 0.0))
    return make_ceiling_row(ratings, math.sqrt(found["estimate"]), limits)
