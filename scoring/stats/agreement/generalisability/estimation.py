"""Variance components of many random effects by restricted maximum likelihood, none below 0."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement.generalisability.covariance import Blocks, Covariance
from scoring.stats.agreement.generalisability.facets import RESIDUAL, FacetDesign, same_partition
from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import FloatArray, Tick, ignore_progress

MOST_STEPS = 200
# Twice what the log likelihood could still rise, by its curvature.
CONVERGED = 1e-14
ROUNDING = 1e-11
SMALLEST_STEP = 2.0**-30
# The least eigenvalue of the scaled information where all effects are separate is some 1e-4 or more.
SINGULAR = 1e-9
LOADED = 0.2
# Share of the variance of the ratings; where nothing is left, the search stalls at less.
NO_RESIDUAL = 1e-6


class NotEstimated(CodedError):
    """The ratings give no variance components; the message says why."""


@dataclass(frozen=True)
class LeftOut:
    """An interaction that the ratings do not separate from other effects."""

    name: str
    same_as: tuple[str, ...]  # The effects that its variance is part of


@dataclass(frozen=True)
class ComponentFit:
    """Variance components, in the squared unit of the ratings."""

    names: tuple[str, ...]  # Of the effects; the last one is `residual`
    variances: FloatArray  # None below 0, shape (effects,)
    covariance: FloatArray  # Of the estimates, from the expected information; shape (effects, effects)
    log_likelihood: float  # Restricted, of the ratings in their unit
    left_out: tuple[LeftOut, ...]

    @property
    def at_boundary(self) -> tuple[str, ...]:
        """Effects whose variance is estimated as 0, the least that is possible."""
        return tuple(name for name, one in zip(self.names, self.variances, strict=True) if one == 0)


@dataclass(frozen=True)
class _Point:
    likelihood: float
    gradient: FloatArray
    information: FloatArray


def fit_components(design: FacetDesign, tick: Tick = ignore_progress) -> ComponentFit:
    """Maximise the restricted likelihood over variances that are not negative.

    Parameters
    ----------
    design
        Ratings and their random effects.
    tick
        Called with 0 at each evaluation of the likelihood.

    Returns
    -------
    ComponentFit

    Raises
    ------
    NotEstimated
        With code `confounded` where the ratings do not separate two facets, `no_residual_variance`
        where the effects explain the ratings without rest, `too_many_items` where the matrices take too much
        memory, and `not_converged` where the search did not end.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, section 6.6 (restricted likelihood) and 8.3
    (scoring); Patterson & Thompson (1971).
    """
    design, left_out = _without_equal_effects(design)
    design, blocks, confounded = _identified(design, tick)
    variances, point = _maximum(design, blocks, tick)
    unit = design.scale**2
    shift = (len(design.value) - 1) * np.log(design.scale)
    return ComponentFit(
        design.names,
        variances * unit,
        np.asarray(np.linalg.inv(point.information) * unit**2, dtype=np.float64),
        point.likelihood - float(shift) - (len(design.value) - 1) / 2 * float(np.log(2 * np.pi)),
        (*left_out, *confounded),
    )


def _without_equal_effects(design: FacetDesign) -> tuple[FacetDesign, list[LeftOut]]:
    """Leave out interactions that divide the ratings as another effect does."""
    left_out = []
    for effect in reversed(design.effects):
        others = [one for one in design.effects if one.name != effect.name]
        same = [one.name for one in others if same_partition(effect, one)]
        if same and effect.is_interaction:
            design = design.without(effect.name)
            left_out.append(LeftOut(effect.name, tuple(same)))
        elif same and effect.name != RESIDUAL:
            raise _inseparable((effect.name, *same))
    return design, left_out


def _identified(design: FacetDesign, tick: Tick) -> tuple[FacetDesign, Blocks, list[LeftOut]]:
    """Leave out interactions until the expected information is regular."""
    left_out: list[LeftOut] = []
    while True:
        blocks = Blocks.of(design)
        if blocks is None:
            raise NotEstimated(
                "too_many_items", f"{len(design.value)} ratings: the model would take too much memory"
            )
        tick(0)
        start = _start(design)
        information = _evaluate(design, blocks, start).information
        confounded = _confounded(information, design.names)
        if not confounded:
            return design, blocks, left_out
        interactions = [name for name in confounded if ":" in name]
        if not interactions:
            raise _inseparable(confounded)
        name = interactions[-1]
        left_out.append(LeftOut(name, tuple(one for one in confounded if one != name)))
        design = design.without(name)


def _confounded(information: FloatArray, names: tuple[str, ...]) -> tuple[str, ...]:
    diagonal = np.diag(information)
    empty = diagonal <= SINGULAR * diagonal.max()
    if empty.any():
        return tuple(name for name, one in zip(names, empty, strict=True) if one)
    scale = np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    if values[0] > SINGULAR:
        return ()
    loads = np.abs(vectors[:, 0]) > LOADED * np.abs(vectors[:, 0]).max()
    return tuple(name for name, one in zip(names, loads, strict=True) if one)


def _inseparable(names: tuple[str, ...]) -> NotEstimated:
    return NotEstimated(
        "confounded",
        f"the ratings do not separate the variances of {', '.join(names)}: each item needs several raters,"
        " and raters need items in common",
    )


def _start(design: FacetDesign) -> FloatArray:
    return np.full(len(design.effects), 1 / len(design.effects))


def _maximum(design: FacetDesign, blocks: Blocks, tick: Tick) -> tuple[FloatArray, _Point]:
    variances = _start(design)
    point = _evaluate(design, blocks, variances)
    for _ in range(MOST_STEPS):
        step = _step(variances, point)
        gain = float(step @ point.gradient)
        if gain < CONVERGED:
            return variances, point
        risen = _rise(design, blocks, variances, step, point, tick)
        if risen is None:
            return variances, point
        variances, point = risen
        if variances[-1] < NO_RESIDUAL:
            raise NotEstimated("no_residual_variance", "the effects explain the ratings without rest")
    raise NotEstimated("not_converged", "the search for the greatest likelihood did not end")


def _step(variances: FloatArray, point: _Point) -> FloatArray:
    """A scoring step of the variances that are above 0 or would rise."""
    free = (variances > 0) | (point.gradient > 0)
    while True:
        step = np.zeros_like(variances)
        step[free] = np.linalg.solve(point.information[np.ix_(free, free)], point.gradient[free])
        falling = free & (variances == 0) & (step < 0)
        if not falling.any():
            return step
        free &= ~falling


def _rise(
    design: FacetDesign, blocks: Blocks, variances: FloatArray, step: FloatArray, point: _Point, tick: Tick
) -> tuple[FloatArray, _Point] | None:
    def reached(share: float) -> tuple[FloatArray, _Point]:
        candidate = np.maximum(variances + share * step, 0.0)
        candidate[-1] = max(candidate[-1], variances[-1] / 10)
        tick(0)
        return candidate, _evaluate(design, blocks, candidate)

    gain = float(step @ point.gradient)
    if gain < ROUNDING * (1 + abs(point.likelihood)):
        return _nearer(reached, gain)
    share = 1.0
    while share > SMALLEST_STEP:
        found = reached(share)
        if found[1].likelihood > point.likelihood:
            return found
        share /= 2
    return None


def _nearer(
    reached: Callable[[float], tuple[FloatArray, _Point]], gain: float
) -> tuple[FloatArray, _Point] | None:
    """The next point where the likelihood is flat to rounding: that with less left to gain, if there is one.

    Whole steps can jump from one side of the maximum to the other for ever; then half a step is near it.
    """
    found = [reached(1.0)]
    if _gain(*found[0]) > gain / 2:
        found.append(reached(0.5))
    best = min(found, key=lambda one: _gain(*one))
    return best if _gain(*best) < gain else None


def _gain(variances: FloatArray, point: _Point) -> float:
    return float(_step(variances, point) @ point.gradient)


def _evaluate(design: FacetDesign, blocks: Blocks, variances: FloatArray) -> _Point:
    covariance = Covariance(design, blocks, variances)
    solved_ones = covariance.solve(np.ones_like(design.value))
    precision = float(solved_ones.sum())
    solved = covariance.solve(design.value)
    projected = solved - solved_ones * (float(solved.sum()) / precision)
    squares = np.array([float((one.sums(projected) ** 2).sum()) for one in design.effects])
    by_mean = [one.sums(solved_ones) for one in design.effects]
    mean_squares = np.array([float(one @ one) for one in by_mean])
    traces = covariance.traces - mean_squares / precision
    spread = [part[one.level] for one, part in zip(design.effects, by_mean, strict=True)]
    inverse = [covariance.solve(one) for one in spread]
    mixed = np.array([[float(one @ other) for other in inverse] for one in spread])
    information = covariance.squared_norms() - 2 * mixed / precision
    information += np.outer(mean_squares, mean_squares) / precision**2
    likelihood = covariance.log_determinant + np.log(precision) + float(design.value @ projected)
    return _Point(-float(likelihood) / 2, (squares - traces) / 2, (information + information.T) / 4)
