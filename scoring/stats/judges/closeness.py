"""Who is closer to the other raters of an item: a judge, or the rater who is left out."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.table import Ratings

# Distances that differ by less, as a share of the greatest rating, are equal: means of ratings are rounded.
EQUAL = 1e-9


@dataclass(frozen=True)
class Comparisons:
    """One comparison of a judge with a rater on an item, an entry each.

    Only ratings of items that the judge scored and that another rater rated are compared.
    """

    # item, rater: Codes of the ratings that are compared
    item: IntArray
    rater: IntArray
    # judge, person: Whether the judge is at least as close to the other raters as the rater is, and whether
    # the rater is at least as close as the judge; both where they are equally close
    judge: BoolArray
    person: BoolArray

    @property
    def difference(self) -> FloatArray:
        """1 where the rater is closer, -1 where the judge is closer, 0 where neither is."""
        return self.person.astype(np.float64) - self.judge.astype(np.float64)


def compare_with_raters(ratings: Ratings, judge: FloatArray) -> Comparisons:
    """Compare a judge with each rater on each item, by closeness to the other raters of the item.

    Parameters
    ----------
    ratings : Ratings
        Ratings of one criterion.
    judge : ndarray of float, shape (items,)
        The judge's value of each item code, on the scale of the ratings; NaN where there is none. Of options,
        their codes.

    Returns
    -------
    Comparisons
        Of options, closeness is the share of the other raters who chose the same one. Of numbers it is
        the root mean squared difference from the other raters, with its sign changed. Less spread of the
        others, which is the same for both, this is the distance from their mean.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, section 3.
    """
    compared = np.isfinite(judge)[ratings.item] & (ratings.sizes[ratings.item] > 1)
    item, rater, value = ratings.item[compared], ratings.rater[compared], ratings.value[compared]
    others = ratings.sizes[item] - 1
    if ratings.nominal:
        of_judge = _n_who_chose(ratings, item, judge[item]) - (value == judge[item])
        of_person = _n_who_chose(ratings, item, value) - 1
        advantage, rounding = (of_judge - of_person) / others, EQUAL
    else:
        mean = (np.bincount(ratings.item, ratings.value)[item] - value) / others
        advantage = np.abs(value - mean) - np.abs(judge[item] - mean)
        rounding = EQUAL * float(np.abs(ratings.value).max(initial=0.0))
    return Comparisons(item, rater, advantage >= -rounding, advantage <= rounding)


def _n_who_chose(ratings: Ratings, item: IntArray, option: FloatArray) -> FloatArray:
    """How many raters of each item chose an option."""
    options, code = np.unique(np.concatenate([ratings.value, option]), return_inverse=True)
    given, wanted = code[: ratings.n_ratings], code[ratings.n_ratings :]
    pairs, counts = np.unique(ratings.item * len(options) + given, return_counts=True)
    key = item * len(options) + wanted
    place = np.minimum(np.searchsorted(pairs, key), len(pairs) - 1)
    return np.where(pairs[place] == key, counts[place], 0).astype(np.float64)
