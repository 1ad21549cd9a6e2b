"""Adjusted mean ratings of systems, and all their differences with simultaneous intervals."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.ordinal.cumulative_logit import probabilities
from scoring.stats.agreement.ordinal.few_levels import FewLevels
from scoring.stats.agreement.ordinal.fit import OrdinalFit
from scoring.stats.agreement.ordinal.laplace import Parameters
from scoring.stats.base.resampling import FloatArray, IntArray

# Gauss–Hermite nodes over the sum of all random effects.
NODES = 40
STEP = 1e-5
DRAWS = 200_000


@dataclass(frozen=True)
class Estimate:
    """An estimate in points of the scale with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Contrast:
    """Difference of the adjusted means of two systems."""

    first: int
    second: int
    difference: Estimate  # All intervals together hold the true differences with the stated confidence
    p: float  # Two-sided, adjusted for all differences by the same maximum


@dataclass(frozen=True)
class AdjustedMeans:
    """Adjusted means of all systems of one criterion."""

    means: tuple[Estimate, ...]
    contrasts: tuple[Contrast, ...]  # Each pair once
    critical_value: float  # Of the simultaneous intervals, in place of the normal quantile
    freedom: float  # Degrees of freedom of the differences; NaN without any


def adjusted_means(
    fit: OrdinalFit, values: FloatArray, levels: FewLevels, *, confidence: float = 0.95, seed: int = 0
) -> AdjustedMeans:
    """The mean rating of each system if every rater of such a group had rated every such item.

    Parameters
    ----------
    fit : OrdinalFit
        Estimates, with their covariance.
    values : array of float, shape (K,)
        Value of each category.
    levels : FewLevels
        Items, raters and groups behind the estimates.
    confidence : float
        Coverage of each mean's interval, and of all differences' intervals together.
    seed : int
        Of the draws that give the critical value.

    Returns
    -------
    AdjustedMeans
        Expected values over the distribution of the random effects; intervals by the delta method, with
        quantiles of t. Maximum likelihood makes variances of few items, raters or groups too small by their
        degrees of freedom, which is corrected. All differences have the fewest degrees of freedom of any.

    References
    ----------
    Hothorn, Bretz & Westfall (2008), section 2, for simultaneous intervals; Satterthwaite (1946).
    """
    parameters = fit.parameters
    # Squares of values around 1e200 overflow, and those of 1e-300 vanish.
    unit = float(np.ldexp(1.0, int(np.frexp(np.abs(values).max())[1])))
    values = values / unit
    means = _expected(parameters, values)
    slopes = _slopes(parameters, values)
    # A greater linear predictor does what lower thresholds do.
    by_logit = -slopes[:, : len(parameters.thresholds)].sum(axis=1)
    covariance = levels.corrected(slopes @ fit.covariance @ slopes.T, by_logit)

    def freedom_of(contrast: FloatArray) -> float:
        return levels.degrees_of_freedom(contrast, covariance, by_logit)

    tail, alone = (1 + confidence) / 2, np.eye(len(means))
    quantiles = np.array([scipy.stats.t.ppf(tail, freedom_of(one)) for one in alone])
    reach = quantiles * np.sqrt(np.diag(covariance))
    first, second = np.triu_indices(len(means), 1)
    freedom = min(
        (freedom_of(alone[i] - alone[j]) for i, j in zip(first, second, strict=True)), default=math.nan
    )
    maxima = _maxima(covariance, first, second, freedom, seed)
    critical = _critical_value(maxima, confidence) if len(first) else math.nan
    if len(first) == 1:
        critical = float(scipy.stats.t.ppf(tail, freedom))

    def contrast(one: int, other: int) -> Contrast:
        difference = float(means[one] - means[other])
        error = math.sqrt(_difference_variance(covariance, one, other))
        beyond = abs(difference) / error
        p = float(2 * scipy.stats.t.sf(beyond, freedom)) if len(first) == 1 else _share_beyond(maxima, beyond)
        return Contrast(one, other, _estimate(difference, critical * error, unit), p)

    return AdjustedMeans(
        tuple(_estimate(mean, width, unit) for mean, width in zip(means, reach, strict=True)),
        tuple(contrast(int(one), int(other)) for one, other in zip(first, second, strict=True)),
        critical,
        freedom,
    )


def expected_value(thresholds: FloatArray, eta: FloatArray, values: FloatArray) -> FloatArray:
    """Expected value at each linear predictor, shape (n,).

    Parameters
    ----------
    thresholds : array of float, shape (K − 1,)
        In increasing order.
    eta : array of float, shape (n,)
        Linear predictors.
    values : array of float, shape (K,)
        Value of each category.
    """
    return probabilities(thresholds, eta) @ values


def _estimate(value: float, reach: float, unit: float) -> Estimate:
    return Estimate(float(value * unit), float((value - reach) * unit), float((value + reach) * unit))


def _expected(parameters: Parameters, values: FloatArray) -> FloatArray:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    spread = math.sqrt(float(parameters.scales @ parameters.scales))
    systems = np.concatenate(([0.0], parameters.fixed))
    eta = (systems[:, None] + spread * nodes[None, :]).ravel()
    expected = expected_value(parameters.thresholds, eta, values).reshape(len(systems), NODES)
    return np.asarray(expected @ (weights / weights.sum()), dtype=np.float64)


def _slopes(parameters: Parameters, values: FloatArray) -> FloatArray:
    """Derivatives of the means by the parameters, shape (systems, parameters)."""
    centre = parameters.vector
    columns = []
    for index in range(len(centre)):
        shift = STEP * (np.arange(len(centre)) == index)
        above = _expected(parameters.replaced(centre + shift), values)
        below = _expected(parameters.replaced(centre - shift), values)
        columns.append((above - below) / (2 * STEP))
    return np.array(columns).T


def _maxima(
    covariance: FloatArray, first: IntArray, second: IntArray, freedom: float, seed: int
) -> FloatArray:
    """Greatest standardised difference of each draw from the estimates' distribution, in order."""
    roots, axes = np.linalg.eigh(covariance)
    shapes = axes * np.sqrt(np.clip(roots, 0, None))
    generator = np.random.default_rng(seed)
    draws = generator.standard_normal((DRAWS, len(covariance))) @ shapes.T
    if math.isfinite(freedom):
        draws /= np.sqrt(generator.chisquare(freedom, DRAWS) / freedom)[:, None]
    columns = np.ascontiguousarray(draws.T)
    greatest = np.zeros(DRAWS)
    for one, other in zip(first, second, strict=True):
        error = math.sqrt(_difference_variance(covariance, one, other))
        np.maximum(greatest, np.abs(columns[one] - columns[other]) / error, out=greatest)
    return np.sort(greatest)


def _difference_variance(covariance: FloatArray, one: int, other: int) -> float:
    return float(covariance[one, one] + covariance[other, other] - 2 * covariance[one, other])


def _critical_value(maxima: FloatArray, confidence: float) -> float:
    """The one beyond which differences have a p below 1 − confidence, so that interval and p agree."""
    place = math.ceil(confidence * (len(maxima) + 1)) - 1
    return float(maxima[min(place, len(maxima) - 1)])


def _share_beyond(maxima: FloatArray, beyond: float) -> float:
    """Two-sided p of a standardised difference, adjusted for all differences."""
    number = len(maxima) - int(np.searchsorted(maxima, beyond))
    return (number + 1) / (len(maxima) + 1)
