"""Groups of raters compared: their means, their agreement, and how much disagreement lies between groups."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray, Resampling
from scoring.stats.base.result import (
    ANONYMOUS_RATERS,
    CONSTANT_RATINGS,
    TOO_FEW_GROUPS,
    TOO_FEW_RATERS,
    TOO_MANY_RATERS,
    Figure,
)
from scoring.stats.data.table import Ratings

# A group of fewer raters says too much about each of them, and too little about the group.
FEWEST_RATERS = 5
# Matrices of raters by raters are drawn again for each permutation.
MOST_RATERS = 200
PERMUTATIONS = 999


@dataclass(frozen=True)
class RaterGroup:
    """The ratings of one group."""

    name: str
    n_raters: int
    n_items: int
    n_ratings: int
    mean: float  # Of the group's item means
    difference: float  # Mean difference from the other raters' means of the same items; NaN if they are few
    n_shared: int  # Items that both the group and other raters have rated
    agreement: Figure  # α within the group


@dataclass(frozen=True)
class Disagreement:
    """Disagreement of two raters about the same item, as a mean squared difference."""

    within: float  # Of two raters of one group
    between: float  # Of two raters of different groups
    share: float  # Share of the disagreement between groups that is not there within; negative by chance
    p: float  # One-sided p of no more disagreement between groups than within, by permutation of the raters
    n_raters: int
    reason: str = ""


@dataclass(frozen=True)
class Perspectives:
    """The groups that may be shown, those that may not, and the disagreement between the groups."""

    groups: list[RaterGroup]
    suppressed: int  # Groups of too few raters
    suppressed_raters: int  # Raters in them
    disagreement: Disagreement


def compare_groups(
    ratings: Ratings,
    group_of: Mapping[str, str],
    *,
    level: Level,
    seed: int,
    fewest: int = FEWEST_RATERS,
    permutations: int = PERMUTATIONS,
) -> Perspectives:
    """Compare groups of raters on one criterion.

    Parameters
    ----------
    ratings : Ratings
        Of identified raters.
    group_of : mapping of str to str
        Group of each rater label; raters without one are in no group, but among the others.
    level : Level
        Level of measurement of α.
    seed : int
        Of the bootstrap and the permutations.
    fewest : int
        Groups of fewer raters are counted and not shown.
    permutations : int
        Number of permutations of the raters' groups.

    Returns
    -------
    Perspectives
        Disagreement is computed from raters of groups that are shown: the mean of (x − y)² over pairs of
        ratings of the same item, each pair of an item with m ratings weighted by 1/(m − 1), as α weighs them.

    References
    ----------
    Krippendorff (2011) for the weights. The permutation keeps each rater's ratings together and draws groups
    of the same sizes.
    """
    names = [group_of.get(rater, "") for rater in ratings.raters]
    sizes = {name: names.count(name) for name in sorted({*names} - {""})}
    shown = [name for name, size in sizes.items() if size >= fewest]
    hidden = [size for size in sizes.values() if size < fewest]
    groups = [
        _group(ratings, name, np.array([one == name for one in names]), level, seed, fewest) for name in shown
    ]
    codes = np.array([shown.index(name) if name in shown else -1 for name in names], dtype=np.int64)
    drawn = np.random.default_rng(seed), permutations
    disagreement = _disagreement(ratings, codes, len(shown), *drawn)
    return Perspectives(groups, len(hidden), sum(hidden), disagreement)


def _group(
    ratings: Ratings, name: str, members: BoolArray, level: Level, seed: int, fewest: int
) -> RaterGroup:
    own = members[ratings.rater]
    means = [_item_means(ratings, chosen) for chosen in (own, ~own)]
    # The others may be a group that is not shown: fewer of them are not compared either.
    others_shown = int((~members).sum()) >= fewest
    shared = np.isfinite(means[0]) & np.isfinite(means[1]) & others_shown
    apart = means[0][shared] - means[1][shared]
    part = ratings.keep(own)
    return RaterGroup(
        name=name,
        n_raters=int(members.sum()),
        n_items=int(np.isfinite(means[0]).sum()),
        n_ratings=int(own.sum()),
        mean=float(np.nanmean(means[0])) if own.any() else math.nan,
        difference=float(apart.mean()) if len(apart) else math.nan,
        n_shared=len(apart),
        agreement=alpha(part, level, Resampling(seed=seed)),
    )


def _item_means(ratings: Ratings, chosen: BoolArray) -> FloatArray:
    item, value = ratings.item[chosen], ratings.value[chosen]
    counts = np.bincount(item, minlength=ratings.n_items)
    sums = np.bincount(item, value, minlength=ratings.n_items)
    means = np.divide(sums, counts, out=np.full(ratings.n_items, math.nan), where=counts > 0)
    return np.asarray(means, dtype=np.float64)


def _disagreement(
    ratings: Ratings, group: IntArray, n_groups: int, generator: np.random.Generator, permutations: int
) -> Disagreement:
    members = np.flatnonzero(group >= 0)
    refused = _refusal(ratings, members, n_groups)
    if refused:
        return Disagreement(math.nan, math.nan, math.nan, math.nan, len(members), refused)
    sums, weights = _pairs(ratings, members)
    codes = group[members]
    within, between = _means_of(sums, weights, codes)
    if not (math.isfinite(within) and math.isfinite(between)):
        return Disagreement(within, between, math.nan, math.nan, len(members), TOO_FEW_RATERS)
    if between == 0:
        return Disagreement(within, between, math.nan, math.nan, len(members), CONSTANT_RATINGS)
    as_much = 1
    for _ in range(permutations):
        drawn = _means_of(sums, weights, generator.permutation(codes))
        # Equal but for rounding is as much; a draw without pairs of both kinds counts against a difference.
        as_much += not drawn[1] - drawn[0] < (between - within) - 1e-12 * between
    p = as_much / (permutations + 1)
    return Disagreement(within, between, 1 - within / between, p, len(members))


def _refusal(ratings: Ratings, members: IntArray, n_groups: int) -> str:
    if not ratings.identified:
        return ANONYMOUS_RATERS
    if n_groups < 2:
        return TOO_FEW_GROUPS
    return TOO_MANY_RATERS if len(members) > MOST_RATERS else ""


def _pairs(ratings: Ratings, members: IntArray) -> tuple[FloatArray, FloatArray]:
    """Weighted squared differences of each two raters over the items of both, and the weights' sums."""
    place = np.full(len(ratings.raters), -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    chosen = place[ratings.rater] >= 0
    item, rater = ratings.item[chosen], place[ratings.rater[chosen]]
    # Differences do not depend on the origin; small numbers keep their digits when they are squared.
    value = ratings.value[chosen] - ratings.value.mean()
    m = np.bincount(item, minlength=ratings.n_items)
    weight = np.where(m > 1, 1 / np.maximum(m - 1, 1), 0.0)[item]
    shape = (ratings.n_items, len(members))

    def matrix(entries: FloatArray) -> scipy.sparse.csr_array:
        return scipy.sparse.coo_array((entries, (item, rater)), shape=shape).tocsr()

    present = matrix(np.ones(len(item)))
    squares = (matrix(weight * value**2).T @ present).toarray()
    products = (matrix(weight * value).T @ matrix(value)).toarray()
    weights = (matrix(weight).T @ present).toarray()
    sums = np.maximum(squares + squares.T - 2 * products, 0.0)
    np.fill_diagonal(sums, 0.0)
    np.fill_diagonal(weights, 0.0)
    return sums, weights


def _means_of(sums: FloatArray, weights: FloatArray, codes: IntArray) -> tuple[float, float]:
    same = codes[:, None] == codes[None, :]
    means = []
    for chosen in (same, ~same):
        total = float(weights[chosen].sum())
        means.append(float(sums[chosen].sum()) / total if total > 0 else math.nan)
    return means[0], means[1]
