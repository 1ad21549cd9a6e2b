"""Log likelihood of ordered categories under a cumulative logit, and its derivatives."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray


@dataclass(frozen=True)
class Terms:
    """What each rating adds to the log likelihood, with derivatives; shape (ratings,) each.

    `eta` is the linear predictor, `upper` and `lower` are the thresholds above and below the category. A
    rating in the highest category has no upper threshold and one in the lowest no lower one: derivatives by
    them are 0.
    """

    log_likelihood: FloatArray
    slope: FloatArray  # d log likelihood / d eta
    weight: FloatArray  # −d slope / d eta, always positive
    weight_slope: FloatArray  # d weight / d eta
    upper: FloatArray  # d log likelihood / d upper threshold
    lower: FloatArray  # d log likelihood / d lower threshold
    slope_upper: FloatArray  # d slope / d upper threshold
    slope_lower: FloatArray
    weight_upper: FloatArray  # d weight / d upper threshold
    weight_lower: FloatArray


def terms(category: IntArray, thresholds: FloatArray, eta: FloatArray, of_set: IntArray | int = 0) -> Terms:
    """Evaluate P(Y ≤ k) = 1 / (1 + exp(eta − threshold k)) at each rating.

    Parameters
    ----------
    category : array of int, shape (ratings,)
        Category of each rating, 0 to K − 1.
    thresholds : array of float, shape (sets, K − 1)
        Each set in increasing order.
    of_set : array of int, shape (ratings,)
        The set of thresholds of each rating; 0 where there is one set for all.
    eta : array of float, shape (ratings,)
        Linear predictor; a greater one makes higher categories more likely.

    Returns
    -------
    Terms

    References
    ----------
    McCullagh (1980), equation 2.1; for the logistic distribution F, f = F(1 − F), so that the derivatives of
    log(F(a) − F(b)) need no quotient.
    """
    ends = np.full((len(thresholds), 1), np.inf)
    bounds = np.concatenate((-ends, thresholds, ends), axis=1)
    above, below = bounds[of_set, category + 1] - eta, bounds[of_set, category] - eta
    at_above, at_below = scipy.special.expit(above), scipy.special.expit(below)
    gap = -np.expm1(below - above)
    density_above = at_above * scipy.special.expit(-above)
    density_below = at_below * scipy.special.expit(-below)
    bend_above = density_above * (1 - 2 * at_above)
    bend_below = density_below * (1 - 2 * at_below)
    return Terms(
        log_likelihood=-np.logaddexp(0, -above) - np.logaddexp(0, below) + np.log(gap),
        slope=at_above + at_below - 1,
        weight=density_above + density_below,
        weight_slope=-bend_above - bend_below,
        upper=scipy.special.expit(-above) / (scipy.special.expit(-below) * gap),
        lower=-at_below / (at_above * gap),
        slope_upper=density_above,
        slope_lower=density_below,
        weight_upper=bend_above,
        weight_lower=bend_below,
    )


def by_threshold(
    category: IntArray,
    upper: FloatArray,
    lower: FloatArray,
    shape: tuple[int, int],
    of_set: IntArray | int = 0,
) -> FloatArray:
    """Sum derivatives by upper and by lower threshold to one derivative a threshold.

    Parameters
    ----------
    category : array of int, shape (ratings,)
        Category of each rating.
    upper, lower : array of float, shape (ratings,)
        Derivative of each rating by the threshold above it and by the one below it.
    shape : tuple of int
        Number of sets, and of thresholds of a set.
    of_set : array of int, shape (ratings,)
        The set of thresholds of each rating.

    Returns
    -------
    array of float, shape (sets × thresholds,)
        One set after the other.
    """
    sets, count = shape
    place, cells = of_set * (count + 1) + category, sets * (count + 1)
    from_above, from_below = (
        np.bincount(place, weights=one, minlength=cells).reshape(sets, count + 1) for one in (upper, lower)
    )
    return np.asarray((from_above[:, :count] + from_below[:, 1:]).ravel(), dtype=np.float64)


def probabilities(thresholds: FloatArray, eta: FloatArray) -> FloatArray:
    """Probability of each category.

    Parameters
    ----------
    thresholds : array of float, shape (K − 1,)
        In increasing order.
    eta : array of float, shape (n,)
        Linear predictors.

    Returns
    -------
    array of float, shape (n, K)
        Each row sums to 1.
    """
    up_to = scipy.special.expit(thresholds[None, :] - eta[:, None])
    edges = np.ones((len(eta), 1))
    return np.diff(np.concatenate((0 * edges, up_to, edges), axis=1), axis=1)
