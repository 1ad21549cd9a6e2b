"""Fit of a cumulative logit mixed model to the ratings of one criterion."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.ordinal.laplace import Laplace, OrdinalDesign, Parameters
from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import FloatArray, Tick, ignore_progress

MOST_ITERATIONS = 200
# Near enough for Newton steps, which end the search.
GRADIENT = 1e-2
STEP = 1e-4
# The likelihood is flat where a system has only ratings of the lowest or of the highest category.
LARGEST_EFFECT = 12.0
NEWTON_STEPS = 10
# Twice what the log likelihood could still rise, by its curvature.
CONVERGED = 1e-9
# A component whose standard deviation, on the logit scale, is below this is reported as 0.
ESTIMATED_AS_ZERO = 1e-3


class NotFitted(CodedError):
    """The model cannot be fitted to these ratings; the message says why."""


@dataclass(frozen=True)
class OrdinalFit:
    """Estimates of a cumulative logit mixed model."""

    parameters: Parameters
    covariance: FloatArray  # Of thresholds, fixed effects and scales, in this order
    log_likelihood: float  # Laplace approximation
    effects: dict[str, FloatArray]  # By factor: mode of each level's effect, in logits
    deviations: dict[str, FloatArray]  # By factor: standard deviation of each effect given the ratings
    at_zero: tuple[str, ...]  # Factors whose variance is estimated as 0

    @property
    def standard_errors(self) -> FloatArray:
        """Standard errors of thresholds, fixed effects and scales."""
        return np.sqrt(np.diag(self.covariance))


def fit(design: OrdinalDesign, tick: Tick = ignore_progress) -> OrdinalFit:
    """Maximise the Laplace approximation of the likelihood.

    Parameters
    ----------
    design : OrdinalDesign
        Ratings with their systems, items, raters and, where there are any, groups.
    tick : callable
        Called with 0 at each evaluation of the likelihood.

    Returns
    -------
    OrdinalFit

    Raises
    ------
    NotFitted
        With code `not_identified` where the ratings do not determine an estimate, `unbounded_scale` where
        the distances between thresholds have no bound, and `not_converged` where the search did not end at a
        maximum.

    References
    ----------
    Christensen (2019), Cumulative link models for ordinal regression with the R package ordinal.
    """
    laplace = Laplace(design)
    start, shape = _start(design), (design.sets, design.categories - 1)

    def negative(free: FloatArray) -> tuple[float, FloatArray]:
        tick(0)
        parameters = start.replaced(_constrained(free, shape))
        reached = laplace.at(parameters)
        gradient = _by_free(reached.gradient, free, shape)
        return -reached.log_likelihood, -gradient

    try:
        best = scipy.optimize.minimize(
            negative,
            _free(start, shape),
            jac=True,
            method="BFGS",
            options={"maxiter": MOST_ITERATIONS, "gtol": GRADIENT},
        )
        reached = start.replaced(_constrained(best.x, shape))
        _check_bounds(reached)
        parameters, information = _polished(laplace, reached, tick)
        _check_bounds(parameters)
        return _described(design, laplace, parameters, information)
    except (ArithmeticError, np.linalg.LinAlgError) as problem:
        raise _not_converged() from problem


def _start(design: OrdinalDesign) -> Parameters:
    place, cells = design.of_set * design.categories + design.category, design.sets * design.categories
    counts = np.bincount(place, minlength=cells).reshape(design.sets, design.categories)
    shares = (np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True))[:, :-1]
    scales = np.full(len(design.factors.names), 0.7)
    thresholds = scipy.special.logit(shares).ravel() * 1.3
    return Parameters(thresholds, np.zeros(design.fixed.shape[1]), scales)


def _free(parameters: Parameters, shape: tuple[int, int]) -> FloatArray:
    """The parameters without constraints: of each set the first threshold and the logarithms of distances."""
    thresholds = parameters.thresholds.reshape(shape)
    free = np.concatenate((thresholds[:, :1], np.log(np.diff(thresholds, axis=1))), axis=1)
    return np.concatenate((free.ravel(), parameters.fixed, parameters.scales))


def _constrained(free: FloatArray, shape: tuple[int, int]) -> FloatArray:
    count = shape[0] * shape[1]
    own = free[:count].reshape(shape)
    steps = np.concatenate((own[:, :1], np.exp(np.minimum(own[:, 1:], 30.0))), axis=1)
    return np.concatenate((np.cumsum(steps, axis=1).ravel(), free[count:]))


def _by_free(gradient: FloatArray, free: FloatArray, shape: tuple[int, int]) -> FloatArray:
    count = shape[0] * shape[1]
    sums = np.cumsum(gradient[:count].reshape(shape)[:, ::-1], axis=1)[:, ::-1]
    sums[:, 1:] *= np.exp(free[:count].reshape(shape)[:, 1:])
    return np.concatenate((sums.ravel(), gradient[count:]))


def _check_bounds(parameters: Parameters) -> None:
    if parameters.fixed.size and not float(np.abs(parameters.fixed).max()) <= LARGEST_EFFECT:
        raise NotFitted(
            "not_identified",
            "an effect is unbounded: a system has only ratings of the lowest or the highest category",
        )
    others = np.concatenate((parameters.thresholds, parameters.scales))
    if not float(np.abs(others).max()) <= LARGEST_EFFECT:
        raise NotFitted(
            "unbounded_scale",
            "the raters agree so closely, or use a category so rarely, that differences have no bound on the"
            " logit scale",
        )


def _polished(laplace: Laplace, start: Parameters, tick: Tick) -> tuple[Parameters, FloatArray]:
    """Newton steps with the exact gradient, until the estimate no longer moves; with the last curvature."""
    parameters = start
    for _ in range(NEWTON_STEPS):
        information = -_second_derivatives(laplace, parameters, tick)
        gradient = laplace.at(parameters).gradient
        step = np.linalg.solve(information, gradient)
        if float(np.linalg.eigvalsh(information)[0]) <= 0:
            raise NotFitted("not_identified", "the likelihood has no maximum: its curvature is not negative")
        if float(step @ gradient) < CONVERGED:
            return parameters, information
        parameters = parameters.replaced(parameters.vector + step)
    raise _not_converged()


def _not_converged() -> NotFitted:
    return NotFitted("not_converged", "the search for the greatest likelihood did not end")


def _second_derivatives(laplace: Laplace, parameters: Parameters, tick: Tick) -> FloatArray:
    centre = parameters.vector
    rows = []
    for index in range(len(centre)):
        tick(0)
        shift = STEP * (np.arange(len(centre)) == index)
        above = laplace.at(parameters.replaced(centre + shift)).gradient
        below = laplace.at(parameters.replaced(centre - shift)).gradient
        rows.append((above - below) / (2 * STEP))
    found = np.array(rows)
    return np.asarray((found + found.T) / 2, dtype=np.float64)


def _described(
    design: OrdinalDesign, laplace: Laplace, parameters: Parameters, information: FloatArray
) -> OrdinalFit:
    reached, factors = laplace.at(parameters), design.factors
    scales = np.abs(parameters.scales)
    # A standard deviation and its negative give the same likelihood.
    signs = np.where(parameters.scales < 0, -1.0, 1.0)
    turned = np.concatenate((np.ones(len(parameters.vector) - len(scales)), signs))
    spread = np.sqrt(reached.variances)
    named = list(enumerate(factors.names))
    return OrdinalFit(
        Parameters(parameters.thresholds, parameters.fixed, scales),
        np.asarray(np.linalg.inv(information) * np.outer(turned, turned), dtype=np.float64),
        reached.log_likelihood,
        {name: signs[at] * scales[at] * factors.part(reached.effects, at) for at, name in named},
        {name: scales[at] * factors.part(spread, at) for at, name in named},
        tuple(name for at, name in named if scales[at] < ESTIMATED_AS_ZERO),
    )
