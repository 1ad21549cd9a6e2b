"""How much better one of two was judged: slightly or much."""

from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.proportions import answer_units, mean_of
from scoring.stats.base.resampling import FloatArray

OTHER = {"a": "b", "b": "a"}
HALF, SLIGHTLY, MUCH = 0.5, 0.75, 1.0
GRADES = {
    "much_wins": MUCH,
    "slight_wins": SLIGHTLY,
    "ties": HALF,
    "slight_losses": 1 - SLIGHTLY,
    "much_losses": 1 - MUCH,
}


def graded_wins(comparisons: pd.DataFrame, *, criterion: str, confidence: float) -> list[dict[str, Any]]:
    """How much each competitor was preferred to the other of its pair.

    Parameters
    ----------
    comparisons
        One row per answer: `item` (the pair), `a` and `b` (the competitors), `outcome` (`a`, `b` or `tie`),
        `much` (True where the preferred one is much better), and `group` if there are any. One without a
        name, or against itself, is left out.
    criterion
        Name of the question.
    confidence
        Coverage that the intervals aim at.

    Returns
    -------
    list of dict
        `competitor`, `n`, `much_wins`, `slight_wins`, `ties`, `slight_losses`, `much_losses`, and `grade`,
        the mean of 1, .75, .5, .25 and 0 for these, with its interval; the greatest grade first.
    """
    named = comparisons[
        (comparisons["a"] != comparisons["b"]) & comparisons["a"].ne("") & comparisons["b"].ne("")
    ]
    rows = []
    for name in sorted({*named["a"], *named["b"]}):
        own = [(side, named[named[side] == name]) for side in OTHER]
        grades = np.concatenate([_grades(part, side) for side, part in own])
        units, unit = answer_units(pd.concat([part for _, part in own]))
        mean = mean_of(grades, units, confidence, unit).to_row()
        counted = {key: int((grades == grade).sum()) for key, grade in GRADES.items()}
        rows.append(
            {
                "criterion": criterion,
                "competitor": name,
                "n": len(grades),
                **counted,
                "grade": mean.pop("share"),
                **mean,
            }
        )
    return sorted(rows, key=lambda row: (-row["grade"], row["competitor"]))


def _grades(part: pd.DataFrame, side: str) -> FloatArray:
    won = np.where(part["much"], MUCH, SLIGHTLY)
    outcome = part["outcome"]
    return np.select([outcome == side, outcome == OTHER[side]], [won, 1 - won], HALF).astype(np.float64)
