"""Pairs of candidates of rankings that metrics order against the raters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from ..arrays import Row
from ..bundle import Bundle, parse_numbers
from .orders import OrderAnswers, place_options, read_orders, select_counted_orders


def list_inversions(bundle: Bundle) -> list[Row]:
    """Count inversions by question, metric and pair of candidates; none without scores of options."""
    answers, _ = select_counted_orders(bundle, read_orders(bundle), pooled=False)
    if answers is None:
        return []
    options = {one for names in answers.options.values() for one in names}
    scores = select_option_scores(bundle, options)
    return [
        {"criterion": name, "metric": str(metric), **row}
        for name, rows in answers.by_question()
        for metric, of_metric in scores.groupby("of", sort=False)
        for row in count_inversions(answers, name, rows[rows["value"] != ""], of_metric)
    ]


def select_option_scores(bundle: Bundle, options: set[str]) -> pd.DataFrame:
    """Select the newest score of each option, named after metric and option; `of` is the metric."""
    frame = bundle.scores.assign(value=parse_numbers(bundle.scores["value"]))
    parts = frame["metric"].str.rpartition(".")
    frame = frame.assign(of=parts[0], option=parts[2])
    frame = frame[frame["value"].notna() & (frame["of"] != "") & frame["option"].isin(options)]
    place = frame["run"].map({run: at for at, run in enumerate(bundle.facts["runs"])})
    newest = frame.assign(place=place).sort_values("place", kind="stable")
    return newest.drop_duplicates(["item", "metric"], keep="last")


def count_inversions(
    answers: OrderAnswers, name: str, given: pd.DataFrame, scores: pd.DataFrame
) -> list[Row]:
    """Count the items in which a metric orders two candidates against most raters, by pair."""
    rows = pd.DataFrame(compare_pairs(answers.options[name], given, scores))
    if rows.empty:
        return []
    counted = rows.groupby(["first", "second"])[["n", "inverted", "tied", "answers", "against"]].sum()
    return [
        {str(name): value for name, value in row.items()} for row in counted.reset_index().to_dict("records")
    ]


def compare_pairs(options: tuple[str, ...], given: pd.DataFrame, scores: pd.DataFrame) -> Iterator[Row]:
    """Compare raters with a metric for each item and two of its options that most raters do not tie."""
    by_item = {item: dict(zip(of["option"], of["value"], strict=True)) for item, of in scores.groupby("item")}
    for item, of_item in given.groupby("item"):
        scored = by_item.get(item, {})
        candidate = dict(zip(options, json.loads(of_item["candidates"].iloc[0]), strict=True))
        placed = [place_options(value) for value in of_item["value"]]
        for one, other in combinations([option for option in options if option in scored], 2):
            both = [row for row in placed if one in row and other in row]
            signs = np.array([np.sign(row[other] - row[one]) for row in both], dtype=int)
            raters, metric = np.sign(signs.sum()), np.sign(scored[one] - scored[other])
            if raters and candidate[one] != candidate[other]:
                first, second = sorted((candidate[one], candidate[other]))
                yield {
                    "first": first,
                    "second": second,
                    "n": 1,
                    "inverted": int(metric == -raters),
                    "tied": int(metric == 0),
                    "answers": int(np.count_nonzero(signs)),
                    "against": int(np.count_nonzero(signs * metric < 0)),
                }
