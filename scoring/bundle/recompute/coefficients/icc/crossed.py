"""Items and raters crossed with empty cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg

from ...arrays import Array
from ...ratings import Ratings

EXACT_SPECTRUM = 100


@dataclass(frozen=True)
class Crossed:
    """Items crossed with raters, with empty cells; rows are the larger factor."""

    row: Array
    column: Array
    y: Array
    items_are_rows: bool

    @classmethod
    def of(cls, ratings: Ratings) -> Crossed:
        """Return the design of a criterion's ratings."""
        y = ratings.value - ratings.value.mean()
        if ratings.n_items >= len(ratings.raters):
            return cls(ratings.item, ratings.rater, y, True)
        return cls(ratings.rater, ratings.item, y, False)

    @cached_property
    def cells(self) -> sparse.csr_array:
        """Matrix with 1 where a row and a column meet."""
        return sparse.coo_array((np.ones(len(self.y)), (self.row, self.column))).tocsr()

    @cached_property
    def n_row(self) -> Array:
        """Number of ratings of each row."""
        return np.bincount(self.row).astype(float)

    @cached_property
    def n_column(self) -> Array:
        """Number of ratings of each column."""
        return np.bincount(self.column).astype(float)

    @cached_property
    def pieces(self) -> int:
        """Number of unconnected parts of the design."""
        size = len(self.n_row) + len(self.n_column)
        edges = (np.ones(len(self.y)), (self.row, len(self.n_row) + self.column))
        return int(connected_components(sparse.coo_array(edges, shape=(size, size)), directed=False)[0])

    @cached_property
    def degrees(self) -> tuple[int, int, int]:
        """Degrees of freedom of rows, columns and residual."""
        rows, columns = len(self.n_row) - self.pieces, len(self.n_column) - self.pieces
        return rows, columns, len(self.y) - rows - columns - self.pieces

    def through(self, weights: Array) -> Array:
        """Sum weight × column × column over the rows."""
        return np.asarray((self.cells.T @ sparse.diags_array(weights) @ self.cells).toarray())

    def by_row(self, values: Array) -> Array:
        """Sum values by row."""
        return np.bincount(self.row, values, len(self.n_row))

    def by_column(self, values: Array) -> Array:
        """Sum values by column."""
        return np.bincount(self.column, values, len(self.n_column))

    @cached_property
    def reduced(self) -> Array:
        """Normal equations of the columns with the rows eliminated."""
        return np.asarray(np.diag(self.n_column) - self.through(1 / self.n_row))

    @cached_property
    def squares(self) -> Array:
        """Rows adjusted for columns, columns for rows, residual."""
        within_rows = self.y - (self.by_row(self.y) / self.n_row)[self.row]
        adjusted = self.by_column(within_rows)
        if len(self.n_column) <= EXACT_SPECTRUM:
            effects = np.linalg.lstsq(self.reduced, adjusted)[0]
        else:
            limit = 10 * len(self.n_column) + 100
            effects = cg(sparse.csr_array(self.reduced), adjusted, rtol=1e-13, maxiter=limit)[0]
        columns = float(adjusted @ effects)
        residual = max(float(within_rows @ within_rows) - columns, 0.0)
        within_columns = self.y - (self.by_column(self.y) / self.n_column)[self.column]
        return np.array([max(float(within_columns @ within_columns) - residual, 0.0), columns, residual])

    def spectrum(self, rows: bool) -> tuple[Array, Array]:
        """Weights and degrees of freedom of an adjusted sum of squares; two matched terms beyond 100."""
        terms = self.degrees[0 if rows else 1]
        if not rows:
            if terms <= EXACT_SPECTRUM:
                return compute_spectrum(self.reduced, terms)
            return match_spectrum(terms, len(self.y) - len(self.n_row), float((self.reduced**2).sum()))
        scaled = self.cells @ sparse.diags_array(1 / np.sqrt(self.n_column))
        if terms <= EXACT_SPECTRUM:
            return compute_spectrum(np.diag(self.n_row) - (scaled @ scaled.T).toarray(), terms)
        shared = (scaled.T @ scaled).toarray()
        square = (
            (self.n_row**2).sum() - 2 * self.n_row @ (self.cells @ (1 / self.n_column)) + (shared**2).sum()
        )
        return match_spectrum(terms, len(self.y) - len(self.n_column), float(square))

    def henderson(self) -> Array:
        """Estimate the components from adjusted sums of squares (Henderson's method III)."""
        residual = self.squares[2] / self.degrees[2]
        found = [
            (self.squares[position] - residual * df.sum()) / float(weights @ df)
            for position, (weights, df) in enumerate((self.spectrum(True), self.spectrum(False)))
        ]
        return np.array([*found, residual])

    def gao_owen(self) -> Array:
        """Estimate the components from three U-statistics (Gao & Owen 2017, section 4)."""
        n, rows, columns = len(self.y), self.n_row, self.n_column
        squares = float(self.y @ self.y)
        system = np.array(
            [
                [0.0, n - len(rows), n - len(rows)],
                [n - len(columns), 0.0, n - len(columns)],
                [n**2 - (rows**2).sum(), n**2 - (columns**2).sum(), n**2 - n],
            ]
        )
        within_rows = squares - float((self.by_row(self.y) ** 2 / rows).sum())
        within_columns = squares - float((self.by_column(self.y) ** 2 / columns).sum())
        return np.asarray(np.linalg.solve(system, [within_rows, within_columns, n * squares]))


def compute_spectrum(matrix: Array, terms: int) -> tuple[Array, Array]:
    """Compute the largest eigenvalues."""
    return np.linalg.eigvalsh(matrix)[len(matrix) - terms :], np.ones(terms)


def match_spectrum(terms: int, trace: float, square: float) -> tuple[Array, Array]:
    """Return two terms with the mean and spread of all eigenvalues."""
    mean = trace / terms
    spread = math.sqrt(max(square / terms - mean**2, 0.0))
    return np.array([max(mean - spread, 0.0), mean + spread]), np.array([terms / 2, terms / 2])
