"""Coefficients from pairs of ratings of an item by different raters, under multiplicities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Array
from ...ratings import Ratings


@dataclass(frozen=True)
class Pairs:
    """Every two ratings of the same item, ordered by item."""

    one: Array
    other: Array
    item: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Pairs:
        """Pair the ratings of each item, which are next to each other."""
        starts, found = np.cumsum(ratings.sizes) - ratings.sizes, []
        for item in np.flatnonzero(ratings.sizes >= 2):
            one, other = np.triu_indices(int(ratings.sizes[item]), 1)
            found.append(np.stack([starts[item] + one, starts[item] + other, np.full(len(one), item)]))
        return cls(*np.concatenate(found, axis=1))


def compute_from_pairs(ratings: Ratings, pairs: Pairs, items: Array, raters: Array) -> dict[str, Array]:
    """Compute each coefficient of items and raters that come so often, shape (number, replicates)."""
    size = sum_by(ratings.item, raters[ratings.rater], ratings.n_items)
    weight = raters[ratings.rater[pairs.one]] * raters[ratings.rater[pairs.other]]
    all_pairs = sum_by(pairs.item, weight, ratings.n_items)
    taken = items * (all_pairs > 0)
    share = weight / np.where(all_pairs > 0, all_pairs, 1.0)[pairs.item]
    q, code, points = len(ratings.categories), ratings.code, ratings.categories
    of_rating = taken[ratings.item] * raters[ratings.rater]
    marginals = sum_by(code, of_rating, q)
    total = marginals.sum(axis=0)
    varied = (marginals > 0).sum(axis=0) > 1
    positions = np.cumsum(marginals, axis=0) - marginals / 2

    def over_items(of_pair: Array, by_size: Array | float) -> Array:
        within = sum_by(pairs.item, share * of_pair, ratings.n_items)
        return ratio((taken * by_size * within).sum(axis=0), (taken * by_size).sum(axis=0))

    def alpha(places: Array) -> Array:
        distances = (places[code[pairs.one]] - places[code[pairs.other]]) ** 2
        between = (places[:, None] - places[None]) ** 2
        by_chance = (marginals[:, None] * marginals[None] * between).sum(axis=(0, 1))
        by_chance = ratio(by_chance, total**2 - (of_rating**2).sum(axis=0))
        defined = varied & (by_chance > 0)
        return np.where(defined, 1 - over_items(distances, size) / np.where(defined, by_chance, 1.0), np.nan)

    def agreement(weights: Array) -> Array:
        return over_items(weights[code[pairs.one], code[pairs.other]][:, None], 1.0)

    distance = np.abs(points[:, None] - points)
    equal, close = np.eye(q), 1 - (distance / (distance.max() or 1.0)) ** 2
    exact, near = agreement(equal), agreement(close)
    rated = items * (size > 0)
    of_each = (rated / np.where(size > 0, size, 1.0))[ratings.item] * raters[ratings.rater]
    means = sum_by(code, of_each, q) / np.maximum(rated.sum(axis=0), 1.0)
    spread = (means * (1 - means)).sum(axis=0) / max(q * (q - 1), 1)
    same = np.where(varied, (ratio(marginals, total) ** 2).sum(axis=0), np.nan)
    return {
        "alpha ordinal": alpha(positions),
        "alpha interval": alpha(np.broadcast_to(points[:, None], marginals.shape)),
        "fleiss": beyond(exact, same),
        "ac1": beyond(exact, equal.sum() * spread),
        "ac2": beyond(near, close.sum() * spread),
        "kappa_n": beyond(near, close.mean()),
        "exact": exact,
        "within_one": agreement((distance <= 1).astype(float)),
    }


def sum_by(code: Array, values: Array, n: int) -> Array:
    """Sum rows of the same code, shape (codes, replicates)."""
    found = np.zeros((n, values.shape[1]))
    np.add.at(found, code, values)
    return found


def ratio(above: Array, below: Array) -> Array:
    """Divide; NaN where there is nothing below."""
    return np.asarray(np.where(below > 0, above / np.where(below > 0, below, 1.0), np.nan))


def beyond(observed: Array, expected: Array | float) -> Array:
    """Correct agreement for chance."""
    return np.asarray(ratio(observed - expected, np.asarray(1 - expected)))
