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
class Likelihood:
    """Restricted log likelihood of variances of rows, columns and residual, with its slopes."""

    value: float
    gradient: Array
    information: Array

    @classmethod
    def at(cls, design: Crossed, variances: Array) -> Likelihood | None:
        """None where the covariance is not positive definite."""
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

        def in_rows(v: Array) -> Array:
            return (v - rows * (design.by_row(v) / per_row)[design.row]) / residual

        def solve(v: Array) -> Array:
            inside = in_rows(v)
            through = linalg.cho_solve(factor, design.by_column(inside))[design.column]
            return np.asarray(inside - columns * in_rows(through))

        ones = solve(np.ones_like(design.y))
        precision = float(ones.sum())

        def project(v: Array) -> Array:
            solved = solve(v)
            return np.asarray(solved - ones * (solved.sum() / precision))

        def quadratic(v: Array) -> Array:
            return np.array([(design.by_row(v) ** 2).sum(), (design.by_column(v) ** 2).sum(), (v**2).sum()])

        projected, inverse = project(design.y), linalg.cho_solve(factor, np.eye(len(shared)))
        of_columns = float((inverse * shared).sum())
        of_rows = float((design.n_row / per_row).sum())
        of_rows -= columns * float((inverse * design.through(1 / per_row**2)).sum())
        rest = (len(design.y) - rows * of_rows - columns * of_columns) / residual
        gradient = quadratic(projected) + quadratic(ones) / precision - np.array([of_rows, of_columns, rest])
        sides = [design.by_row(projected)[design.row], design.by_column(projected)[design.column], projected]
        information = np.array([[float(a @ project(b)) for b in sides] for a in sides]) / 2
        determinant = float((design.n_row - 1).sum()) * math.log(residual) + float(np.log(per_row).sum())
        determinant += 2 * float(np.log(np.diag(factor[0])).sum())
        value = -(determinant + math.log(precision) + float(design.y @ projected)) / 2
        return cls(value, gradient / 2, (information + information.T) / 2)


def reml(design: Crossed, start: Array) -> Array | None:
    """Average-information REML (Gilmour et al. 1995); None where it ends at the edge of what is possible."""
    variances, point = start, Likelihood.at(design, start)
    if point is None:
        variances = np.full(3, float(design.y @ design.y) / len(design.y) / 3)
        point = Likelihood.at(design, variances)
    for _ in range(60):
        assert point is not None  # noqa: S101 (equal positive variances always have a likelihood)
        step = np.linalg.lstsq(point.information, point.gradient)[0]
        gain = float(step @ point.gradient)
        if gain < 1e-16:
            return variances
        least, share, reached = point.value - 1e-11 * (1 + abs(point.value)), 1.0, None
        while share > 2.0**-30:
            reached = Likelihood.at(design, variances + share * step)
            if reached is not None and reached.value > least:
                break
            reached, least, share = None, point.value, share / 2
        if reached is None:
            return None if gain > 1e-6 else variances
        variances, point = variances + share * step, reached
    return None
