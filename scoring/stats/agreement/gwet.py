"""Gwet's AC1 and AC2 and raw agreement, from value counts."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, Resampling, nothing_to_draw
from scoring.stats.base.result import TOO_FEW_ITEMS, Figure, estimated, refused
from scoring.stats.data.bootstrap.bca import bootstrap_interval
from scoring.stats.data.bootstrap.count_patterns import Patterns, patterns_of
from scoring.stats.data.bootstrap.item_patterns import patterns_of_items
from scoring.stats.data.refusals import FEWEST_ITEMS, Needs, no_pairs_reason
from scoring.stats.data.table import Ratings

NEEDS = Needs(categories=True)

Weights = Literal["identity", "linear", "quadratic", "ordinal"]
Chance = Literal["none", "shares", "uniform"]


def gwet(ratings: Ratings, weighting: Weights, resampling: Resampling) -> Figure:
    """Gwet's AC1 (identity weights) or AC2.

    Parameters
    ----------
    ratings
        Ratings of one criterion. Items with a single rating count in the shares of the categories, not in
        the agreement.
    weighting
        `identity` gives AC1; `linear`, `quadratic` or `ordinal` AC2.
    resampling
        Replicates, seed and confidence of the interval.

    Returns
    -------
    Figure
        Coefficient `ac1` or `ac2`; q is the length of the declared scale. With one category in use it is 1.
        The interval is a percentile bootstrap over items, or over groups. Refused for a scale that is no set
        of categories, see `Ratings.has_categories`, and for fewer than two items with two ratings.

    References
    ----------
    Gwet (2008), eq. 21; Gwet (2014), section 4.4 for the weights.
    """
    length = len(ratings.categories)
    key = "ac1" if weighting == "identity" else "ac2"
    variant = f"q={length}" if weighting == "identity" else f"{weighting}, q={length}"
    weights = agreement_weights(weighting, ratings.categories)
    return weighted_agreement(ratings, (key, variant), weights, resampling, "shares")


def raw_agreement(ratings: Ratings, within: float, resampling: Resampling) -> Figure:
    """Share of pairs of raters of an item who agree, averaged over items.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    within
        Greatest difference that counts as agreement: 0 or 1.
    resampling
        Replicates, seed and confidence of the interval.

    Returns
    -------
    Figure
        Coefficient `exact` or `within_one`, not corrected for chance. Refused for a scale that is no set of
        categories, see `Ratings.has_categories`.
    """
    distances = np.abs(ratings.categories[:, None] - ratings.categories)
    name = ("exact" if within == 0 else "within_one", "")
    return weighted_agreement(ratings, name, (distances <= within).astype(np.float64), resampling, "none")


def agreement_weights(weighting: Weights, categories: FloatArray) -> FloatArray:
    """Agreement of two categories.

    Parameters
    ----------
    weighting
        `identity`; of the values x, `linear` 1 − |x_k−x_l|/(x_max−x_min) and `quadratic`
        1 − (x_k−x_l)²/(x_max−x_min)²; or of the q ranks, `ordinal` 1 − C(|k−l|+1, 2)/C(q, 2).
    categories
        The values, in order.

    Returns
    -------
    ndarray, shape (q, q)
        1 on the diagonal.

    References
    ----------
    Gwet (2014), section 4.4.
    """
    length = len(categories)
    if weighting == "identity" or length < 2:
        return np.eye(length)
    if weighting != "ordinal":
        distances = np.abs(np.subtract.outer(categories, categories)) / float(categories[-1] - categories[0])
        return np.asarray(1 - (distances if weighting == "linear" else distances**2), dtype=np.float64)
    ranks = np.abs(np.subtract.outer(np.arange(length), np.arange(length))).astype(np.float64)
    pairs = (ranks + 1) * ranks / 2
    return np.asarray(1 - pairs / (length * (length - 1) / 2), dtype=np.float64)


def weighted_agreement(
    ratings: Ratings, name: tuple[str, str], weights: FloatArray, resampling: Resampling, chance: Chance
) -> Figure:
    """Weighted agreement within items, corrected for chance or as it is.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    name
        Coefficient and variant of the figure.
    weights
        Agreement of two categories, shape (q, q).
    resampling
        Replicates, seed and confidence of the interval.
    chance
        Agreement expected by chance: `none`, that of raters who choose each of the q points alike
        (`uniform`), or Gwet's, from the `shares` of the points.

    Returns
    -------
    Figure
        The interval is a bootstrap over items, or over groups.

    References
    ----------
    Gwet (2014), chapter 4.
    """
    figure_name = (ratings.criterion, *name)
    reason = _reason(ratings, chance)
    if reason:
        return refused(figure_name, reason, ratings.sample, resampling.confidence)
    patterns = patterns_of(ratings)
    counts = _Counts.of(patterns, weights)
    estimate = float(counts.coefficients(patterns.frequency[None, :], chance)[0])
    interval = nothing_to_draw(ratings.unit)
    if patterns.n_units >= FEWEST_UNITS:
        generator = resampling.generator(ratings.criterion, *name)
        replicates = [
            counts.coefficients(patterns.draw(generator, size), chance)
            for size in resampling.chunks(patterns.width)
        ]
        interval = bootstrap_interval(
            resampling,
            np.concatenate(replicates),
            ratings.unit,
            estimate,
            patterns,
            lambda weights: counts.coefficients(weights, chance),
        )
    if ratings.pairable().agrees_exactly:
        estimate = 1.0
    return estimated(figure_name, estimate, interval, ratings.sample, resampling.confidence)


def _reason(ratings: Ratings, chance: Chance) -> str:
    pairable = ratings.pairable()
    # Only a chance term that is estimated from the ratings needs several items.
    too_few = TOO_FEW_ITEMS if chance == "shares" and pairable.n_items < FEWEST_ITEMS else ""
    return NEEDS.refusal(ratings) or no_pairs_reason(ratings, pairable) or too_few


@dataclass(frozen=True)
class _Counts:
    """What each pattern of ratings adds to agreement and to the shares of the categories."""

    agreeing: FloatArray
    paired: FloatArray
    shares: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, patterns: Patterns, weights: FloatArray) -> "_Counts":
        counts = patterns.counts.toarray().astype(np.float64)
        sizes = counts.sum(axis=1)
        pairs = sizes * (sizes - 1)
        agreeing = (counts * (counts @ weights - 1)).sum(axis=1)
        shares = counts / sizes[:, None]
        safe = np.where(pairs > 0, pairs, 1.0)
        return cls(agreeing / safe, (pairs > 0).astype(np.float64), shares, weights)

    def coefficients(self, drawn: FloatArray, chance: Chance) -> FloatArray:
        """The coefficient for each row of pattern weights, shape (replicates, patterns)."""
        paired = drawn @ self.paired
        observed = np.divide(
            drawn @ (self.agreeing * self.paired), paired, out=np.full(len(drawn), math.nan), where=paired > 0
        )
        if chance == "none":
            return np.asarray(observed, dtype=np.float64)
        length = len(self.weights)
        if chance == "uniform":
            return np.asarray((observed - 1 / length) / (1 - 1 / length), dtype=np.float64)
        shares = (drawn @ self.shares) / drawn.sum(axis=1, keepdims=True)
        factor = self.weights.sum() / (length * (length - 1)) if length > 1 else 0.0
        expected = factor * (shares * (1 - shares)).sum(axis=1)
        return np.asarray((observed - expected) / (1 - expected), dtype=np.float64)


def gwet_of_weights(ratings: Ratings, weighting: Weights) -> Callable[[FloatArray], FloatArray]:
    """Prepare AC1 or AC2 for items that count several times.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    weighting
        As for `gwet`.

    Returns
    -------
    callable
        From weights of the items, shape (replicates, items), to the coefficient, shape (replicates,).
    """
    counts = _Counts.of(patterns_of_items(ratings), agreement_weights(weighting, ratings.categories))
    return lambda weights: counts.coefficients(weights, "shares")
