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
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    TOO_MANY_RATERS,
    Figure,
)
from scoring.stats.data.table import Ratings

# A smaller group reveals too much about each rater, and too little about the group.
FEWEST_RATERS = 5
# A difference on fewer items reveals what single raters answered.
FEWEST_SHARED = 5
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
    difference: float  # Mean difference from the other groups' means of the same items; NaN with a reason
    n_shared: int  # Items that both the group and other groups have rated; 0 without a difference
    difference_reason: str
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
    """The groups that may be shown, whether there are others, and the disagreement between the groups."""

    groups: list[RaterGroup]
    suppressed: bool  # Whether there are groups of too few raters; how many raters they have is not stated
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
        Group of each rater label; the ratings of raters without one are not used.
    level : Level
        Level of measurement of α.
    seed : int
        Of the bootstrap and the permutations.
    fewest : int
        Groups of fewer raters are not shown, and no figure depends on their ratings: none can be had from
        figures that are shown.
    permutations : int
        Number of permutations of the raters' groups.

    Returns
    -------
    Perspectives
        Disagreement is the mean of (x − y)² over pairs of ratings of the same item, each pair of an item with
        m ratings weighted by 1/(m − 1), as α weighs them. A difference has a reason instead where fewer than
        `fewest` raters of either side, or fewer than 5 items, are in it.

    References
    ----------
    Krippendorff (2011) for the weights. The permutation keeps each rater's ratings together and draws groups
    of the same sizes.
    """
    answers = [group_of.get(rater, "") for rater in ratings.raters]
    sizes = {name: answers.count(name) for name in sorted({*answers} - {""})}
    shown = [name for name, size in sizes.items() if size >= fewest]
    used = ratings.keep(np.array([name in shown for name in answers], dtype=bool)[ratings.rater])
    codes = np.array([shown.index(group_of[rater]) for rater in used.raters], dtype=np.int64)
    groups = [_group(used, name, codes == code, level, seed, fewest) for code, name in enumerate(shown)]
    disagreement = _disagreement(used, codes, len(shown), np.random.default_rng(seed), permutations)
    return Perspectives(groups, len(shown) < len(sizes), disagreement)


def _group(
    ratings: Ratings, name: str, members: BoolArray, level: Level, seed: int, fewest: int
) -> RaterGroup:
    own = members[ratings.rater]
    means = [_item_means(ratings, chosen) for chosen in (own, ~own)]
    shared = np.isfinite(means[0]) & np.isfinite(means[1])
    reason = _difference_refusal(ratings, own, shared, fewest)
    differences = (means[0] - means[1])[shared] if not reason else np.empty(0)
    return RaterGroup(
        name=name,
        n_raters=int(members.sum()),
        n_items=int(np.isfinite(means[0]).sum()),
        n_ratings=int(own.sum()),
        mean=float(np.nanmean(means[0])) if own.any() else math.nan,
        difference=float(differences.mean()) if len(differences) else math.nan,
        n_shared=len(differences),
        difference_reason=reason,
        agreement=alpha(ratings.keep(own), level, Resampling(seed=seed)),
    )


def _difference_refusal(ratings: Ratings, own: BoolArray, shared: BoolArray, fewest: int) -> str:
    """Why a difference would describe single raters: few of them, or few items, are in it."""
    compared = shared[ratings.item]
    if min(len(np.unique(ratings.rater[side & compared])) for side in (own, ~own)) < fewest:
        return TOO_FEW_RATERS
    return TOO_FEW_ITEMS if int(shared.sum()) < FEWEST_SHARED else ""


def _item_means(ratings: Ratings, chosen: BoolArray) -> FloatArray:
    item, value = ratings.item[chosen], ratings.value[chosen]
    counts = np.bincount(item, minlength=ratings.n_items)
    sums = np.bincount(item, value, minlength=ratings.n_items)
    means = np.divide(sums, counts, out=np.full(ratings.n_items, math.nan), where=counts > 0)
    return np.asarray(means, dtype=np.float64)


def _disagreement(
    ratings: Ratings, codes: IntArray, n_groups: int, generator: np.random.Generator, permutations: int
) -> Disagreement:
    n_raters = len(ratings.raters)
    refused = _refusal(ratings, n_groups)
    if refused:
        return Disagreement(math.nan, math.nan, math.nan, math.nan, n_raters, refused)
    sums, weights = _pairs(ratings)
    within, between = _means_of(sums, weights, codes)
    if not (math.isfinite(within) and math.isfinite(between)):
        return Disagreement(within, between, math.nan, math.nan, n_raters, TOO_FEW_RATERS)
    if between == 0:
        return Disagreement(within, between, math.nan, math.nan, n_raters, CONSTANT_RATINGS)
    as_much = 1
    for _ in range(permutations):
        drawn = _means_of(sums, weights, generator.permutation(codes))
        # Equal but for rounding is as much; a draw without pairs of both kinds counts against a difference.
        as_much += not drawn[1] - drawn[0] < (between - within) - 1e-12 * between
    p = as_much / (permutations + 1)
    return Disagreement(within, between, 1 - within / between, p, n_raters)


def _refusal(ratings: Ratings, n_groups: int) -> str:
    if not ratings.identified:
        return ANONYMOUS_RATERS
    if n_groups < 2:
        return TOO_FEW_GROUPS
    return TOO_MANY_RATERS if len(ratings.raters) > MOST_RATERS else ""


def _pairs(ratings: Ratings) -> tuple[FloatArray, FloatArray]:
    """Weighted squared differences of each two raters over the items of both, and the weights' sums."""
    item, rater = ratings.item, ratings.rater
    # Differences do not depend on the origin; small numbers keep their digits when they are squared.
    value = ratings.value - ratings.value.mean()
    m = np.bincount(item, minlength=ratings.n_items)
    weight = np.where(m > 1, 1 / np.maximum(m - 1, 1), 0.0)[item]
    shape = (ratings.n_items, len(ratings.raters))

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
