"""Generalisability and dependability coefficients with their intervals."""

from dataclasses import dataclass, replace

import numpy as np
import scipy

from scoring.stats.agreement.generalisability.estimation import ComponentFit
from scoring.stats.agreement.generalisability.facets import GROUP, ITEM, RESIDUAL
from scoring.stats.agreement.generalisability.weights import Weights
from scoring.stats.base.resampling import FloatArray


@dataclass(frozen=True)
class Estimated:
    """An estimate and its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Component:
    """A variance component."""

    name: str
    variance: float
    error: float  # Standard error
    # low, high: Limits of the interval
    low: float
    high: float
    share: float  # Of the sum of all components


@dataclass(frozen=True)
class Coefficients:
    """What the means of items are worth in a design."""

    relative: Estimated  # Eρ²: for the order of items and their differences
    absolute: Estimated  # Φ: for the value of a mean itself
    universe: float  # Variance between items
    relative_error: float  # Variance of the errors
    absolute_error: float


def components_of(fit: ComponentFit, confidence: float) -> tuple[Component, ...]:
    """The components with standard errors and intervals.

    Parameters
    ----------
    fit
        Estimates and their covariance.
    confidence
        Coverage of each interval.

    Returns
    -------
    tuple of Component
        With standard errors from the expected information, and modified large-sample intervals.

    Notes
    -----
    In a balanced design the estimate of a component is a mean square less others, over a number of ratings.
    Here U is the sum of the component and of a multiple of those of its facets' interactions that is
    uncorrelated with their estimates; in a balanced design it is that mean square. The interval is that of
    the difference of U and the rest, each with Satterthwaite's degrees of freedom.

    References
    ----------
    Ting, Burdick, Graybill, Jeyaratnam & Lu (1990), Confidence intervals on linear combinations of variance
    components that are unrestricted in sign; Searle, Casella & McCulloch (1992), Variance Components.
    """
    total = float(fit.variances.sum())
    errors = np.sqrt(np.diag(fit.covariance))
    return tuple(
        Component(name, float(variance), float(error), *_limits(fit, at, confidence), float(variance) / total)
        for at, (name, variance, error) in enumerate(zip(fit.names, fit.variances, errors, strict=True))
    )


def _limits(fit: ComponentFit, at: int, confidence: float) -> tuple[float, float]:
    own = np.eye(len(fit.names))[at]
    finer = [other for other, name in enumerate(fit.names) if other != at and _is_finer(name, fit.names[at])]
    rest = np.zeros_like(own)
    if finer:
        covariance = fit.covariance
        rest[finer] = -np.linalg.solve(covariance[np.ix_(finer, finer)], covariance[finer, at])
    first, second = (float(one @ fit.variances) for one in (own + rest, rest))
    df = _df(fit, own + rest)
    if second <= 0:
        least, most = (
            float(scipy.stats.chi2.ppf(p, df)) for p in ((1 - confidence) / 2, (1 + confidence) / 2)
        )
        return df * first / most, df * first / least
    below, above = _reaches(first, second, df, _df(fit, rest), (1 - confidence) / 2)
    value = float(fit.variances[at])
    return max(value - below, 0.0), value + above


def _reaches(first: float, second: float, df: float, rest_df: float, tail: float) -> tuple[float, float]:
    """How far below and above a difference of two mean squares its modified large-sample limits are."""
    chi, f = scipy.stats.chi2.ppf, scipy.stats.f.ppf
    g1, h1 = 1 - df / chi(1 - tail, df), df / chi(tail, df) - 1
    g2, h2 = 1 - rest_df / chi(1 - tail, rest_df), rest_df / chi(tail, rest_df) - 1
    upper, lower = f(1 - tail, df, rest_df), f(tail, df, rest_df)
    g12 = ((upper - 1) ** 2 - (g1 * upper) ** 2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - (h1 * lower) ** 2 - g2**2) / lower
    below = (g1 * first) ** 2 + (h2 * second) ** 2 + g12 * first * second
    above = (h1 * first) ** 2 + (g2 * second) ** 2 + h12 * first * second
    return float(max(below, 0.0) ** 0.5), float(max(above, 0.0) ** 0.5)


def _is_finer(name: str, than: str) -> bool:
    """Whether an effect has all facets of another; items lie in groups."""
    if name == RESIDUAL:
        return True
    facets = set(name.split(":"))
    return set(than.split(":")) <= facets | ({GROUP} if ITEM in facets else set())


def coefficients(fit: ComponentFit, weights: Weights, confidence: float) -> Coefficients:
    """Eρ² and Φ of the means of items, with intervals.

    Parameters
    ----------
    fit
        Variance components and their covariance.
    weights
        Of the components in the means at hand.
    confidence
        Coverage of each interval.

    Returns
    -------
    Coefficients
        With complete ratings, the intervals are those of ICC3k (F) and of ICC2k (McGraw & Wong).

    Notes
    -----
    U = universe + relative error is the variance of the means at hand, W(c) = relative error + c (absolute −
    relative error). Φ = c where (1 − c) U = W(c), and U/W has, nearly, an F distribution with Satterthwaite's
    degrees of freedom 2 U²/Var U and 2 W²/Var W. Limits below 0 are 0, since no component is negative.

    References
    ----------
    McGraw & Wong (1996), table 7; Satterthwaite (1946); Brennan (2001), Generalizability Theory, section 6.
    """
    universe, relative, absolute = (
        float(one @ fit.variances) for one in (weights.universe, weights.relative, weights.absolute)
    )
    return Coefficients(
        _estimated(fit, weights.universe, weights.relative, weights.relative, confidence),
        _estimated(fit, weights.universe, weights.relative, weights.absolute, confidence),
        universe,
        relative,
        absolute,
    )


def _estimated(
    fit: ComponentFit, universe: FloatArray, relative: FloatArray, error: FloatArray, confidence: float
) -> Estimated:
    variances = fit.variances
    value = float(universe @ variances) / float((universe + error) @ variances)
    observed, noise = universe + relative, relative + value * (error - relative)
    df, noise_df = (_df(fit, one) for one in (observed, noise))
    tail = (1 + confidence) / 2
    u, d, rest = (float(one @ variances) for one in (observed, relative, error - relative))
    below, above = float(scipy.stats.f.ppf(tail, df, noise_df)), float(scipy.stats.f.ppf(tail, noise_df, df))
    low = (u - below * d) / (u + below * rest)
    high = (above * u - d) / (above * u + rest)
    return Estimated(value, min(max(low, 0.0), value), max(min(high, 1.0), value))


def _df(fit: ComponentFit, combination: FloatArray) -> float:
    """Satterthwaite's degrees of freedom of a sum of components."""
    variance = float(combination @ fit.covariance @ combination)
    return 2 * float(combination @ fit.variances) ** 2 / variance


def projected(
    at_hand: Coefficients, fit: ComponentFit, weights: Weights, *, same_raters: bool
) -> Coefficients:
    """The coefficients of another design, from the same components.

    Parameters
    ----------
    at_hand
        Of the design that the components come from.
    fit
        The components.
    weights
        Of the components in the means of the other design.
    same_raters
        Whether all items have the same raters in the other design.

    Returns
    -------
    Coefficients
        Limits are those of the variance between items that give the limits at hand, with the errors
        at their estimates. Where items have different raters, severity is an error of their order too: then
        both coefficients have the limits that Φ at hand gives, which allow for the few raters that the
        variance of severity is known from.

    References
    ----------
    Brennan (2001), Generalizability Theory, section 1.2.2 (D studies).
    """
    universe, relative, absolute = (
        float(one @ fit.variances) for one in (weights.universe, weights.relative, weights.absolute)
    )
    of_values = (at_hand.absolute, at_hand.absolute_error)
    of_order = (at_hand.relative, at_hand.relative_error) if same_raters else of_values
    return replace(
        at_hand,
        relative=_moved(*of_order, universe, relative),
        absolute=_moved(*of_values, universe, absolute),
        universe=universe,
        relative_error=relative,
        absolute_error=absolute,
    )


def _moved(limits: Estimated, error_at_hand: float, universe: float, error: float) -> Estimated:
    def at(limit: float) -> float:
        return 1.0 if limit >= 1 else _ratio(error_at_hand * limit / (1 - limit), error)

    return Estimated(_ratio(universe, error), at(limits.low), at(limits.high))


def _ratio(universe: float, error: float) -> float:
    return universe / (universe + error)
