"""Restricted maximum likelihood of variance components."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from ...arrays import Array
from .crossed import Crossed

REML_LIMIT = 1_500


@dataclass(frozen=True)
class Covariance:
    """Covariance of the ratings of a design, factored for given variances."""

    design: Crossed
    rows: float
    columns: float
    residual: float
    per_row: Array
    shared: Array
    factor: tuple[Array, bool]

    @classmethod
    def of(cls, design: Crossed, variances: Array) -> Covariance | None:
        """Factor the covariance; None if it is not positive definite."""
        rows, columns, residual = (float(one) for one in variances)
        per_row = residual + rows * design.n_row
        if residual <= 0 or np.any(per_row <= 0):
            return None
        shared = (np.diag(design.n_column) - rows * design.through(1 / per_row)) / residual
        middle = np.eye(len(shared)) + columns * shared
        try:
            factor = linalg.cho_factor(middle, lower=True)
        except linalg.LinAlgError:
            return None
        return cls(design, rows, columns, residual, per_row, shared, factor)

    def solve_rows(self, v: Array) -> Array:
        """Multiply by the inverse of the covariance without columns."""
        within = self.rows * (self.design.by_row(v) / self.per_row)[self.design.row]
        return np.asarray((v - within) / self.residual)

    def solve(self, v: Array) -> Array:
        """Multiply by the inverse of the covariance."""
        inside = self.solve_rows(v)
        through = linalg.cho_solve(self.factor, self.design.by_column(inside))[self.design.column]
        return np.asarray(inside - self.columns * self.solve_rows(through))

    def traces(self) -> Array:
        """Traces of the inverse times the derivative by each variance."""
        design, inverse = self.design, linalg.cho_solve(self.factor, np.eye(len(self.shared)))
        of_columns = float((inverse * self.shared).sum())
        of_rows = float((design.n_row / self.per_row).sum())
        of_rows -= self.columns * float((inverse * design.through(1 / self.per_row**2)).sum())
        rest = (len(design.y) - self.rows * of_rows - self.columns * of_columns) / self.residual
        return np.array([of_rows, of_columns, rest])

    def log_determinant(self) -> float:
        """Logarithm of the determinant."""
        found = float((self.design.n_row - 1).sum()) * math.log(self.residual)
        found += float(np.log(self.per_row).sum())
        return found + 2 * float(np.log(np.diag(self.factor[0])).sum())


@dataclass(frozen=True)
class Likelihood:
    """Restricted log likelihood of the variances of rows, columns and residual, with derivatives."""

    value: float
    gradient: Array
    information: Array

    @classmethod
    def at(cls, design: Crossed, variances: Array) -> Likelihood | None:
        """Compute the likelihood; None if the covariance is not positive definite."""
        covariance = Covariance.of(design, variances)
        if covariance is None:
            return None
        ones = covariance.solve(np.ones_like(design.y))
        precision = float(ones.sum())

        def project(v: Array) -> Array:
            solved = covariance.solve(v)
            return np.asarray(solved - ones * (solved.sum() / precision))

        def quadratic(v: Array) -> Array:
            return np.array([(design.by_row(v) ** 2).sum(), (design.by_column(v) ** 2).sum(), (v**2).sum()])

        projected = project(design.y)
        gradient = quadratic(projected) + quadratic(ones) / precision - covariance.traces()
        sides = [design.by_row(projected)[design.row], design.by_column(projected)[design.column], projected]
        information = np.array([[float(a @ project(b)) for b in sides] for a in sides]) / 2
        determinant = covariance.log_determinant()
        value = -(determinant + math.log(precision) + float(design.y @ projected)) / 2
        return cls(value, gradient / 2, (information + information.T) / 2)

    @property
    def is_singular(self) -> bool:
        """Whether the information has lost a direction, as at the edge of the possible covariances."""
        spread = np.sqrt(np.diag(self.information))
        if np.any(~(spread > 0)):
            return True
        return float(np.linalg.eigvalsh(self.information / spread / spread[:, None]).min()) < 1e-12


def fit_reml(design: Crossed, start: Array) -> Array | None:
    """Fit by average-information REML (Gilmour et al. 1995); None if it ends at the boundary."""
    variances, point = start, Likelihood.at(design, start)
    if point is None:
        variances = np.full(3, float(design.y @ design.y) / len(design.y) / 3)
        point = Likelihood.at(design, variances)
    for _ in range(60):
        assert point is not None  # noqa: S101 (equal positive variances always have a likelihood)
        step = np.linalg.lstsq(point.information, point.gradient)[0]
        gain = float(step @ point.gradient)
        if gain < 1e-16:
            return None if point.is_singular else variances
        least, share, reached = point.value - 1e-11 * (1 + abs(point.value)), 1.0, None
        while share > 2.0**-30:
            reached = Likelihood.at(design, variances + share * step)
            if reached is not None and reached.value > least:
                break
            reached, least, share = None, point.value, share / 2
        if reached is None:
            return None if gain > 1e-6 or point.is_singular else variances
        variances, point = variances + share * step, reached
    return None
