"""Accuracy against the answer key."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from ..arrays import Row
from .questions import Question, in_order
from .shares import share

OUTCOMES = ("right", "wrong", "unsure", "cannot_rate", "tie")


def accuracy(question: Question, answers: pd.DataFrame) -> dict[str, list[Row]]:
    """Right answers: of all, of the option most chosen for an item, of each rater; and items without key."""
    keyed = answers[answers["key"] != ""]
    if keyed.empty:
        return {}
    pairs = zip(keyed["value"], keyed["key"], strict=True)
    keyed = keyed.assign(outcome=[outcome(value, key, question.unsure) for value, key in pairs])
    by = [name for name in ("system", "category") if keyed[name].ne("").all()]
    parts = [("answers", "", *part) for part in broken_down(keyed, by)]
    parts += [("majority", "", *part) for part in broken_down(majorities(keyed, question.unsure), by)]
    parts += [("rater", str(name), "", "", part) for name, part in keyed.groupby("rater")]
    rows = []
    for who, name, column, category, part in parts:
        counts = {one: int((part["outcome"] == one).sum()) for one in OUTCOMES}
        decided = counts["right"] + counts["wrong"]
        labels = {"criterion": question.name, "who": who, "name": name, "by": column, "category": category}
        right = (part["outcome"] == "right").to_numpy(dtype=float)
        of_decided = {"share_decided": counts["right"] / decided if decided else math.nan}
        rows.append(labels | counts | share(right, part) | of_decided)
    missing = answers["item"].nunique() - keyed["item"].nunique()
    without = [{"criterion": question.name, "n_items": missing}] if missing else []
    return {"accuracy": rows, "without_key": without}


def outcome(value: str, key: str, unsure: str) -> str:
    """What comes of an answer."""
    if value == "":
        return "cannot_rate"
    if unsure and value == unsure:
        return "unsure"
    return "right" if in_order(value) == in_order(key) else "wrong"


def majorities(keyed: pd.DataFrame, unsure: str) -> pd.DataFrame:
    """One row an item of two answers at least: what comes of the option most chosen."""
    rows = []
    for _, part in keyed[keyed["value"] != ""].groupby("item", sort=False):
        ranked = Counter(in_order(value) for value in part["value"]).most_common(2)
        first = part.iloc[0]
        tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
        if len(part) > 1:
            rows.append({**first, "outcome": "tie" if tie else outcome(ranked[0][0], first["key"], unsure)})
    return pd.DataFrame(rows, columns=keyed.columns)


def broken_down(table: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """All together, then each value of each column that has several."""
    if len(table):
        yield "", "", table
    for column in by:
        if table[column].nunique() > 1:
            for category, part in table.groupby(column):
                yield column, str(category), part
