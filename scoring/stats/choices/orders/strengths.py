"""Plackett–Luce strengths of candidates from orders of the first few or of all, with resampled intervals."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval
from scoring.stats.choices.bradley_terry import (
    MOST_REPLICATES,
    NOT_CONNECTED,
    NOT_CONVERGED,
)

TIED_RANKS = "tied_ranks"
MOST_STEPS = 200
# The search ends when a Newton step is expected to gain less log likelihood than this.
CLOSE = 1e-12


@dataclass(frozen=True)
class Stages:
    """Choices of the next best from those that are left, counted by unit.

    Parameters
    ----------
    left
        Whether a candidate could be chosen, one row for each kind of choice, shape (kinds, candidates).
    best
        The candidate that was chosen, shape (kinds,).
    times
        How often a choice was made, sparse, shape (units, kinds).
    is_tied
        Whether an answer ties options above its last ones, so that it shows no choice there.
    """

    left: FloatArray
    best: IntArray
    times: scipy.sparse.csr_array
    is_tied: bool

    @classmethod
    def of(cls, code: IntArray, place: IntArray, unit: IntArray, n: int, n_units: int) -> "Stages":
        """From candidates and places of the options of each answer, and the unit of each answer."""
        kinds: dict[tuple[int, tuple[int, ...]], int] = {}
        found: list[tuple[int, int]] = []
        is_tied = False
        for own_code, own_place, own_unit in zip(code, place, unit, strict=True):
            for stage in range(own_place.max()):
                best = own_code[own_place == stage]
                is_tied = is_tied or len(best) > 1
                left = tuple(sorted(own_code[own_place >= stage].tolist()))
                found.append((int(own_unit), kinds.setdefault((int(best[0]), left), len(kinds))))
        rows = np.zeros((len(kinds), n))
        for (_, left), number in kinds.items():
            rows[number, list(left)] = 1.0
        units, numbers = np.array(found, dtype=np.int64).reshape(-1, 2).T
        shape = (n_units, len(kinds))
        times = scipy.sparse.coo_array((np.ones(len(found)), (units, numbers)), shape=shape).tocsr()
        best_ones = np.array([best for best, _ in kinds], dtype=np.int64)
        return cls(rows, best_ones, times, is_tied)

    @property
    def n(self) -> int:
        """Number of candidates."""
        return int(self.left.shape[1])

    def reason(self) -> str:
        """Why the strengths have no estimates; empty where they have estimates."""
        if self.n < 2:
            return TOO_FEW_ITEMS
        if self.is_tied:
            return TIED_RANKS
        return (
            "" if self._is_connected(np.asarray(self.times.sum(axis=0), dtype=np.float64)) else NOT_CONNECTED
        )

    def fitted(self, drawn: FloatArray) -> FloatArray:
        """Strengths with mean 0 where each unit counts so often; NaN where they are not finite.

        By Newton's method with halved steps, as `plackett_luce` finds them.
        """
        nothing = np.full(self.n, np.nan)
        times = np.asarray(self.times.T @ drawn, dtype=np.float64)
        if not self._is_connected(times):
            return nothing
        chosen = np.bincount(self.best, weights=times, minlength=self.n).astype(np.float64)
        strength = np.zeros(self.n)
        for _ in range(MOST_STEPS):
            value = self._log_likelihood(strength, times, chosen)
            slope, information = self._slope(strength, times, chosen)
            # Adding the constant matrix fixes the mean, to which the likelihood is indifferent.
            step = np.linalg.solve(information + 1 / self.n, slope)
            if slope @ step < CLOSE:
                return strength
            length, worse = 1.0, value - CLOSE * abs(value)
            while self._log_likelihood(strength + length * step, times, chosen) < worse and length > CLOSE:
                length /= 2
            strength = strength + length * step
            strength -= strength.mean()
        return nothing

    def _is_connected(self, times: FloatArray) -> bool:
        """Whether each candidate can be reached from each other one through choices of it over the next."""
        won = np.zeros((self.n, self.n))
        np.add.at(won, self.best, self.left * (times > 0)[:, None])
        parts, _ = scipy.sparse.csgraph.connected_components(won > 0, directed=True, connection="strong")
        return bool(parts == 1)

    def _log_likelihood(self, strength: FloatArray, times: FloatArray, chosen: FloatArray) -> float:
        highest = float(strength.max())
        total = self.left @ np.exp(strength - highest)
        return float(chosen @ strength - times @ (np.log(total) + highest))

    def _slope(
        self, strength: FloatArray, times: FloatArray, chosen: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        odds = self.left * np.exp(strength - strength.max())
        share = odds / odds.sum(axis=1, keepdims=True)
        expected = times @ share
        return chosen - expected, np.diag(expected) - (share.T * times) @ share


def strength_intervals(
    stages: Stages, criterion: str, resampling: Resampling, drawn: str
) -> tuple[FloatArray, list[Interval], str]:
    """Strengths of all candidates with percentile intervals, or the reason why there are none.

    Parameters
    ----------
    stages
        The choices.
    criterion
        Name of the question.
    resampling
        Replicates (at most 500 are used), seed and confidence.
    drawn
        Unit of resampling, `items` or `groups`.
    """
    n, n_units = stages.n, stages.times.shape[0]
    reason = stages.reason()
    strengths = np.full(n, np.nan) if reason else stages.fitted(np.ones(n_units))
    if not reason and np.isnan(strengths).any():
        reason = NOT_CONVERGED
    if reason:
        return strengths, [Interval.missing(reason)] * n, reason
    if n_units < FEWEST_UNITS:
        return strengths, [nothing_to_draw(drawn)] * n, ""
    how = Resampling(min(resampling.replicates, MOST_REPLICATES), resampling.seed, resampling.confidence)
    generator = how.generator(criterion, "plackett_luce")
    counts = generator.multinomial(n_units, np.full(n_units, 1 / n_units), size=how.replicates)
    found = np.array([stages.fitted(one.astype(np.float64)) for one in counts])
    return strengths, [how.interval(found[:, place], drawn, n_units) for place in range(n)], ""
