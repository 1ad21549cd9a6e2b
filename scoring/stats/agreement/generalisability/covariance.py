"""The covariance of ratings with many random effects, inverted without being formed whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.agreement.generalisability.facets import GROUP, ITEM, RATER, Effect, FacetDesign
from scoring.stats.base.resampling import FloatArray, IntArray

# Entries of all blocks together, and levels of the effects across blocks; 8 bytes an entry, several times.
MOST_ENTRIES = 10_000_000
MOST_ACROSS = 2_000


@dataclass(frozen=True)
class Blocks:
    """Ratings in blocks, and the effects that lie within blocks or across them.

    Notes
    -----
    V = B + Z D Z', where B is block diagonal and Z has the levels of the effects across blocks. Blocks are
    the ratings of an item, of a rater or of a group, whichever costs least.
    """

    members: tuple[IntArray, ...]  # By block size: ratings of the blocks, shape (blocks, size)
    within: tuple[int, ...]  # Effects whose levels lie in one block each
    across: tuple[int, ...]  # The others

    @classmethod
    def of(cls, design: FacetDesign) -> "Blocks | None":
        """The cheapest blocks; None where all take too much memory."""
        options = [
            _divided(design.effects, design.facets[facet])
            for facet in (ITEM, RATER, GROUP)
            if facet in design.facets
        ]
        possible = [one for one in options if one.fits(design.effects)]
        return min(possible, key=lambda one: one.cost(design.effects), default=None)

    @property
    def entries(self) -> int:
        """Entries of all blocks."""
        return sum(rows.size * rows.shape[1] for rows in self.members)

    def levels_across(self, effects: Sequence[Effect]) -> int:
        """Levels of the effects across blocks."""
        return sum(effects[at].levels for at in self.across)

    def fits(self, effects: Sequence[Effect]) -> bool:
        """Whether the matrices fit into memory."""
        return self.entries <= MOST_ENTRIES and self.levels_across(effects) <= MOST_ACROSS

    def cost(self, effects: Sequence[Effect]) -> float:
        """Roughly, multiplications for one inverse."""
        blocks = sum(rows.size * rows.shape[1] ** 2 for rows in self.members)
        return float(blocks + 30 * self.entries + self.levels_across(effects) ** 3)


def _divided(effects: Sequence[Effect], block: IntArray) -> Blocks:
    order = np.argsort(block, kind="stable")
    sizes = np.bincount(block)
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    members = tuple(
        order[starts[sizes == size][:, None] + np.arange(size)[None, :]] for size in np.unique(sizes)
    )
    last = np.zeros(len(block), dtype=np.int64)
    within = []
    for at, effect in enumerate(effects):
        last[: effect.levels] = 0
        last[effect.level] = block
        if np.array_equal(last[effect.level], block):
            within.append(at)
    return Blocks(members, tuple(within), tuple(at for at in range(len(effects)) if at not in within))


class Covariance:
    """V = Σ σ² Z Z' over the effects of a design, for which products with its inverse are quick.

    Parameters
    ----------
    design : FacetDesign
        The ratings, shape (ratings,).
    blocks : Blocks
        Of this design.
    variances : array of float, shape (effects,)
        None negative, the residual positive.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, chapters 6 and 8 and appendix M.
    """

    def __init__(self, design: FacetDesign, blocks: Blocks, variances: FloatArray) -> None:
        self.effects = design.effects
        self._variances = variances
        self._count = len(design.value)
        self._incidence = [_incidence(effect) for effect in design.effects]
        self._inverse, determinant = _block_inverse(design, blocks, variances)
        across = [self._incidence[at] for at in blocks.across]
        scales = [np.full(self.effects[at].levels, variances[at] ** 0.5) for at in blocks.across]
        joined = scipy.sparse.hstack(across).tocsr() if across else scipy.sparse.csr_array((self._count, 0))
        self._solved = (self._inverse @ joined).tocsr()
        scale = np.concatenate(scales) if scales else np.zeros(0)
        within = (joined.T @ self._solved).toarray() * np.outer(scale, scale)
        factor = np.linalg.cholesky(np.eye(len(scale)) + within)
        half = scipy.linalg.solve_triangular(factor, np.diag(scale), lower=True)
        self._middle = half.T @ half
        self.log_determinant = determinant + 2 * float(np.log(np.diag(factor)).sum())

    def solve(self, values: FloatArray) -> FloatArray:
        """The inverse of V times values, shape (ratings,)."""
        through = self._middle @ (self._solved.T @ values)
        return np.asarray(self._inverse @ values - self._solved @ through, dtype=np.float64)

    @cached_property
    def _through(self) -> list[scipy.sparse.csr_array]:
        return [(self._solved.T @ one).tocsr() for one in self._incidence[:-1]]

    @cached_property
    def traces(self) -> FloatArray:
        """Of V⁻¹ Z Z' for each effect, shape (effects,); those of V⁻¹ V are the number of ratings."""
        found = []
        for incidence, through in zip(self._incidence[:-1], self._through, strict=True):
            # Entries of the inverse between ratings with the same level.
            total = float(((self._inverse @ incidence).multiply(incidence)).sum())
            found.append(total - float((self._middle * (through @ through.T).toarray()).sum()))
        known = float(self._variances[:-1] @ np.array(found))
        return np.array([*found, (self._count - known) / self._variances[-1]])

    def squared_norms(self) -> FloatArray:
        """Squared Frobenius norm of Z' V⁻¹ Z of each pair of effects, shape (effects, effects)."""
        count = len(self.effects) - 1
        squares = [self._middle @ (one @ one.T).toarray() for one in self._through]
        found = np.empty((count + 1, count + 1))
        for j in range(count):
            product = (self._inverse @ self._incidence[j]).tocsr()
            for i in range(j + 1):
                between = (self._incidence[i].T @ product).tocsr()
                mixed = (self._through[i] @ between @ self._through[j].T).toarray()
                value = float(between.power(2).sum()) - 2 * float((self._middle * mixed).sum())
                found[i, j] = found[j, i] = value + float((squares[i] * squares[j].T).sum())
        # The residual's, since V⁻¹ V is the identity.
        variances, residual = self._variances[:-1], self._variances[-1]
        others = (self.traces[:-1] - found[:-1, :-1] @ variances) / residual
        found[-1, :-1] = found[:-1, -1] = others
        found[-1, -1] = (self.traces[-1] - float(others @ variances)) / residual
        return found


def _incidence(effect: Effect) -> scipy.sparse.csr_array:
    count = len(effect.level)
    entries = (np.ones(count), effect.level, np.arange(count + 1))
    return scipy.sparse.csr_array(entries, shape=(count, effect.levels))


def _block_inverse(
    design: FacetDesign, blocks: Blocks, variances: FloatArray
) -> tuple[scipy.sparse.csr_array, float]:
    rows, columns, values, determinant = [], [], [], 0.0
    for members in blocks.members:
        block = np.zeros((*members.shape, members.shape[1]))
        for at in blocks.within:
            if variances[at] > 0:
                level = design.effects[at].level[members]
                block += variances[at] * (level[:, :, None] == level[:, None, :])
        determinant += float(np.linalg.slogdet(block)[1].sum())
        values.append(np.linalg.inv(block).ravel())
        rows.append(np.repeat(members, members.shape[1], axis=1).ravel())
        columns.append(np.repeat(members[:, None, :], members.shape[1], axis=1).ravel())
    placed = (np.concatenate(rows), np.concatenate(columns))
    entries = (np.concatenate(values), placed)
    shape = (len(design.value), len(design.value))
    return scipy.sparse.coo_array(entries, shape=shape).tocsr(), determinant
