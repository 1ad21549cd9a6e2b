"""What answers share, their set and their rater, and standard errors that allow for it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray

Sparse = scipy.sparse.csr_array

# A variance below this is an error of rounding.
ROUNDING = 1e-18
# An interval needs so many sets of an item.
FEWEST_SETS = 3
SETS, GROUPS, RATERS = "sets", "groups", "raters"


@dataclass(frozen=True)
class Clusters:
    """What answers share.

    Parameters
    ----------
    of_set
        Set of each answer, or the group of its set, from 0.
    drawn
        Name of what that is, `sets` or `groups`.
    rater
        Rater of each answer, from 0; None where raters are not known.
    """

    of_set: IntArray
    drawn: str = SETS
    rater: IntArray | None = None

    @classmethod
    def of(
        cls, about: Sparse, of_set: IntArray, group: IntArray, drawn: str, rater: IntArray | None
    ) -> "Clusters":
        """Groups of sets where each item is in several of them, else sets.

        Parameters
        ----------
        about
            1 where an answer is about an item, shape (answers, items).
        of_set, group
            Set of each answer, and what `drawn` says that holds several sets, from 0.
        drawn
            `groups` where sets have groups.
        rater
            Rater of each answer; None where raters are not known.
        """
        if drawn == GROUPS and (_count(_members(group), about) > 1).all():
            return cls(group, GROUPS, rater)
        return cls(of_set, SETS, rater)

    def counts(self, about: Sparse) -> tuple[IntArray, IntArray]:
        """Sets, or groups, and raters of each item; 0 raters where they are not known."""
        sets = _count(_members(self.of_set), about)
        return sets, np.zeros_like(sets) if self.rater is None else _count(_members(self.rater), about)


@dataclass(frozen=True)
class Margins:
    """Half widths of intervals, one an item."""

    half: FloatArray  # NaN where an item has too few sets, or answers that are all alike
    method: tuple[str, ...]  # `cluster-jackknife:` and what is left out in turn
    n_sets: IntArray  # Sets, or groups of sets, of each item
    n_raters: IntArray  # Raters of each item; 0 where they are not known


def score_margins(influence: Sparse, about: Sparse, clusters: Clusters, confidence: float) -> Margins:
    """Half widths of the intervals of means.

    Parameters
    ----------
    influence
        What each answer adds to the error of each item's score, shape (answers, items).
    about
        1 where an answer is about an item, same shape.
    clusters
        What answers share.
    confidence
        Nominal coverage.

    Returns
    -------
    Margins
        The variance is that over sets and that over raters, less that over answers, which both contain, and
        at least the larger of both; each is the jackknife's in its linear form, G/(G − 1) Σ (sum of a
        cluster)². Quantiles are Student’s with one degree of freedom less than sets or raters there are,
        whichever are fewer. Over sets alone where an item has one known rater, or none.

    References
    ----------
    Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, sections 2.2 and 2.3.
    """
    sets, raters = clusters.counts(about)
    over_sets = _variance(_members(clusters.of_set) @ influence, sets)
    over_raters, shared = np.zeros_like(over_sets), np.zeros_like(over_sets)
    if clusters.rater is not None:
        over_raters = _variance(_members(clusters.rater) @ influence, raters)
        shared = _variance(influence, np.asarray(about.sum(axis=0)).ravel())
    return _margins((over_sets, over_raters, shared), (sets, raters), clusters.drawn, confidence)


def strength_margins(
    slopes: Sparse,
    inverse: FloatArray,
    about: Sparse,
    clusters: Clusters,
    confidence: float,
) -> FloatArray:
    """Half widths of the intervals of maximum likelihood estimates, as `score_margins` has those of means.

    Parameters
    ----------
    slopes
        Slope of the log likelihood of each answer, shape (answers, items).
    inverse
        Of the observed information, shape (items, items).
    about, clusters, confidence
        As in `score_margins`.
    """
    sets, raters = clusters.counts(about)
    over_sets = _sandwich(_members(clusters.of_set) @ slopes, inverse)
    over_raters, shared = np.zeros_like(over_sets), np.zeros_like(over_sets)
    if clusters.rater is not None:
        over_raters = _sandwich(_members(clusters.rater) @ slopes, inverse)
        shared = _sandwich(slopes, inverse)
    return _margins((over_sets, over_raters, shared), (sets, raters), clusters.drawn, confidence).half


def _margins(
    variances: Sequence[FloatArray], counts: tuple[IntArray, IntArray], drawn: str, confidence: float
) -> Margins:
    (over_sets, over_raters, shared), (sets, raters) = variances, counts
    both = raters > 1
    larger = np.maximum(over_sets, over_raters)
    variance = np.where(both, np.maximum(larger, over_sets + over_raters - shared), over_sets)
    freedom = np.where(both, np.minimum(sets, raters), sets) - 1
    quantile = scipy.stats.t.ppf(0.5 + confidence / 2, np.maximum(freedom, 1))
    known = (sets >= FEWEST_SETS) & (variance > ROUNDING)
    half = np.where(known, quantile * np.sqrt(variance), np.nan)
    method = tuple(f"cluster-jackknife:{drawn}{f'+{RATERS}' if two else ''}" for two in both)
    return Margins(half, method, sets, raters)


def _members(code: IntArray) -> Sparse:
    """1 where an answer is in a cluster, shape (clusters, answers)."""
    shape = (int(code.max()) + 1, len(code))
    return scipy.sparse.coo_array((np.ones(len(code)), (code, np.arange(len(code)))), shape=shape).tocsr()


def _count(members: Sparse, about: Sparse) -> IntArray:
    """How many clusters have answers about each item."""
    return np.asarray(np.diff((members @ about).tocsc().indptr), dtype=np.int64)


def _variance(sums: Sparse, number: IntArray) -> FloatArray:
    factor = np.where(number > 1, number / np.maximum(number - 1, 1), 0.0)
    return np.asarray(factor * np.asarray(sums.power(2).sum(axis=0)).ravel())


def _sandwich(slopes: Sparse, inverse: FloatArray) -> FloatArray:
    number = slopes.shape[0]
    middle = (slopes.T @ slopes).toarray()
    factor = number / (number - 1) if number > 1 else 0.0
    return np.asarray(factor * np.einsum("ij,jk,ki->i", inverse, middle, inverse, optimize=True))
