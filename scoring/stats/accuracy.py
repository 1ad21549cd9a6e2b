"""Answers against the key: of each rater, of all of them, and of the majority."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.resampling import Resampling
from scoring.stats.shares import share_of

RIGHT, WRONG, UNSURE, CANNOT_RATE, TIE = "right", "wrong", "unsure", "cannot_rate", "tie"
OUTCOMES = (RIGHT, WRONG, UNSURE, CANNOT_RATE, TIE)
ANSWERS, RATER, MAJORITY = "answers", "rater", "majority"


def accuracy_rows(
    answers: pd.DataFrame, *, criterion: str, unsure: str, resampling: Resampling, by: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """How many answers are right: all together, of each rater, and of the majority of each item.

    Parameters
    ----------
    answers
        One row an answer: `item`, `rater`, `value` (empty for a "can't rate"), `key` (the right value), and
        the columns of `by`. Values and keys that are several options are joined by `|`.
    criterion
        Name of the question.
    unsure
        The value that says "not sure", if any.
    resampling
        Replicates, seed and confidence of the intervals.
    by
        Columns to break the answers down by; one with a single value is left out.

    Returns
    -------
    list of dict
        `criterion`, `who` (`answers`, `rater`, `majority`), `name` of the rater, `by` and `category`, counts
        of each outcome, `n`, then `share` of those asked that are right with its interval, and
        `share_decided`, the share of right among right and wrong. A "not sure", a "can't rate" and a tie are
        not right; they count among those asked.
    """
    judged = answers.assign(outcome=_outcomes(answers, unsure))
    most = _majorities(answers, unsure, by)
    rows = [
        _row(part, criterion, who, name, column, category, resampling)
        for who, table in ((ANSWERS, judged), (MAJORITY, most))
        for column, category, part in _parts(table, by)
        for name in ("",)
    ]
    of_raters = [
        _row(part, criterion, RATER, str(name), "", "", resampling)
        for name, part in judged.groupby("rater", sort=True)
    ]
    return rows + of_raters


def comparable(value: str) -> str:
    """Several options in one order, so that equal choices are equal texts.

    Parameters
    ----------
    value
        One value, or several joined by `|`.
    """
    return "|".join(sorted(value.split("|")))


def _outcomes(answers: pd.DataFrame, unsure: str) -> list[str]:
    return [
        _outcome(value, key, unsure) for value, key in zip(answers["value"], answers["key"], strict=True)
    ]


def _outcome(value: str, key: str, unsure: str) -> str:
    if not value:
        return CANNOT_RATE
    if unsure and value == unsure:
        return UNSURE
    return RIGHT if comparable(value) == comparable(key) else WRONG


def _majorities(answers: pd.DataFrame, unsure: str, by: Sequence[str]) -> pd.DataFrame:
    """One row an item: the value that most of its raters chose, and what comes of it."""
    rows = []
    for item, part in answers.groupby("item", sort=False):
        first = part.iloc[0]
        outcome = _majority([comparable(value) for value in part["value"] if value], first["key"], unsure)
        rows.append({"item": item, "outcome": outcome, **{column: first[column] for column in by}})
    return pd.DataFrame(rows, columns=["item", "outcome", *by])


def _majority(values: Sequence[str], key: str, unsure: str) -> str:
    ranked = Counter(values).most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return TIE
    return _outcome(ranked[0][0] if ranked else "", key, unsure)


def _parts(table: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """All together, then each value of each column that has several."""
    yield "", "", table
    for column in by:
        if table[column].nunique() > 1:
            for category, part in table.groupby(column, sort=True):
                yield column, str(category), part


def _row(
    part: pd.DataFrame,
    criterion: str,
    who: str,
    name: str,
    by: str,
    category: str,
    resampling: Resampling,
) -> dict[str, Any]:
    counts = part["outcome"].value_counts()
    numbers = {outcome: int(counts.get(outcome, 0)) for outcome in OUTCOMES}
    hits = (part["outcome"] == RIGHT).to_numpy(dtype=np.float64)
    units = pd.factorize(part["item"])[0].astype(np.int64)
    share = share_of(hits, units, resampling, criterion, "accuracy", who, name, by, category)
    decided = numbers[RIGHT] + numbers[WRONG]
    return {
        "criterion": criterion,
        "who": who,
        "name": name,
        "by": by,
        "category": category,
        **numbers,
        "n": len(part),
        **share.to_row(),
        "share_decided": numbers[RIGHT] / decided if decided else None,
    }
