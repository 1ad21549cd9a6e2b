"""Strengths of items from rankings, after Plackett and Luce."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.choices.bradley_terry import MOST_FITTED, NOT_CONNECTED, NOT_CONVERGED, TOO_MANY_ITEMS
from scoring.stats.choices.rankings.coded_rankings import Ranked, blocking_items

MOST_STEPS = 200
# The search ends when a Newton step is expected to gain less log likelihood than this.
CLOSE = 1e-12


@dataclass(frozen=True)
class Strengths:
    """Plackett–Luce strengths, or the reason why there are none."""

    names: tuple[str, ...]  # Items
    # strength, error: On the scale of log odds, with mean 0; NaN where `reason` is set
    strength: FloatArray
    error: FloatArray  # Standard errors from the observed information
    log_likelihood: float
    n_rankings: int
    reason: str = ""
    # Items that no item outside their set was ever placed above, where the reason is `not_connected`
    blocking: tuple[str, ...] = ()

    def limits(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Limits of Wald's intervals of the strengths."""
        half = float(scipy.stats.norm.ppf(0.5 + confidence / 2)) * self.error
        return self.strength - half, self.strength + half


def plackett_luce(ranked: Ranked) -> Strengths:
    """Maximum likelihood strengths of all items.

    The first of a ranking is chosen from all its items with odds exp(strength), the second from the rest, and
    so on. Rankings may be of different sets of items.

    Parameters
    ----------
    ranked
        Rankings without ties.

    Returns
    -------
    Strengths
        By Newton's method; the maximum is the only one. Standard errors are those of strengths with mean 0,
        from the pseudoinverse of the observed information; they take rankings as independent, also those of
        one rater. `not_connected` where some items are never placed below any of the others, so that the
        likelihood rises without end, and `too_many_items` beyond 1,000 items.

    References
    ----------
    Plackett (1975); Luce (1959); Hunter (2004), assumption 1 and section 5.
    """
    n = len(ranked.names)
    if n > MOST_FITTED:
        return _without(ranked, TOO_MANY_ITEMS)
    if blocking := blocking_items(ranked.wins()):
        return _without(ranked, NOT_CONNECTED, tuple(ranked.names[one] for one in blocking))
    stages = _Stages.of(ranked)
    strength = np.zeros(n)
    value, slope, information = stages.at(strength)
    for _ in range(MOST_STEPS):
        # Adding the constant matrix fixes the mean, to which the likelihood is indifferent.
        step = np.linalg.solve(information + 1 / n, slope)
        if slope @ step < CLOSE:
            # This inverse is the pseudoinverse and the same constant matrix.
            error = np.sqrt(np.diag(np.linalg.inv(information + 1 / n)) - 1 / n)
            return Strengths(ranked.names, strength, error, value, ranked.n_answers)
        length = 1.0
        worse = value - CLOSE * abs(value)
        while stages.log_likelihood(strength + length * step) < worse and length > CLOSE:
            length /= 2
        strength = strength + length * step
        strength -= strength.mean()
        value, slope, information = stages.at(strength)
    return _without(ranked, NOT_CONVERGED)


def _without(ranked: Ranked, reason: str, blocking: tuple[str, ...] = ()) -> Strengths:
    nothing = np.full(len(ranked.names), math.nan)
    return Strengths(ranked.names, nothing, nothing, math.nan, ranked.n_answers, reason, blocking)


@dataclass(frozen=True)
class _Stages:
    """Choices of the next item from those that are left, one row of the matrix for each choice."""

    left: scipy.sparse.csr_array  # 1 for each item that can be chosen, shape (choices, items)
    chosen: FloatArray  # How often each item was chosen

    @classmethod
    def of(cls, ranked: Ranked) -> "_Stages":
        order = np.lexsort((ranked.place, ranked.answer))
        item, place = ranked.item[order], ranked.place[order]
        size = ranked.sizes[ranked.answer[order]]
        # The last of a ranking is no choice.
        choices = np.flatnonzero(place < size - 1)
        number = (size - place)[choices]
        rows = np.repeat(np.arange(len(choices)), number)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
        columns = item[np.repeat(choices, number) + within]
        shape = (len(choices), len(ranked.names))
        left = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr()
        chosen = np.bincount(item[choices], minlength=len(ranked.names)).astype(np.float64)
        return cls(left, chosen)

    def log_likelihood(self, strength: FloatArray) -> float:
        """Log probability of all choices."""
        highest = float(strength.max())
        total = self.left @ np.exp(strength - highest)
        return float(self.chosen @ strength - (np.log(total) + highest).sum())

    def at(self, strength: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Log likelihood, its slope, and the observed information."""
        odds = np.exp(strength - strength.max())
        probability = self.left.multiply(odds[None, :]).tocsr()
        probability = scipy.sparse.diags_array(1 / (self.left @ odds)) @ probability
        expected = np.asarray(probability.sum(axis=0)).ravel()
        information = np.diag(expected) - (probability.T @ probability).toarray()
        return self.log_likelihood(strength), self.chosen - expected, information
