"""Brennan and Prediger's coefficients: agreement beyond that of raters who choose at random.

There are two of them: S (`brennan_prediger`) of equal options, for questions whose options differ from item
to item, and κₙ (`kappa_n`) of weighted points, for scales.
"""

from functools import partial

import numpy as np

from scoring.stats.agreement.gwet import Weights, agreement_weights, weighted_agreement
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, Resampling, nothing_to_draw
from scoring.stats.base.result import CONSTANT_RATINGS, Figure, estimated, refused
from scoring.stats.data.bootstrap.bca import bootstrap_interval
from scoring.stats.data.bootstrap.count_patterns import Patterns, patterns_of
from scoring.stats.data.refusals import Needs, no_pairs_reason
from scoring.stats.data.table import Ratings

NEEDS = Needs(categories=True)


def brennan_prediger(ratings: Ratings, resampling: Resampling) -> Figure:
    """Brennan and Prediger's S: raw agreement, corrected by that of raters who choose at random.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Replicates, seed and confidence of the interval.

    Returns
    -------
    Figure
        Coefficient `brennan_prediger`, (p − 1/q) / (1 − 1/q) with the share p of agreeing pairs and the
        length q of the declared scale; `constant_ratings` where that has a single category. No exchange of
        the categories of an item changes it.

    References
    ----------
    Brennan and Prediger (1981).
    """
    length = len(ratings.categories)
    name = ("brennan_prediger", f"q={length}")
    if length == 1:
        return refused((ratings.criterion, *name), CONSTANT_RATINGS, ratings.sample, resampling.confidence)
    return weighted_agreement(ratings, name, np.eye(length), resampling, "uniform")


def kappa_n(ratings: Ratings, resampling: Resampling, weighting: Weights = "quadratic") -> Figure:
    """Brennan and Prediger's coefficient for two or more raters, with weights of the values of the points.

    Parameters
    ----------
    ratings
        Ratings of one criterion. Items with a single rating are left out: they have no agreement, and chance
        is that of the scale alone.
    resampling
        Replicates, seed and confidence of the interval.
    weighting
        As for `agreement_weights`; `identity` gives the coefficient of 1981.

    Returns
    -------
    Figure
        (p_a − p_e) / (1 − p_e), with the weighted agreement p_a within items of at least two ratings and
        p_e = Σ w / q² over all pairs of the q points of the declared scale. The interval is a bootstrap over
        items, or groups. Refused for a scale that is no set of categories, see `Ratings.has_categories`, and
        for a scale of one point. Since chance is not estimated, one item is enough.

    References
    ----------
    Brennan and Prediger (1981); Gwet (2014) for weights, several raters and missing ratings.
    """
    pairable = ratings.pairable()
    name = (ratings.criterion, "kappa_n", f"{weighting}, q={len(ratings.categories)}")
    reason = _reason(ratings, pairable)
    if reason:
        return refused(name, reason, pairable.sample, resampling.confidence)
    patterns = patterns_of(pairable)
    compute = partial(_kappas, patterns=patterns, weights=agreement_weights(weighting, ratings.categories))
    estimate = 1.0 if pairable.agrees_exactly else float(compute(patterns.frequency[None, :])[0])
    interval = nothing_to_draw(pairable.unit)
    if patterns.n_units >= FEWEST_UNITS:
        generator = resampling.generator(*name)
        drawn = [compute(patterns.draw(generator, size)) for size in resampling.chunks(patterns.width)]
        interval = bootstrap_interval(
            resampling, np.concatenate(drawn), pairable.unit, estimate, patterns, compute
        )
    return estimated(name, estimate, interval, pairable.sample, resampling.confidence)


def _reason(ratings: Ratings, pairable: Ratings) -> str:
    constant = CONSTANT_RATINGS if len(ratings.categories) < 2 else ""
    return NEEDS.refusal(ratings) or no_pairs_reason(ratings, pairable) or constant


def _kappas(drawn: FloatArray, patterns: Patterns, weights: FloatArray) -> FloatArray:
    """The coefficient for each row of pattern weights, shape (replicates, patterns)."""
    counts = patterns.counts.toarray()
    sizes = counts.sum(axis=1)
    agreeing = (counts * (counts @ weights - 1)).sum(axis=1) / (sizes * (sizes - 1))
    observed = drawn @ agreeing / drawn.sum(axis=1)
    expected = float(weights.mean())
    return np.asarray((observed - expected) / (1 - expected), dtype=np.float64)
