"""Fleiss' κ, also for unequal numbers of ratings per item."""

import math
from collections.abc import Callable

import numpy as np

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, Resampling, nothing_to_draw
from scoring.stats.base.result import Figure, estimated, refused
from scoring.stats.data.bootstrap.bca import bootstrap_interval
from scoring.stats.data.bootstrap.count_patterns import Patterns, patterns_of
from scoring.stats.data.bootstrap.item_patterns import patterns_of_items
from scoring.stats.data.refusals import Needs, no_agreement_reason
from scoring.stats.data.table import Ratings

NEEDS = Needs(categories=True)


def fleiss(ratings: Ratings, resampling: Resampling) -> Figure:
    """Fleiss' κ of one criterion: nominal agreement corrected by pooled marginals.

    Parameters
    ----------
    ratings
        Ratings of one criterion; items with a single rating are left out, of the marginals too.
    resampling
        Replicates, seed and confidence of the interval.

    Returns
    -------
    Figure
        `variant` says whether the items have equally many ratings; where they have not, each item's agreement
        is taken over its own number, and the marginals are pooled over all ratings. The interval is a
        percentile bootstrap over items or groups. Refused for a scale that is no set of categories, see
        `Ratings.has_categories`, and for fewer than two items with two ratings.

    References
    ----------
    Fleiss (1971), equations 3 to 8.
    """
    pairable = ratings.pairable()
    name = (ratings.criterion, "fleiss", _variant(pairable))
    reason = NEEDS.refusal(ratings) or no_agreement_reason(ratings, pairable)
    if reason:
        return refused(name, reason, pairable.sample, resampling.confidence)
    patterns = patterns_of(pairable)
    estimate = float(_kappas(patterns.frequency[None, :], patterns)[0])
    interval = nothing_to_draw(pairable.unit)
    if patterns.n_units >= FEWEST_UNITS:
        generator = resampling.generator(ratings.criterion, "fleiss")
        replicates = [
            _kappas(patterns.draw(generator, size), patterns) for size in resampling.chunks(patterns.width)
        ]
        interval = bootstrap_interval(
            resampling,
            np.concatenate(replicates),
            pairable.unit,
            estimate,
            patterns,
            lambda weights: _kappas(weights, patterns),
        )
    if pairable.agrees_exactly:
        estimate = 1.0
    return estimated(name, estimate, interval, pairable.sample, resampling.confidence)


def _variant(pairable: Ratings) -> str:
    sizes = np.unique(pairable.sizes)
    if len(sizes) == 0:
        return ""
    return f"m={sizes[0]}" if len(sizes) == 1 else f"unequal m={sizes[0]}..{sizes[-1]}, pooled marginals"


def _kappas(weights: FloatArray, patterns: Patterns) -> FloatArray:
    """κ for each row of pattern weights, shape (replicates, patterns)."""
    sizes = np.asarray(patterns.counts.sum(axis=1)).ravel()
    squares = np.asarray(patterns.counts.power(2).sum(axis=1)).ravel()
    agreement = (squares - sizes) / (sizes * (sizes - 1))
    observed = (weights @ agreement) / weights.sum(axis=1)
    marginals: FloatArray = (patterns.counts.T @ weights.T).T
    shares = marginals / marginals.sum(axis=1, keepdims=True)
    expected = (shares**2).sum(axis=1)
    undefined = np.count_nonzero(marginals, axis=1) < 2
    kappas = np.full(len(weights), math.nan)
    np.divide(observed - expected, 1 - expected, out=kappas, where=~undefined)
    return kappas


def fleiss_of_weights(ratings: Ratings) -> Callable[[FloatArray], FloatArray]:
    """Prepare Fleiss' κ for items that count several times.

    Parameters
    ----------
    ratings
        Ratings of items with at least two each, see `Ratings.pairable`.

    Returns
    -------
    callable
        From weights of the items, shape (replicates, items), to κ, shape (replicates,).
    """
    items = patterns_of_items(ratings)
    return lambda weights: _kappas(weights, items)
