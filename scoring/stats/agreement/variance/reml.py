"""Variance components of crossed random effects by restricted maximum likelihood."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.variance.crossed import Crossed
from scoring.stats.base.resampling import FloatArray, Tick, ignore_progress

MAX_STEPS = 60
CONVERGED = 1e-16
STALLED = 1e-6
ROUNDING = 1e-11
SMALLEST_STEP = 2.0**-30
# Inside, the least eigenvalue of the scaled information is some 1e-5 or more; at the edge it is rounding.
SINGULAR = 1e-12


@dataclass(frozen=True)
class Fit:
    """Where restricted maximum likelihood ended."""

    variances: FloatArray  # Rows, columns, residual
    boundary: bool  # Whether the likelihood still rose where the covariance stops being positive definite


@dataclass(frozen=True)
class _Point:
    """Log likelihood, its gradient and the average information at some variances."""

    likelihood: float
    gradient: FloatArray
    information: FloatArray


def fit(design: Crossed, start: FloatArray, tick: Tick = ignore_progress) -> Fit:
    """Maximise the restricted likelihood wherever the covariance is positive definite.

    Variances of rows and columns may be negative.

    Parameters
    ----------
    design
        The crossed ratings; the rows are eliminated analytically.
    start
        Variances of rows, columns and residual to start from, shape (3,).
    tick
        Called with 0 at each step.

    References
    ----------
    Gilmour, Thompson & Cullis (1995), average information REML.
    """
    variances, point = start, _evaluate(design, start)
    if point is None:
        variances = np.full(3, float(design.value @ design.value) / len(design.value) / 3)
        point = _evaluate(design, variances)
    if point is None:
        raise ArithmeticError("the covariance of equal positive components is not positive definite")
    for _ in range(MAX_STEPS):
        tick(0)
        step = np.asarray(np.linalg.lstsq(point.information, point.gradient)[0], dtype=np.float64)
        gain = float(step @ point.gradient)
        if gain < CONVERGED:
            return Fit(variances, _is_singular(point.information))
        risen = _rise(design, variances, step, point)
        if risen is None:
            return Fit(variances, gain > STALLED or _is_singular(point.information))
        variances, point = risen
    return Fit(variances, True)


def _rise(
    design: Crossed, variances: FloatArray, step: FloatArray, point: _Point
) -> tuple[FloatArray, _Point] | None:
    # Near the maximum the likelihood is flat to rounding; the whole step is still the better estimate.
    least = point.likelihood - ROUNDING * (1 + abs(point.likelihood))
    share = 1.0
    while share > SMALLEST_STEP:
        candidate = variances + share * step
        reached = _evaluate(design, candidate)
        if reached is not None and reached.likelihood > least:
            return candidate, reached
        least, share = point.likelihood, share / 2
    return None


def _is_singular(information: FloatArray) -> bool:
    """Whether one direction is known without error, as it is where the covariance becomes singular."""
    scale = np.sqrt(np.diag(information))
    if not np.all(scale > 0):
        return True
    return bool(np.linalg.eigvalsh(information / np.outer(scale, scale))[0] < SINGULAR)


def _evaluate(design: Crossed, variances: FloatArray) -> _Point | None:
    rows, columns, residual = (float(variance) for variance in variances)
    per_row = residual + rows * design.row_sizes
    if residual <= 0 or np.any(per_row <= 0):
        return None
    inverse = _Inverse.of(design, rows, columns, residual, 1 / per_row)
    return None if inverse is None else _at(design, inverse, per_row)


def _at(design: Crossed, inverse: "_Inverse", per_row: FloatArray) -> _Point:
    ones = np.ones_like(design.value)
    solved_ones = inverse.solve(ones)
    precision = float(solved_ones.sum())

    def project(values: FloatArray) -> FloatArray:
        solved = inverse.solve(values)
        return np.asarray(solved - solved_ones * (solved.sum() / precision), dtype=np.float64)

    projected = project(design.value)
    by_factor = [
        design.row_sums(projected)[design.row],
        design.column_sums(projected)[design.column],
        projected,
    ]
    traces = inverse.traces() - _quadratic(design, solved_ones) / precision
    gradient = (_quadratic(design, projected) - traces) / 2
    solved = [project(values) for values in by_factor]
    # Not by `@`: threads cost more than these sums.
    information = np.array([[np.einsum("n,n->", a, b) for b in solved] for a in by_factor]) / 2
    degrees = design.row_sizes - 1
    determinant = float(degrees.sum()) * np.log(inverse.residual) + float(np.log(per_row).sum())
    determinant += inverse.log_determinant
    likelihood = -(determinant + np.log(precision) + float(design.value @ projected)) / 2
    return _Point(float(likelihood), gradient, (information + information.T) / 2)


def _quadratic(design: Crossed, values: FloatArray) -> FloatArray:
    by_row, by_column = design.row_sums(values), design.column_sums(values)
    return np.array([by_row @ by_row, by_column @ by_column, values @ values])


@dataclass(frozen=True)
class _Inverse:
    """The inverse covariance, with the rows eliminated: one dense matrix of the size of the columns."""

    design: Crossed
    rows: float
    columns: float
    residual: float
    shrink: FloatArray
    reduced: FloatArray
    factor: tuple[FloatArray, bool]

    @classmethod
    def of(
        cls, design: Crossed, rows: float, columns: float, residual: float, shrink: FloatArray
    ) -> "_Inverse | None":
        reduced = np.diag(design.column_sizes) - rows * design.through_rows(shrink).toarray()
        reduced /= residual
        try:
            factor = scipy.linalg.cho_factor(np.eye(design.n_columns) + columns * reduced, lower=True)
        except scipy.linalg.LinAlgError:
            return None
        return cls(design, rows, columns, residual, shrink, reduced, factor)

    @property
    def log_determinant(self) -> float:
        return 2 * float(np.log(np.diag(self.factor[0])).sum())

    def solve(self, values: FloatArray) -> FloatArray:
        within = self._within_rows(values)
        by_column = scipy.linalg.cho_solve(self.factor, self.design.column_sums(within))
        through = self._within_rows(by_column[self.design.column])
        return np.asarray(within - self.columns * through, dtype=np.float64)

    def _within_rows(self, values: FloatArray) -> FloatArray:
        shrunk = self.shrink * self.design.row_sums(values)
        return np.asarray((values - self.rows * shrunk[self.design.row]) / self.residual, dtype=np.float64)

    def traces(self) -> FloatArray:
        """Traces of the inverse times the covariance of rows, columns and residual."""
        inverted = _inverted(self.factor[0])
        columns = float((inverted * self.reduced).sum())
        squared = self.design.through_rows(self.shrink**2).toarray()
        rows = float(self.design.row_sizes @ self.shrink) - self.columns * float((inverted * squared).sum())
        rest = len(self.design.value) - self.rows * rows - self.columns * columns
        return np.array([rows, columns, rest / self.residual])


def _inverted(factor: FloatArray) -> FloatArray:
    """The inverse of a matrix from its lower Cholesky factor."""
    lower = np.tril(scipy.linalg.lapack.dpotri(factor, lower=1)[0])
    return np.asarray(lower + np.tril(lower, -1).T, dtype=np.float64)
