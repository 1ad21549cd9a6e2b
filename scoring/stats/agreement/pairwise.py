"""Agreement of every two raters over the items both rated, and the connected components of raters."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.gwet import Weights, agreement_weights
from scoring.stats.base.rank_correlation import Positions, pearson, spearman
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.refusals import FEWEST_ITEMS
from scoring.stats.data.table import Ratings

KAPPAS: tuple[Weights, ...] = ("identity", "linear", "quadratic")


@dataclass(frozen=True)
class RaterPairs:
    """One entry per pair of raters who share an item."""

    raters: tuple[str, ...]  # Labels
    # first, second: Codes of the pair, `first` < `second`
    first: IntArray
    second: IntArray
    shared: IntArray  # Items both rated
    # exact, within_one: Share of those items with equal values, and with values that differ by at most one;
    # NaN for a scale that is no set of categories
    exact: FloatArray
    within_one: FloatArray
    difference: FloatArray  # Mean of the first rater's value less the second's
    # Cohen's κ by weights: `identity` (unweighted), `linear`, `quadratic`; NaN where both raters gave
    # one and the same value throughout, for fewer than two shared items, and for a scale that is no set
    # of categories
    kappa: dict[Weights, FloatArray]
    # pearson, spearman: NaN where one of the two does not vary
    pearson: FloatArray
    spearman: FloatArray

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.first)


def rater_pairs(ratings: Ratings) -> RaterPairs:
    """Compare every two raters over the items both rated.

    Parameters
    ----------
    ratings
        Ratings of one criterion by identified raters, each item rated once by a rater.

    Returns
    -------
    RaterPairs
        Only pairs that share an item.

    Raises
    ------
    ValueError
        The raters are anonymous slots.

    References
    ----------
    Cohen (1968) for weighted κ.
    """
    if not ratings.identified:
        raise ValueError("pairs of raters need identified raters")
    one, other = _pairs_within_items(ratings)
    n_raters = len(ratings.raters)
    keys = ratings.rater[one] * n_raters + ratings.rater[other]
    distinct, pair = np.unique(keys, return_inverse=True)
    n_pairs = len(distinct)
    x, y = ratings.value[one], ratings.value[other]
    shared = np.bincount(pair, minlength=n_pairs)

    def mean(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(pair, values, n_pairs) / np.maximum(shared, 1), dtype=np.float64)

    distances = np.abs(x - y)
    correlations = _correlations(pair, x, y) if n_pairs else (np.empty(0), np.empty(0))
    return RaterPairs(
        raters=ratings.raters,
        first=distinct // n_raters,
        second=distinct % n_raters,
        shared=shared,
        exact=_of_categories(ratings, mean((distances == 0).astype(np.float64))),
        within_one=_of_categories(ratings, mean((distances <= 1).astype(np.float64))),
        difference=mean(x - y),
        kappa={weighting: _kappa(ratings, (pair, one, other), n_pairs, weighting) for weighting in KAPPAS},
        pearson=correlations[0],
        spearman=correlations[1],
    )


def _pairs_within_items(ratings: Ratings) -> tuple[IntArray, IntArray]:
    """Positions of every two ratings of the same item, the lower rater code first."""
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    ones, others = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in np.unique(ratings.sizes[ratings.sizes >= 2]):
        row, column = np.triu_indices(int(size), 1)
        first = starts[ratings.sizes == size][:, None]
        ones.append((first + row).ravel())
        others.append((first + column).ravel())
    return np.concatenate(ones), np.concatenate(others)


def _correlations(pair: IntArray, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    positions = Positions.of(pair, x, y)
    times = np.bincount(positions.pair).astype(np.float64)[:, None]
    return pearson(positions, times)[:, 0], spearman(positions, times)[:, 0]


def _of_categories(ratings: Ratings, values: FloatArray) -> FloatArray:
    """The values, or NaN throughout where the scale is no set of categories."""
    return values if ratings.has_categories else np.full(len(values), np.nan)


def _kappa(
    ratings: Ratings, positions: tuple[IntArray, IntArray, IntArray], n_pairs: int, weighting: Weights
) -> FloatArray:
    pair, one, other = positions
    length = len(ratings.categories)
    code = np.searchsorted(ratings.categories, ratings.value)
    if not ratings.has_categories:
        return np.full(n_pairs, np.nan)
    disagreement_weights = 1 - agreement_weights(weighting, ratings.categories)
    observed = np.bincount(pair, disagreement_weights[code[one], code[other]], n_pairs)
    marginals = [
        np.bincount(pair * length + code[side], minlength=n_pairs * length).reshape(n_pairs, length)
        for side in (one, other)
    ]
    shared = np.maximum(marginals[0].sum(axis=1), 1)
    expected = ((marginals[0] @ disagreement_weights) * marginals[1]).sum(axis=1) / shared
    defined = (expected > 0) & (shared >= FEWEST_ITEMS)
    ratio = np.divide(observed, expected, out=np.full(n_pairs, np.nan), where=defined)
    return np.asarray(1 - ratio, dtype=np.float64)


def connected_raters(ratings: Ratings) -> IntArray:
    """Component of the design each rater belongs to.

    Parameters
    ----------
    ratings
        Ratings of one criterion.

    Returns
    -------
    ndarray, shape (raters,)
        0 for all raters of a connected design. Raters of different components never share an item, not even
        through others: their severities cannot be distinguished from effects of their items.
    """
    n_raters = len(ratings.raters)
    shape = (n_raters + ratings.n_items, n_raters + ratings.n_items)
    edges = scipy.sparse.coo_array(
        (np.ones(ratings.n_ratings), (ratings.rater, n_raters + ratings.item)), shape=shape
    )
    labels = scipy.sparse.csgraph.connected_components(edges.tocsr(), directed=False)[1][:n_raters]
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
