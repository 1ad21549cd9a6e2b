"""Disagreement of the raters of each item on one criterion."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.alpha import Level, no_alpha_reason
from scoring.stats.agreement.distances import observed_by_item
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class ItemFigures:
    """Figures of each item, in the order of `items`, each of shape (items,)."""

    items: "np.ndarray[tuple[int], np.dtype[np.object_]]"  # Labels of the items with a value
    n: IntArray  # Number of ratings
    mean: FloatArray  # Mean rating
    sd: FloatArray  # Standard deviation with m − 1; NaN for a single rating
    # low, high: Interval of the mean: mean ± t · s / √m, where s is the standard deviation within
    # items, pooled over all items, with N − n degrees of freedom, because one item has too few ratings
    # for its own. NaN where no item has two ratings.
    low: FloatArray
    high: FloatArray
    # minimum, maximum: Least and greatest rating
    minimum: FloatArray
    maximum: FloatArray
    apart: FloatArray  # Mean absolute difference between two raters of the item; NaN for a single rating
    from_alpha: FloatArray  # The item's share of Krippendorff's α, see `alpha_parts`

    @property
    def range(self) -> FloatArray:
        """Greatest less least rating."""
        return self.maximum - self.minimum


def item_figures(ratings: Ratings, *, confidence: float = 0.95) -> ItemFigures:
    """Mean, spread, interval and share in the disagreement of each item.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    confidence
        Coverage of the intervals.

    Returns
    -------
    ItemFigures
        Of every item with at least one value.
    """
    n = ratings.sizes.astype(np.int64)
    mean = np.bincount(ratings.item, ratings.value, ratings.n_items) / n
    squares = np.bincount(ratings.item, (ratings.value - mean[ratings.item]) ** 2, ratings.n_items)
    several = n >= 2
    sd = np.full(ratings.n_items, math.nan)
    sd[several] = np.sqrt(squares[several] / (n[several] - 1))
    half = _half_width(float(squares.sum()), ratings.n_ratings - ratings.n_items, confidence) / np.sqrt(n)
    minimum = np.full(ratings.n_items, math.inf)
    maximum = np.full(ratings.n_items, -math.inf)
    np.minimum.at(minimum, ratings.item, ratings.value)
    np.maximum.at(maximum, ratings.item, ratings.value)
    return ItemFigures(
        items=ratings.items,
        n=n,
        mean=mean,
        sd=sd,
        low=mean - half,
        high=mean + half,
        minimum=minimum,
        maximum=maximum,
        apart=_mean_difference(ratings, several),
        from_alpha=alpha_parts(ratings),
    )


def alpha_parts(ratings: Ratings, level: Level = "ordinal") -> FloatArray:
    """What each item takes from Krippendorff's α, so that α = 1 − Σ of the parts, exactly.

    With o_u = Σ over ordered pairs of ratings of item u of δ² / (m_u − 1), α is
    1 − (Σ_u o_u / N) / D_e, so item u takes o_u / (N · D_e). Ordinal distances δ come from the
    marginals of all items, as in α itself.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    level
        Level of measurement.

    Returns
    -------
    ndarray, shape (items,)
        0 for an item on which all agree; NaN for an item with a single rating, which α leaves out, and
        everywhere where α cannot be computed.

    References
    ----------
    Krippendorff (2019), chapter 12, eq. 12.1.
    """
    pairable = ratings.pairable().in_safe_unit
    parts = np.full(ratings.n_items, math.nan)
    if no_alpha_reason(ratings, pairable, level):
        return parts
    observed, expected = observed_by_item(pairable, level)
    parts[ratings.sizes >= 2] = observed / expected
    return parts


def opposition_bounds(minimum: float, maximum: float) -> tuple[float, float]:
    """The lowest and the highest quarter of a scale: 2 and 4 on a scale from 1 to 5.

    Parameters
    ----------
    minimum, maximum
        Ends of the scale.

    Returns
    -------
    tuple of float
        Greatest value that counts as low, least value that counts as high.
    """
    quarter = math.floor((maximum - minimum) / 4)
    return minimum + quarter, maximum - quarter


def ratio_opposition_bounds(minimum: float, maximum: float) -> tuple[float, float]:
    """The lowest and the highest quarter of the ratios between two numbers above zero.

    Parameters
    ----------
    minimum, maximum
        Ends of the numbers, not of their logarithms.

    Returns
    -------
    tuple of float
        As of `opposition_bounds`.
    """
    quarter = (maximum / minimum) ** 0.25
    return minimum * quarter, maximum / quarter


@dataclass(frozen=True)
class Standard:
    """Mean and standard deviation of mean ratings and of scores over the items that have both."""

    # mean, sd: Of the items' mean ratings
    mean: float
    sd: float
    # score_mean, score_sd: Of the items' scores
    score_mean: float
    score_sd: float
    n: int  # Items with both


def standard_of(means: FloatArray, scores: FloatArray) -> Standard | None:
    """What a divergence from a metric is measured with.

    Parameters
    ----------
    means
        Mean rating of each item, NaN where there is none, shape (items,).
    scores
        Score of each item, NaN where there is none, shape (items,).

    Returns
    -------
    Standard or None
        None with fewer than three items that have both, or where one of the two does not vary.
    """
    both = np.isfinite(means) & np.isfinite(scores)
    if np.count_nonzero(both) < 3:
        return None
    human, metric = means[both], scores[both]
    if np.ptp(human) <= 0 or np.ptp(metric) <= 0:
        return None
    return Standard(
        float(human.mean()),
        float(human.std(ddof=1)),
        float(metric.mean()),
        float(metric.std(ddof=1)),
        int(np.count_nonzero(both)),
    )


def divergence(means: FloatArray, scores: FloatArray, standard: Standard, sign: int = 1) -> FloatArray:
    """Raters' mean less a metric's score, both in standard deviations.

    Parameters
    ----------
    means, scores
        Mean ratings and scores of the items.
    standard
        From `standard_of`.
    sign
        −1 for a metric of which lower values are better.

    Returns
    -------
    ndarray, shape (items,)
        z of the mean rating less z of the score; NaN where one of them is missing.
    """
    human = (means - standard.mean) / standard.sd
    metric = sign * (scores - standard.score_mean) / standard.score_sd
    return np.asarray(human - metric, dtype=np.float64)


def _half_width(squares: float, degrees: int, confidence: float) -> float:
    if degrees < 1:
        return math.nan
    return float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * math.sqrt(squares / degrees)


def _mean_difference(ratings: Ratings, several: BoolArray) -> FloatArray:
    """From the order statistics of each item: Σ_{i<j} (x_j − x_i) = Σ_k (2k − m − 1) x_(k)."""
    order = np.lexsort((ratings.value, ratings.item))
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    item = ratings.item[order]
    rank = np.arange(len(order)) - starts[item] + 1
    weights = (2 * rank - ratings.sizes[item] - 1) * ratings.value[order]
    total = np.bincount(item, weights, ratings.n_items)
    found = np.full(ratings.n_items, math.nan)
    pairs = ratings.sizes[several] * (ratings.sizes[several] - 1) / 2
    found[several] = total[several] / pairs
    return found
