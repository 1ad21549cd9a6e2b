"""Differences of two reliabilities of the same items."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing, draw_units
from ..ratings import Ratings
from .alpha import compute_alphas
from .patterns import Patterns, is_not_comparable

CHUNK = 200
AC2 = "ac2-quadratic"
Weighted = tuple[Ratings, Callable[[Array], Array]]


def compute_difference(first: Ratings, second: Ratings, name: str, drawing: Drawing) -> Row:
    """Compute a coefficient of two sets of ratings and the limits of its difference."""
    sides = [weigh(ratings, name) for ratings in (first, second)]
    values = [math.nan if one is None else float(one[1](np.ones((1, one[0].n_items)))[0]) for one in sides]
    shared = len(set(first.items) & set(second.items))
    row: Row = {
        "first": values[0],
        "second": values[1],
        "estimate": values[0] - values[1],
        "n_first": first.n_items,
        "n_second": second.n_items,
        "n_shared": shared,
    }
    limits = dict.fromkeys(("low", "high", "low_90", "high_90"), math.nan)
    if sides[0] is None or sides[1] is None or not math.isfinite(row["estimate"]):
        return row | limits
    units = share_units([one[0] for one in sides if one is not None])
    n_units = int(max(own.max() for own in units)) + 1
    generator, found = drawing.stream("difference", "paired"), []
    for start in range(0, drawing.replicates, CHUNK):
        size = min(CHUNK, drawing.replicates - start)
        drawn = draw_units(generator, np.ones(n_units, int), size).T
        both = [replicate(one[1], drawn[:, own]) for one, own in zip(sides, units, strict=True) if one]
        found.append(both[0] - both[1])
    differences = np.concatenate(found)
    limits["low"], limits["high"] = drawing.limits(differences, n_units)
    if math.isfinite(limits["low"]):
        narrow = np.quantile(differences[np.isfinite(differences)], (0.05, 0.95))
        limits["low_90"], limits["high_90"] = map(float, narrow)
    return row | limits


def replicate(statistic: Callable[[Array], Array], weights: Array) -> Array:
    """Compute the statistic in each replicate in which two items were drawn."""
    enough = (weights > 0).sum(axis=1) > 1
    values = np.full(len(weights), math.nan)
    if enough.any():
        values[enough] = statistic(weights[enough])
    return values


def share_units(both: Sequence[Ratings]) -> list[Array]:
    """Number the units of two sets: items are drawn together if they have a group or a name in common."""
    labels = sorted({str(label) for ratings in both for label in ratings.items})
    root = {label: label for label in labels}

    def find(label: str) -> str:
        while root[label] != label:
            label = root[label]
        return label

    for ratings in both:
        first: dict[int, str] = {}
        for label, group in zip(
            ratings.items, ratings.group if ratings.group is not None else (), strict=False
        ):
            one, other = sorted((find(str(label)), find(first.setdefault(int(group), str(label)))))
            root[other] = one
    numbers = {label: place for place, label in enumerate(dict.fromkeys(find(label) for label in labels))}
    return [np.array([numbers[find(str(label))] for label in ratings.items]) for ratings in both]


def weigh(ratings: Ratings, name: str) -> Weighted | None:
    """Prepare a coefficient for items with weights; None if the ratings have none."""
    if name.startswith("icc2"):
        lacking = not ratings.identified or is_not_comparable(ratings, ratings.pairable())
        if lacking or not ratings.is_complete:
            return None
        return ratings, lambda weights: weigh_icc2(ratings, weights, mean=name.endswith("k"))
    used = ratings if name == AC2 else ratings.pairable()
    few = len(ratings.raters) < 2 or (ratings.sizes >= 2).sum() < 2
    if few or (name != AC2 and is_not_comparable(ratings, used)):
        return None
    if name in (AC2, "fleiss") and not ratings.has_categories:
        return None
    if name.startswith("alpha-"):
        level, items = name.removeprefix("alpha-"), Patterns(count_values(used), np.ones(used.n_items), None)
        return used, lambda weights: compute_alphas(weights, items, used.categories, level)
    compute = weigh_ac2 if name == AC2 else weigh_fleiss
    return used, lambda weights: compute(count_values(used), used.categories, weights)


def count_values(ratings: Ratings) -> Array:
    """Count each value of each item."""
    counts = np.zeros((ratings.n_items, len(ratings.categories)))
    np.add.at(counts, (ratings.item, ratings.code), 1.0)
    return counts


def weigh_fleiss(counts: Array, _values: Array, weights: Array) -> Array:
    """Compute Fleiss' κ for each row of weights."""
    sizes = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (sizes * (sizes - 1))
    shares = weights @ counts
    chance = ((shares / shares.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    several = (shares > 0).sum(axis=1) > 1
    kappa = (weights @ agreeing / weights.sum(axis=1) - chance) / np.where(several, 1 - chance, 1.0)
    return np.where(several, kappa, math.nan)


def weigh_ac2(counts: Array, values: Array, weights: Array) -> Array:
    """Compute AC2 with quadratic weights for each row of weights."""
    q, sizes = len(values), counts.sum(axis=1)
    distances = np.abs(values[:, None] - values)
    agreeing = 1 - (distances / distances.max()) ** 2 if q > 1 else np.eye(q)
    paired = sizes > 1
    within = (counts * (counts @ agreeing - 1)).sum(axis=1) / np.where(paired, sizes * (sizes - 1), 1)
    number = weights @ paired
    observed = np.where(number > 0, weights @ (within * paired) / np.where(number > 0, number, 1), math.nan)
    shares = weights @ (counts / sizes[:, None]) / weights.sum(axis=1, keepdims=True)
    chance = agreeing.sum() / max(q * (q - 1), 1) * (shares * (1 - shares)).sum(axis=1)
    return np.asarray((observed - chance) / (1 - chance))


def weigh_icc2(ratings: Ratings, weights: Array, *, mean: bool) -> Array:
    """Compute ICC2 of complete ratings for each row of weights, from the drawn table."""
    k = len(ratings.raters)
    table = ratings.value.reshape(ratings.n_items, k)
    found = []
    for own in weights:
        drawn = np.repeat(table, own.astype(int), axis=0)
        n = len(drawn)
        centre, of_item, of_rater = drawn.mean(), drawn.mean(axis=1), drawn.mean(axis=0)
        rows = k * ((of_item - centre) ** 2).sum() / (n - 1)
        columns = n * ((of_rater - centre) ** 2).sum() / (k - 1)
        left = drawn - of_item[:, None] - of_rater + centre
        error = (left**2).sum() / ((n - 1) * (k - 1))
        below = rows + (k - 1) * error + k * (columns - error) / n
        single = (rows - error) / below if below > 1e-13 * (rows + error) else math.nan
        averaged = k * single / (1 + (k - 1) * single) if 1 + (k - 1) * single > 0 else math.nan
        found.append(averaged if mean else single)
    return np.array(found)
