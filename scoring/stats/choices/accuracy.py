"""Answers against the key: of each rater, of all of them, and of the option most chosen."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.proportions import answer_units, share_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.sets import comparable

RIGHT, WRONG, UNSURE, CANNOT_RATE, TIE = "right", "wrong", "unsure", "cannot_rate", "tie"
OUTCOMES = (RIGHT, WRONG, UNSURE, CANNOT_RATE, TIE)
ANSWERS, RATER, MAJORITY = "answers", "rater", "majority"


def accuracy_rows(
    answers: pd.DataFrame, *, criterion: str, unsure: str, resampling: Resampling, by: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """How many answers are right: all together, of each rater, and of the option most chosen for each item.

    Parameters
    ----------
    answers
        One row per answer: `item`, `rater`, `value` (empty for a "can't rate"), `key` (the right value), and
        the columns of `by`, and `group` if there are any. Values and keys that are several options are
        joined by `|`.
    criterion
        Name of the question.
    unsure
        The value that says "not sure", if any.
    resampling
        With the confidence of the intervals.
    by
        Columns to break the answers down by; one with a single value is left out.

    Returns
    -------
    list of dict
        `criterion`, `who` (`answers`, `rater`, or `majority` for the option that more raters of an item
        chose than any other; only items with two answers at least have one), `name` of the rater, `by` and
        `category`, counts of each outcome, `n`, then `share` of those asked that are right with its
        interval, and
        `share_decided`, the share of right among right and wrong. A "not sure", a "can't rate" and a tie are
        not right; they count among those asked.
    """
    judged = answers.assign(outcome=_outcomes(answers, unsure))
    most = _majorities(answers, unsure, by)
    parts = [
        *({"who": ANSWERS, "name": "", **part} for part in _parts(judged, by)),
        *({"who": MAJORITY, "name": "", **part} for part in _parts(most, by) if len(most)),
        *(
            {"who": RATER, "name": str(name), "by": "", "category": "", "answers": part}
            for name, part in judged.groupby("rater", sort=True)
        ),
    ]
    return [_row({"criterion": criterion, **part}, resampling.confidence) for part in parts]


def _outcomes(answers: pd.DataFrame, unsure: str) -> list[str]:
    return [_outcome(value, key, unsure) for value, key in zip(answers["value"], answers["key"], strict=True)]


def _outcome(value: str, key: str, unsure: str) -> str:
    if not value:
        return CANNOT_RATE
    if unsure and value == unsure:
        return UNSURE
    return RIGHT if comparable(value) == comparable(key) else WRONG


def _majorities(answers: pd.DataFrame, unsure: str, by: Sequence[str]) -> pd.DataFrame:
    """One row per item with at least two answers: the outcome of its most frequent value."""
    labels = [*by, *({"group"} & set(answers.columns) - set(by))]
    answered = answers[answers["value"] != ""]
    several = answered.groupby("item")["value"].transform("size") > 1
    rows = []
    for item, part in answered[several].groupby("item", sort=False):
        first = part.iloc[0]
        outcome = _majority([comparable(value) for value in part["value"]], first["key"], unsure)
        rows.append({"item": item, "outcome": outcome, **{column: first[column] for column in labels}})
    return pd.DataFrame(rows, columns=["item", "outcome", *labels])


def _majority(values: Sequence[str], key: str, unsure: str) -> str:
    ranked = Counter(values).most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return TIE
    return _outcome(ranked[0][0], key, unsure)


def _parts(table: pd.DataFrame, by: Sequence[str]) -> Iterator[dict[str, Any]]:
    """All together, then each value of each column that has several."""
    yield {"by": "", "category": "", "answers": table}
    for column in by:
        if table[column].nunique() > 1:
            for category, part in table.groupby(column, sort=True):
                yield {"by": column, "category": str(category), "answers": part}


def _row(part: Mapping[str, Any], confidence: float) -> dict[str, Any]:
    outcomes = part["answers"]["outcome"]
    labels = {name: value for name, value in part.items() if name != "answers"}
    numbers = {outcome: int((outcomes == outcome).sum()) for outcome in OUTCOMES}
    hits = np.asarray(outcomes == RIGHT, dtype=np.float64)
    units, unit = answer_units(part["answers"])
    share = share_of(hits, units, confidence, unit)
    decided = numbers[RIGHT] + numbers[WRONG]
    return {
        **labels,
        **numbers,
        "n": len(outcomes),
        **share.to_row(),
        "share_decided": numbers[RIGHT] / decided if decided else None,
    }
