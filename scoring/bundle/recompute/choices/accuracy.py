"""Accuracy against the answer key."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from ..arrays import Row
from .questions import Question, sort_options
from .shares import compute_share

OUTCOMES = ("right", "wrong", "unsure", "cannot_rate", "tie")


def compute_accuracy(question: Question, answers: pd.DataFrame) -> dict[str, list[Row]]:
    """Compute accuracy of all answers, of majorities and of each rater; count unkeyed items."""
    keyed = answers[answers["key"] != ""]
    if keyed.empty:
        return {}
    pairs = zip(keyed["value"], keyed["key"], strict=True)
    keyed = keyed.assign(outcome=[judge_answer(value, key, question.unsure) for value, key in pairs])
    by = [name for name in ("system", "category") if keyed[name].ne("").all()]
    parts = [("answers", "", *part) for part in break_down(keyed, by)]
    parts += [("majority", "", *part) for part in break_down(find_majorities(keyed, question.unsure), by)]
    parts += [("rater", str(name), "", "", part) for name, part in keyed.groupby("rater")]
    rows = []
    for who, name, column, category, part in parts:
        counts = {one: int((part["outcome"] == one).sum()) for one in OUTCOMES}
        decided = counts["right"] + counts["wrong"]
        labels = {"criterion": question.name, "who": who, "name": name, "by": column, "category": category}
        right = (part["outcome"] == "right").to_numpy(dtype=float)
        of_decided = {"share_decided": counts["right"] / decided if decided else math.nan}
        rows.append(labels | counts | compute_share(right, part) | of_decided)
    missing = answers["item"].nunique() - keyed["item"].nunique()
    without = [{"criterion": question.name, "n_items": missing}] if missing else []
    return {"accuracy": rows, "without_key": without}


def judge_answer(value: str, key: str, unsure: str) -> str:
    """Judge an answer against its key."""
    if value == "":
        return "cannot_rate"
    if unsure and value == unsure:
        return "unsure"
    return "right" if sort_options(value) == sort_options(key) else "wrong"


def find_majorities(keyed: pd.DataFrame, unsure: str) -> pd.DataFrame:
    """Find the most frequent option of each item with two or more answers, and judge it."""
    rows = []
    for _, part in keyed[keyed["value"] != ""].groupby("item", sort=False):
        ranked = Counter(sort_options(value) for value in part["value"]).most_common(2)
        first = part.iloc[0]
        tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
        if len(part) > 1:
            rows.append(
                {**first, "outcome": "tie" if tie else judge_answer(ranked[0][0], first["key"], unsure)}
            )
    return pd.DataFrame(rows, columns=keyed.columns)


def break_down(table: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the whole table, then each value of each column that has several."""
    if len(table):
        yield "", "", table
    for column in by:
        if table[column].nunique() > 1:
            for category, part in table.groupby(column):
                yield column, str(category), part
