"""Strengths of competitors from comparisons of two, after Bradley and Terry."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.proportions import answer_units
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval, finite_or_none

NOT_CONNECTED = "not_connected"
NOT_CONVERGED = "not_converged"
TOO_MANY_ITEMS = "too_many_items"
# Each replicate fits all strengths again.
MOST_REPLICATES = 500
MOST_COMPETITORS = 60
MOST_FITTED = 1000
MOST_STEPS = 2000


@dataclass(frozen=True)
class Comparisons:
    """Comparisons, coded.

    Parameters
    ----------
    names
        The competitors.
    winner, loser
        Codes; a tie is entered twice, once each way.
    weight
        1 for a win, a half for each way of a tie.
    unit
        What is resampled: the pair that was compared, or its group.
    drawn
        Name of what that is, `pairs` or `groups`.
    """

    names: Sequence[str]
    winner: IntArray
    loser: IntArray
    weight: FloatArray
    unit: IntArray
    drawn: str

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "Comparisons":
        """From rows with `item`, `a`, `b`, `outcome`, `group` where two that have names are compared."""
        frame = frame[(frame["a"] != frame["b"]) & frame["a"].ne("") & frame["b"].ne("")]
        names = sorted({*frame["a"], *frame["b"]})
        code = {name: place for place, name in enumerate(names)}
        sides = {side: np.array([code[name] for name in frame[side]], dtype=np.int64) for side in ("a", "b")}
        units, kind = answer_units(frame)
        outcome = frame["outcome"].to_numpy()
        ways = []
        for first, second in (("a", "b"), ("b", "a")):
            counted = np.select([outcome == first, outcome == second], [1.0, 0.0], 0.5)
            ways.append((sides[first], sides[second], counted, units))
        winner, loser, weight, unit = (np.concatenate(columns) for columns in zip(*ways, strict=True))
        drawn = "groups" if kind == "groups" else "pairs"
        return cls(names, winner, loser, weight, unit, drawn)

    def wins(self, drawn: FloatArray) -> FloatArray:
        """How often the first beat the second, shape (competitors, competitors), each unit weighted."""
        n = len(self.names)
        weights = self.weight * drawn[self.unit]
        counted = np.bincount(self.winner * n + self.loser, weights=weights, minlength=n * n)
        return np.asarray(counted.reshape(n, n), dtype=np.float64)


def strength_rows(
    comparisons: pd.DataFrame, *, criterion: str, resampling: Resampling
) -> list[dict[str, Any]]:
    """Bradley–Terry strengths of all competitors, on the scale of log odds, with mean 0.

    Parameters
    ----------
    comparisons
        One row per answer: `item` (the pair), `a`, `b`, `outcome` (`a`, `b` or `tie`), and `group` if there
        are any.
    criterion
        Name of the question.
    resampling
        Replicates (at most 500 are used), seed and confidence of the bootstrap over pairs, or
        over their groups.

    Returns
    -------
    list of dict
        `competitor`, `strength`, `low`, `high`, `interval_method`, `n`, `reason`, the strongest first. A tie
        is half a win for each. Where a competitor won or lost everything against the others, or the pairs
        fall into parts that are never compared, no finite strengths exist: `not_connected`.
        `not_converged` where they were not found in 2,000 steps.

    References
    ----------
    Bradley and Terry (1952); Hunter (2004) on when the strengths exist; Maystre and Grossglauser (2015) for
    the algorithm of choix.
    """
    coded = Comparisons.of(comparisons)
    n_units = int(coded.unit.max()) + 1 if len(coded.unit) else 0
    table = coded.wins(np.ones(n_units))
    numbers = (table + table.T).sum(axis=1)
    reason = _reason(table)
    strengths = np.full(len(coded.names), np.nan) if reason else _converged(table)
    if not reason and np.isnan(strengths).any():
        reason = NOT_CONVERGED
    intervals = _intervals(coded, n_units, criterion, resampling, reason)
    rows = [
        {
            "criterion": criterion,
            "competitor": name,
            "n": int(numbers[place]),
            "strength": finite_or_none(float(strengths[place])),
            "low": finite_or_none(intervals[place].low),
            "high": finite_or_none(intervals[place].high),
            "interval_method": f"none:{intervals[place].reason}"
            if intervals[place].reason
            else intervals[place].method,
            "reason": reason,
        }
        for place, name in enumerate(coded.names)
    ]
    return sorted(rows, key=lambda row: (-(row["strength"] or 0.0), row["competitor"]))


def _reason(wins: FloatArray) -> str:
    if len(wins) < 2:
        return TOO_FEW_ITEMS
    if len(wins) > MOST_FITTED:
        return TOO_MANY_ITEMS
    return "" if _is_connected(wins) else NOT_CONNECTED


def _is_connected(wins: FloatArray) -> bool:
    parts, _ = scipy.sparse.csgraph.connected_components(wins > 0, directed=True, connection="strong")
    return bool(parts == 1)


def _intervals(
    coded: Comparisons, n_units: int, criterion: str, resampling: Resampling, reason: str
) -> list[Interval]:
    n = len(coded.names)
    if not reason and n > MOST_COMPETITORS:
        reason = TOO_MANY_ITEMS
    if reason or n_units < FEWEST_UNITS:
        return [Interval.missing(reason) if reason else nothing_to_draw(coded.drawn)] * n
    how = Resampling(min(resampling.replicates, MOST_REPLICATES), resampling.seed, resampling.confidence)
    generator = how.generator(criterion, "bradley_terry")
    drawn = generator.multinomial(n_units, np.full(n_units, 1 / n_units), size=how.replicates)
    fitted = np.array([_fitted(coded.wins(one.astype(np.float64))) for one in drawn])
    return [how.interval(fitted[:, place], coded.drawn, n_units) for place in range(n)]


def _fitted(wins: FloatArray) -> FloatArray:
    if not _is_connected(wins):
        return np.full(len(wins), np.nan)
    return _converged(wins)


def _converged(wins: FloatArray) -> FloatArray:
    """The strengths that make the wins most likely; NaN where they are not found."""
    import choix

    try:
        return np.asarray(choix.ilsr_pairwise_dense(wins, max_iter=MOST_STEPS), dtype=np.float64)
    except RuntimeError:
        return np.full(len(wins), np.nan)
