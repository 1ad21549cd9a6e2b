"""Crossed design of items and raters with empty cells: sums of squares and their distributions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings

# Spectra of at most this many terms are exact; longer ones are matched by two terms with the same moments.
EXACT_SPECTRUM = 100

# With at most this many row sizes, what columns share is counted once and then only weighed.
FEW_SIZES = 8


@dataclass(frozen=True)
class Components:
    """Variance components of single ratings."""

    # item, rater, residual: Variances; those of item and rater may be negative
    item: float
    rater: float
    residual: float


@dataclass(frozen=True)
class Spectrum:
    """Distribution of an adjusted sum of squares: Σ (σ² + σ_factor² · weight) χ²(df)."""

    weights: FloatArray  # Non-zero eigenvalues of the adjusted design
    df: FloatArray  # Degrees of freedom of each

    @property
    def trace(self) -> float:
        """Sum of the eigenvalues."""
        return float(self.weights @ self.df)


@dataclass(frozen=True)
class Crossed:
    """Ratings of rows (the larger factor) by columns (the smaller), at most one a cell."""

    # row, column: Codes of each rating
    row: IntArray
    column: IntArray
    value: FloatArray  # The ratings, less their mean
    items_are_rows: bool  # Whether the items are the larger factor

    @classmethod
    def of(cls, ratings: Ratings) -> "Crossed":
        """The crossed design of one criterion's ratings."""
        centred = ratings.value - ratings.value.mean()
        if ratings.n_items >= len(ratings.raters):
            return cls(ratings.item, ratings.rater, centred, True)
        return cls(ratings.rater, ratings.item, centred, False)

    @cached_property
    def incidence(self) -> scipy.sparse.csr_array:
        """1 where a row was rated by a column, shape (rows, columns)."""
        return scipy.sparse.coo_array((np.ones(len(self.value)), (self.row, self.column))).tocsr()

    @cached_property
    def row_sizes(self) -> FloatArray:
        """Ratings of each row."""
        return np.bincount(self.row).astype(np.float64)

    @cached_property
    def column_sizes(self) -> FloatArray:
        """Ratings of each column."""
        return np.bincount(self.column).astype(np.float64)

    @property
    def n_rows(self) -> int:
        """Size of the larger factor."""
        return len(self.row_sizes)

    @property
    def n_columns(self) -> int:
        """Size of the smaller factor."""
        return len(self.column_sizes)

    @cached_property
    def _shared_by_size(self) -> list[tuple[int, scipy.sparse.csr_array]]:
        """A row of each size, and how many rows of that size each pair of columns has in common."""
        shared = []
        for size in np.unique(self.row_sizes):
            rows = np.flatnonzero(self.row_sizes == size)
            part = self.incidence[rows]
            shared.append((int(rows[0]), (part.T @ part).tocsr()))
        return shared

    def through_rows(self, weights: FloatArray) -> scipy.sparse.csr_array:
        """Sum of the weights of the rows where both columns occur, shape (columns, columns).

        Parameters
        ----------
        weights
            A weight of each row, the same for rows of the same size.
        """
        if len(np.unique(self.row_sizes)) > FEW_SIZES:
            direct: scipy.sparse.csr_array = (
                self.incidence.T @ scipy.sparse.diags_array(weights) @ self.incidence
            ).tocsr()
            return direct
        total = scipy.sparse.csr_array((self.n_columns, self.n_columns), dtype=np.float64)
        for row, shared in self._shared_by_size:
            total = (total + shared * float(weights[row])).tocsr()
        return total

    @cached_property
    def pieces(self) -> int:
        """Number of parts of the design that share neither rows nor columns."""
        size = self.n_rows + self.n_columns
        edges = (np.ones(len(self.value)), (self.row, self.n_rows + self.column))
        return int(
            scipy.sparse.csgraph.connected_components(
                scipy.sparse.coo_array(edges, shape=(size, size)), directed=False
            )[0]
        )

    @property
    def residual_df(self) -> int:
        """Degrees of freedom left when rows and columns are fitted."""
        return len(self.value) - self.n_rows - self.n_columns + self.pieces

    def components(self, rows: float, columns: float, residual: float) -> Components:
        """Variances of rows and columns by their names."""
        item, rater = (rows, columns) if self.items_are_rows else (columns, rows)
        return Components(item, rater, residual)

    def row_sums(self, values: FloatArray) -> FloatArray:
        """Sum of the values in each row."""
        return np.bincount(self.row, values, self.n_rows).astype(np.float64, copy=False)

    def column_sums(self, values: FloatArray) -> FloatArray:
        """Sum of the values in each column."""
        return np.bincount(self.column, values, self.n_columns).astype(np.float64, copy=False)

    @cached_property
    def sums_of_squares(self) -> tuple[float, float, float]:
        """Rows adjusted for columns, columns adjusted for rows, residual (Henderson's method III)."""
        within_rows = self.value - (self.row_sums(self.value) / self.row_sizes)[self.row]
        adjusted = self.column_sums(within_rows)
        columns = float(adjusted @ self._column_effects(adjusted))
        residual = max(float(within_rows @ within_rows) - columns, 0.0)
        within_columns = self.value - (self.column_sums(self.value) / self.column_sizes)[self.column]
        return max(float(within_columns @ within_columns) - residual, 0.0), columns, residual

    @cached_property
    def _reduced(self) -> scipy.sparse.csr_array:
        """Normal equations of the columns when the rows are eliminated, shape (columns, columns)."""
        shared = self.through_rows(1 / self.row_sizes)
        reduced: scipy.sparse.csr_array = (scipy.sparse.diags_array(self.column_sizes) - shared).tocsr()
        return reduced

    def _column_effects(self, adjusted: FloatArray) -> FloatArray:
        if self.n_columns <= EXACT_SPECTRUM:
            weights, vectors = np.linalg.eigh(self._reduced.toarray())
            estimable = slice(self.pieces, None)
            turned = (vectors.T @ adjusted)[estimable] / weights[estimable]
            return np.asarray(vectors[:, estimable] @ turned, dtype=np.float64)
        effects, _ = scipy.sparse.linalg.cg(
            self._reduced, adjusted, rtol=1e-13, maxiter=10 * self.n_columns + 100
        )
        return np.asarray(effects, dtype=np.float64)

    @cached_property
    def row_spectrum(self) -> Spectrum:
        """Spectrum of the rows adjusted for the columns."""
        weighted = scipy.sparse.diags_array(1 / np.sqrt(self.column_sizes))
        shared = weighted @ self.through_rows(np.ones(self.n_rows)) @ weighted
        through_columns = self.incidence.power(2) @ (1 / self.column_sizes)
        trace = len(self.value) - self.n_columns
        square = (
            float((self.row_sizes**2).sum())
            - 2 * float(self.row_sizes @ through_columns)
            + float(shared.power(2).sum())
        )
        terms = self.n_rows - self.pieces
        if terms <= EXACT_SPECTRUM:
            scaled = self.incidence @ weighted
            return _exact(np.diag(self.row_sizes) - (scaled @ scaled.T).toarray(), terms)
        return _matched(terms, trace, square)

    @cached_property
    def column_spectrum(self) -> Spectrum:
        """Spectrum of the columns adjusted for the rows."""
        terms = self.n_columns - self.pieces
        if terms <= EXACT_SPECTRUM:
            return _exact(self._reduced.toarray(), terms)
        return _matched(terms, len(self.value) - self.n_rows, float(self._reduced.power(2).sum()))


def _exact(adjusted: FloatArray, terms: int) -> Spectrum:
    weights = np.linalg.eigvalsh(adjusted)[len(adjusted) - terms :].astype(np.float64)
    return Spectrum(weights, np.ones(terms))


def _matched(terms: int, trace: float, square: float) -> Spectrum:
    mean = trace / terms
    spread = np.sqrt(max(square / terms - mean**2, 0.0))
    return Spectrum(np.array([max(mean - spread, 0.0), mean + spread]), np.array([terms / 2, terms / 2]))
