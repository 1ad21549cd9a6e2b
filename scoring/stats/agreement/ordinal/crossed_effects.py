"""Crossed random effects with one large factor, which is eliminated analytically."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray


@dataclass(frozen=True)
class Factors:
    """Which level of each random factor every rating belongs to; the factor with the most levels is first."""

    names: tuple[str, ...]
    levels: tuple[IntArray, ...]  # Code of each rating, shape (ratings,), one array a factor
    sizes: tuple[int, ...]  # Number of levels of each factor

    @classmethod
    def of(cls, codes: dict[str, IntArray]) -> "Factors":
        """Order factors by their number of levels, the greatest first."""
        sizes = {name: int(code.max()) + 1 for name, code in codes.items()}
        names = tuple(sorted(codes, key=lambda name: -sizes[name]))
        return cls(names, tuple(codes[name] for name in names), tuple(sizes[name] for name in names))

    @cached_property
    def starts(self) -> IntArray:
        """Where the effects of each factor begin in the vector of all effects, shape (factors + 1,)."""
        return np.concatenate(([0], np.cumsum(self.sizes)))

    def part(self, effects: FloatArray, factor: int) -> FloatArray:
        """The effects of one factor."""
        return effects[self.starts[factor] : self.starts[factor + 1]]

    def contributions(self, effects: FloatArray, scales: FloatArray) -> FloatArray:
        """What the effects add to the linear predictor of each rating, in units of `scales`."""
        each = (
            scale * self.part(effects, factor)[self.levels[factor]] for factor, scale in enumerate(scales)
        )
        return np.asarray(sum(each), dtype=np.float64)

    def sums(self, values: FloatArray, scales: FloatArray) -> FloatArray:
        """Sum values of ratings by level of each factor, in units of `scales`; shape (effects,)."""
        parts = [
            scale * np.bincount(codes, weights=values, minlength=size)
            for codes, size, scale in zip(self.levels, self.sizes, scales, strict=True)
        ]
        return np.concatenate(parts)


class Curvature:
    """The matrix H = A'WA + I, where A maps standardised effects to ratings; never formed whole.

    Parameters
    ----------
    factors : Factors
        Levels of each rating.
    weight : array of float, shape (ratings,)
        Curvature W of the log likelihood at each rating.
    scales : array of float, shape (factors,)
        Standard deviation of each factor's effects.

    Notes
    -----
    A rating has one level of the first factor, so its block of H is diagonal. The rest is the Schur
    complement, a dense matrix with as many rows as the other factors have levels together.
    """

    def __init__(self, factors: Factors, weight: FloatArray, scales: FloatArray) -> None:
        self.factors, self.weight, self.scales = factors, weight, scales
        first, size = factors.levels[0], factors.sizes[0]
        self._diagonal = 1 + scales[0] ** 2 * np.bincount(first, weights=weight, minlength=size)
        others = range(1, len(factors.names))
        width = int(factors.starts[-1]) - size
        self._columns = [factors.levels[other] + int(factors.starts[other]) - size for other in others]
        scaled = list(zip(self._columns, scales[1:], strict=True))
        across = [(first, column, scales[0] * scale) for column, scale in scaled]
        self._across = _sparse(across, weight, (size, width))
        pairs = [(one, other, a * b) for one, a in scaled for other, b in scaled]
        within = _sparse(pairs, weight, (width, width))
        self._scaled = scipy.sparse.diags(1 / self._diagonal) @ self._across
        schur = (within - self._across.T @ self._scaled).toarray() + np.eye(width)
        self._factor = scipy.linalg.cho_factor(schur, lower=True)

    @property
    def log_determinant(self) -> float:
        """Natural logarithm of the determinant of H."""
        return float(np.log(self._diagonal).sum() + 2 * np.log(np.diag(self._factor[0])).sum())

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve H x = right, shape (effects,)."""
        size = self.factors.sizes[0]
        top, bottom = right[:size], right[size:]
        lower = scipy.linalg.cho_solve(self._factor, bottom - self._scaled.T @ top)
        return np.concatenate((top / self._diagonal - self._scaled @ lower, lower))

    @cached_property
    def _blocks(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of the inverse: diagonal of the first factor, first factor by others, others by others."""
        others = scipy.linalg.cho_solve(self._factor, np.eye(self._across.shape[1]))
        across = -(self._scaled @ others)
        diagonal = 1 / self._diagonal - np.asarray(self._scaled.multiply(across).sum(axis=1)).ravel()
        return diagonal, across, others

    def variances(self) -> FloatArray:
        """Diagonal of the inverse of H: variances of the standardised effects given the ratings."""
        diagonal, _, others = self._blocks
        return np.concatenate((diagonal, np.diag(others)))

    def leverages(self) -> FloatArray:
        """For each factor and rating, (H⁻¹ a) at the factor's level, where a is the rating's row of A.

        Returns
        -------
        array of float, shape (factors, ratings)
        """
        diagonal, across, others = self._blocks
        first, scales = self.factors.levels[0], self.scales
        found = np.empty((len(scales), len(first)))
        found[0] = scales[0] * diagonal[first]
        for i, one in enumerate(self._columns, start=1):
            shared = across[first, one]
            found[0] += scales[i] * shared
            found[i] = scales[0] * shared
            for j, another in enumerate(self._columns, start=1):
                found[i] += scales[j] * others[one, another]
        return found


def _sparse(
    entries: list[tuple[IntArray, IntArray, float]], weight: FloatArray, shape: tuple[int, int]
) -> scipy.sparse.csr_array:
    if not entries:
        return scipy.sparse.csr_array(shape)
    rows = np.concatenate([row for row, _, _ in entries])
    columns = np.concatenate([column for _, column, _ in entries])
    values = np.concatenate([scale * weight for _, _, scale in entries])
    return scipy.sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()
