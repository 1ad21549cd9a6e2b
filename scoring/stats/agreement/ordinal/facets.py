"""The many-facet view of a cumulative logit mixed model: fit of raters, separation, locations of items."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.ordinal.cumulative_logit import probabilities
from scoring.stats.agreement.ordinal.fit import OrdinalFit
from scoring.stats.agreement.ordinal.laplace import OrdinalDesign
from scoring.stats.base.resampling import FloatArray, IntArray

# A rating that nearly determines its item's effect leaves at least so much of its variance.
SMALLEST_SHARE = 0.1


@dataclass(frozen=True)
class MeanSquares:
    """Mean squared residuals of each level of a factor; 1 is what the model expects, shape (levels,) each."""

    infit: FloatArray  # Weighted by the variance of each rating, so that usual ratings weigh most
    outfit: FloatArray  # Unweighted, so that surprising ratings weigh most


@dataclass(frozen=True)
class Separation:
    """How well the ratings distinguish the levels of one factor."""

    factor: str
    reliability: (
        float  # Share of the variance of the effects that the ratings account for; NaN without variance
    )
    separation: float  # Standard deviation of the effects over the error of their estimates


def linear_predictors(design: OrdinalDesign, fit: OrdinalFit) -> FloatArray:
    """Linear predictor of each rating at the modes of the random effects, shape (ratings,).

    Parameters
    ----------
    design : OrdinalDesign
        Ratings.
    fit : OrdinalFit
        Their model.
    """
    effects = [
        fit.effects[name][codes]
        for name, codes in zip(design.factors.names, design.factors.levels, strict=True)
    ]
    return np.asarray(design.fixed @ fit.parameters.fixed + sum(effects), dtype=np.float64)


def mean_squares(design: OrdinalDesign, fit: OrdinalFit, factor: str) -> MeanSquares:
    """Infit and outfit of each level of a factor, over the ranks of the categories.

    Parameters
    ----------
    design : OrdinalDesign
        Ratings.
    fit : OrdinalFit
        Their model.
    factor : str
        Name of one of the random factors.

    Notes
    -----
    The effects are estimated from the same ratings, which makes residuals smaller. Their expected square is
    V(1 − h), where V is the variance of a rating and h the share of its information in the variance of its
    linear predictor given all ratings (effects of different factors taken as independent).

    References
    ----------
    Wright & Masters (1982), Rating scale analysis, chapter 5.
    """
    ranks = np.arange(design.categories, dtype=np.float64)
    linear = linear_predictors(design, fit)
    shares = probabilities(fit.parameters.thresholds, linear)
    expected = shares @ ranks
    variance = shares @ ranks**2 - expected**2
    remaining = variance - _slopes(fit.parameters.thresholds, linear) ** 2 * _variances(design, fit)
    remaining = np.maximum(remaining, SMALLEST_SHARE * variance)
    squares = (design.category - expected) ** 2
    place = design.factors.names.index(factor)
    codes, size = design.factors.levels[place], design.factors.sizes[place]

    def summed(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(codes, weights=values, minlength=size), dtype=np.float64)

    return MeanSquares(summed(squares) / summed(remaining), summed(squares / remaining) / np.bincount(codes))


def _slopes(thresholds: FloatArray, linear: FloatArray) -> FloatArray:
    """Derivative of the expected rank by the linear predictor, shape (ratings,)."""
    below = scipy.special.expit(thresholds - linear[:, None])
    return np.asarray((below * (1 - below)).sum(axis=1), dtype=np.float64)


def _variances(design: OrdinalDesign, fit: OrdinalFit) -> FloatArray:
    """Variance of each rating's linear predictor given all ratings, shape (ratings,)."""
    each = [
        fit.deviations[name][codes] ** 2
        for name, codes in zip(design.factors.names, design.factors.levels, strict=True)
    ]
    return np.asarray(sum(each), dtype=np.float64)


def separation(fit: OrdinalFit, factor: str, scale: float) -> Separation:
    """Reliability and separation of the effects of one factor.

    Parameters
    ----------
    fit : OrdinalFit
        The model.
    factor : str
        Name of one of its random factors.
    scale : float
        Standard deviation of the factor's effects.

    References
    ----------
    Wright & Masters (1982), chapter 5; with the variance of each effect given the ratings as its error.
    """
    if factor in fit.at_zero:
        return Separation(factor, math.nan, math.nan)
    error = float(np.mean(fit.deviations[factor] ** 2))
    explained = max(0.0, scale**2 - error)
    return Separation(factor, explained / scale**2, math.sqrt(explained / error))


def item_locations(design: OrdinalDesign, fit: OrdinalFit, item: str, rater: str) -> FloatArray:
    """Where each item is on the logit scale: all that its raters share, shape (items,).

    Parameters
    ----------
    design : OrdinalDesign
        Ratings.
    fit : OrdinalFit
        Their model.
    item, rater : str
        Names of the factors of items and of raters.

    Returns
    -------
    array of float
        The effect of the item with those of its system and its group.
    """
    codes: IntArray = design.factors.levels[design.factors.names.index(item)]
    of_raters = fit.effects[rater][design.factors.levels[design.factors.names.index(rater)]]
    shared = linear_predictors(design, fit) - of_raters
    return np.asarray(np.bincount(codes, weights=shared) / np.bincount(codes), dtype=np.float64)
