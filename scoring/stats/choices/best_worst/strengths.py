"""Strengths of items from choices of the best and the worst."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.choices.bradley_terry import MOST_FITTED, NOT_CONNECTED, NOT_CONVERGED, TOO_MANY_ITEMS
from scoring.stats.choices.rankings.coded_rankings import Ranked, blocking_items

MOST_STEPS = 200
# The search ends when a Newton step is expected to gain less log likelihood than this.
CLOSE = 1e-12
BEST, BETWEEN, WORST = 0, 1, 2


@dataclass(frozen=True)
class BestWorstStrengths:
    """Strengths of items, or the reason why there are none."""

    # strength: On the scale of log odds, with mean 0; NaN where `reason` is set
    strength: FloatArray
    inverse: FloatArray  # Pseudoinverse of the observed information, shape (items, items)
    slopes: scipy.sparse.csr_array  # Slope of the log likelihood of each answer, shape (answers, items)
    log_likelihood: float
    reason: str = ""
    # Items that no item outside their set was ever placed above, where the reason is `not_connected`
    blocking: tuple[str, ...] = ()

    @property
    def error(self) -> FloatArray:
        """Standard errors from the observed information, which take answers as independent."""
        return np.sqrt(np.diag(self.inverse))


def best_worst_strengths(ranked: Ranked) -> BestWorstStrengths:
    """Maximum likelihood strengths of all items.

    The best of a set is chosen as in a ranking after Plackett and Luce, with odds exp(strength); then the
    worst of the others, with odds exp(−strength).

    Parameters
    ----------
    ranked
        Best–worst choices.

    Returns
    -------
    BestWorstStrengths
        By Newton's method; the maximum is the only one. `not_connected` where some items are never
        placed below any of the others, and
        `too_many_items` beyond 1,000 items.

    References
    ----------
    Marley & Louviere (2005), Some probabilistic models of best, worst, and best–worst choices.
    """
    n = len(ranked.names)
    if n > MOST_FITTED:
        return _without(n, TOO_MANY_ITEMS)
    if blocking := blocking_items(ranked.wins()):
        return _without(n, NOT_CONNECTED, tuple(ranked.names[one] for one in blocking))
    choices = _Choices.of(ranked)
    strength = np.zeros(n)
    for _ in range(MOST_STEPS):
        value = choices.log_likelihood(strength)
        slope, information = choices.at(strength)
        # Adding the constant matrix fixes the mean, to which the likelihood is indifferent.
        step = np.linalg.solve(information + 1 / n, slope)
        if slope @ step < CLOSE:
            # This inverse is the pseudoinverse and the same constant matrix.
            inverse = np.asarray(np.linalg.inv(information + 1 / n) - 1 / n, dtype=np.float64)
            return BestWorstStrengths(strength, inverse, choices.slopes(strength), value)
        length, worse = 1.0, value - CLOSE * abs(value)
        while choices.log_likelihood(strength + length * step) < worse and length > CLOSE:
            length /= 2
        strength = strength + length * step
        strength -= strength.mean()
    return _without(n, NOT_CONVERGED)


def _without(n: int, reason: str, blocking: tuple[str, ...] = ()) -> BestWorstStrengths:
    none = scipy.sparse.csr_array((0, n))
    nothing = np.full(n, math.nan), np.full((n, n), math.nan)
    return BestWorstStrengths(*nothing, none, math.nan, reason, blocking)


@dataclass(frozen=True)
class _Choices:
    """Two choices of each answer: the best of all its items, and the worst of the others."""

    left: scipy.sparse.csr_array  # 1 for each item that can be chosen, shape (choices, items)
    chosen: IntArray  # Item of each choice
    sign: FloatArray  # 1 for a best and −1 for a worst

    @classmethod
    def of(cls, ranked: Ranked) -> "_Choices":
        n_answers, n = ranked.n_answers, len(ranked.names)
        rows = [np.arange(len(ranked.item)), np.flatnonzero(ranked.place != BEST)]
        answer = np.concatenate([ranked.answer[rows[0]], ranked.answer[rows[1]] + n_answers])
        item = np.concatenate([ranked.item[one] for one in rows])
        left = scipy.sparse.coo_array((np.ones(len(item)), (answer, item)), shape=(2 * n_answers, n)).tocsr()
        chosen = np.empty(2 * n_answers, dtype=np.int64)
        for place, first in ((BEST, 0), (WORST, n_answers)):
            at = ranked.place == place
            chosen[first + ranked.answer[at]] = ranked.item[at]
        return cls(left, chosen, np.repeat([1.0, -1.0], n_answers))

    def _odds(self, strength: FloatArray) -> scipy.sparse.csr_array:
        odds = self.left.copy()
        sign = np.repeat(self.sign, np.diff(self.left.indptr))
        odds.data = np.exp(sign * strength[self.left.indices])
        return odds

    def slopes(self, strength: FloatArray) -> scipy.sparse.csr_array:
        """Slope of the log likelihood of each answer, shape (answers, items)."""
        odds = self._odds(strength)
        share = scipy.sparse.diags_array(self.sign / np.asarray(odds.sum(axis=1)).ravel()) @ odds
        rows = np.arange(len(self.chosen))
        taken = scipy.sparse.coo_array((self.sign, (rows, self.chosen)), shape=self.left.shape)
        slope = (taken - share).tocsr()
        half = len(self.chosen) // 2
        both: scipy.sparse.csr_array = (slope[:half] + slope[half:]).tocsr()
        return both

    def log_likelihood(self, strength: FloatArray) -> float:
        """Log probability of all choices."""
        total = np.asarray(self._odds(strength).sum(axis=1)).ravel()
        return float((self.sign * strength[self.chosen] - np.log(total)).sum())

    def at(self, strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Slope of the log likelihood, and the observed information."""
        odds = self._odds(strength)
        total = np.asarray(odds.sum(axis=1)).ravel()
        share = (scipy.sparse.diags_array(1 / total) @ odds).tocsr()
        expected = np.asarray(share.sum(axis=0)).ravel()
        taken = np.bincount(self.chosen, self.sign, minlength=len(strength))
        return taken - share.T @ self.sign, np.diag(expected) - (share.T @ share).toarray()
