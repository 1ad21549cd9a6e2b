"""Which of two was preferred: how often each wins, and whether the higher ranked does."""

from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.resampling import FloatArray, IntArray, Resampling
from scoring.stats.shares import share_of

SIDES = ("a", "b")
HALF = 0.5


def win_rates(comparisons: pd.DataFrame, *, criterion: str, resampling: Resampling) -> list[dict[str, Any]]:
    """How often each competitor was preferred to the other of its pair.

    Parameters
    ----------
    comparisons
        One row an answer: `item` (the pair), `a` and `b` (the competitors), `outcome` (`a`, `b` or `tie`).
    criterion
        Name of the question.
    resampling
        Replicates, seed and confidence of the intervals.

    Returns
    -------
    list of dict
        `competitor`, `n`, `wins`, `ties`, `losses`, and `share`, where a tie is half a win, with its
        interval; the greatest share first.
    """
    pairs = pd.factorize(comparisons["item"])[0].astype(np.int64)
    rows = []
    for name in sorted({*comparisons["a"], *comparisons["b"]}):
        hits, units = [], []
        for side in SIDES:
            own = (comparisons[side] == name).to_numpy(dtype=bool)
            hits.append(_hits(comparisons.loc[own, "outcome"], side))
            units.append(pairs[own])
        rows.append(
            {
                "criterion": criterion,
                "competitor": name,
                **_counted(np.concatenate(hits), np.concatenate(units), resampling, criterion, name),
            }
        )
    return sorted(rows, key=lambda row: (-row["share"], row["competitor"]))


def wins_by_percent(
    comparisons: pd.DataFrame, *, criterion: str, resampling: Resampling
) -> list[dict[str, Any]]:
    """How often the one from the top p % was preferred to the one from the rest, for each p.

    Parameters
    ----------
    comparisons
        As for `win_rates`, with `percent` (p; NaN where a pair was not drawn so) and `high`, the side that
        holds the one from the top.
    criterion
        Name of the question.
    resampling
        Replicates, seed and confidence of the intervals.

    Returns
    -------
    list of dict
        `percent` and the columns of `win_rates`; empty where no pair was drawn so.

    References
    ----------
    Miyazawa and Miyao (2017), section 5.3 and Table 6.
    """
    drawn = comparisons[comparisons["percent"].notna() & comparisons["high"].isin(SIDES)]
    rows = []
    for percent, part in drawn.groupby("percent", sort=True):
        high = part["outcome"].where(part["outcome"].isin(SIDES)) == part["high"]
        hits = np.where(part["outcome"].isin(SIDES), high, HALF).astype(np.float64)
        units = pd.factorize(part["item"])[0].astype(np.int64)
        counted = _counted(hits, units, resampling, criterion, f"top {percent:g}")
        rows.append({"criterion": criterion, "percent": float(percent), **counted})  # type: ignore[arg-type]
    return rows


def first_shown(comparisons: pd.DataFrame, *, criterion: str, resampling: Resampling) -> list[dict[str, Any]]:
    """How often the side that was shown first was preferred: far from half, the sides were not read.

    Parameters
    ----------
    comparisons
        As for `win_rates`, with `first`, the side that was shown first; empty where that is not known.
    criterion
        Name of the question.
    resampling
        Replicates, seed and confidence of the interval.

    Returns
    -------
    list of dict
        One row, or none.
    """
    known = comparisons[comparisons["first"].isin(SIDES)]
    if known.empty:
        return []
    decided = known["outcome"].isin(SIDES)
    hits = np.where(decided, known["outcome"] == known["first"], HALF).astype(np.float64)
    units = pd.factorize(known["item"])[0].astype(np.int64)
    return [{"criterion": criterion, **_counted(hits, units, resampling, criterion, "first shown")}]


def _hits(outcomes: pd.Series, side: str) -> FloatArray:
    won = np.where(outcomes.isin(SIDES), outcomes == side, HALF)
    return np.asarray(won, dtype=np.float64)


def _counted(
    hits: FloatArray, units: IntArray, resampling: Resampling, criterion: str, name: str
) -> dict[str, Any]:
    ties = int((hits == HALF).sum())
    wins = int((hits == 1).sum())
    share = share_of(hits, units, resampling, criterion, "wins", name)
    return {"n": len(hits), "wins": wins, "ties": ties, "losses": len(hits) - wins - ties, **share.to_row()}
