"""Which of two was preferred: how often each wins, and whether the higher ranked does."""

from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.proportions import answer_units, share_of
from scoring.stats.base.resampling import FloatArray, Resampling

SIDES = ("a", "b")
HALF = 0.5


def win_rates(comparisons: pd.DataFrame, *, criterion: str, resampling: Resampling) -> list[dict[str, Any]]:
    """How often each competitor was preferred to the other of its pair.

    Parameters
    ----------
    comparisons
        One row per answer: `item` (the pair), `a` and `b` (the competitors), `outcome` (`a`, `b` or `tie`),
        and `group` if there are any. One without a name, or against itself, is left out.
    criterion
        Name of the question.
    resampling
        With the confidence of the intervals.

    Returns
    -------
    list of dict
        `competitor`, `n`, `wins`, `ties`, `losses`, and `share`, where a tie is half a win, with its
        interval; the greatest share first.
    """
    others = comparisons[
        (comparisons["a"] != comparisons["b"]) & comparisons["a"].ne("") & comparisons["b"].ne("")
    ]
    rows = []
    for name in sorted({*others["a"], *others["b"]}):
        own = [(side, others[others[side] == name]) for side in SIDES]
        hits = np.concatenate([_hits(part["outcome"], side) for side, part in own])
        counted = _counted(hits, pd.concat([part for _, part in own]), resampling)
        rows.append({"criterion": criterion, "competitor": name, **counted})
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
        With the confidence of the intervals.

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
        counted = _counted(hits, part, resampling)
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
        With the confidence of the interval.

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
    return [{"criterion": criterion, **_counted(hits, known, resampling)}]


def _hits(outcomes: pd.Series, side: str) -> FloatArray:
    won = np.where(outcomes.isin(SIDES), outcomes == side, HALF)
    return np.asarray(won, dtype=np.float64)


def _counted(hits: FloatArray, answers: pd.DataFrame, resampling: Resampling) -> dict[str, Any]:
    ties = int((hits == HALF).sum())
    wins = int((hits == 1).sum())
    units, unit = answer_units(answers)
    share = share_of(hits, units, resampling.confidence, unit)
    return {"n": len(hits), "wins": wins, "ties": ties, "losses": len(hits) - wins - ties, **share.to_row()}
