"""Biases of judges of pairs: position, length and systems, and pairs judged in both orders."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..choices.preferences import score_wins
from ..choices.shares import compute_mean_limits, compute_share, limit_share
from .options import SIDES, JudgedOptions
from .resampled import NO_LIMITS, excludes_zero, limit_mean_by_t, number_units

Sides = dict[str, str]


def list_biases(question: JudgedOptions, families: Mapping[str, str]) -> Iterator[Row]:
    """Yield how often each judge, and how often raters, prefer texts of one sort on the same items."""
    contents = {
        str(item): {str(name): str(text) for name, text in row.items()}
        for item, row in question.contents.to_dict("index").items()
    }
    systems = sorted({row[side] for row in contents.values() if compete(row) for side in SIDES})
    sorts: list[tuple[str, str, Sides]] = [
        ("position", "", dict.fromkeys(contents, "a")),
        ("length", "", find_longer(contents)),
        *(("system", name, find_side(contents, name)) for name in systems),
    ]
    shown = question.answers[question.answers["first"].isin(SIDES)]
    hits = score_wins(shown["value"], shown["first"])
    first = compute_share(hits, shown) if len(shown) else {}
    for judge in question.judge_names:
        for bias, system, sides in sorts:
            of_raters = first if bias == "position" else {}
            yield {
                "judge": judge,
                "bias": bias,
                "system": system,
                "own_family": bool(system) and families.get(judge) == system,
                **compare_shares(question, judge, sides),
                **{f"raters_first_{part}": of_raters.get(part) for part in ("share", "low", "high")},
            }


def compare_shares(question: JudgedOptions, judge: str, sides: Sides) -> Row:
    """Compare how often a judge and raters prefer the given side of each item."""
    labels = question.ratings.items
    codes = question.of_judge(judge)
    means = {
        side: pd.Series(score_side(question.answers["value"], side))
        .groupby(question.answers["item"].to_numpy())
        .mean()
        for side in SIDES
    }
    chosen = [at for at, item in enumerate(labels) if item in sides and math.isfinite(codes[at])]
    options = [question.options[int(codes[at])] for at in chosen]
    own_sides = [sides[labels[at]] for at in chosen]
    own = np.array([score(option, side) for option, side in zip(options, own_sides, strict=True)])
    people = np.array([means[side][labels[at]] for at, side in zip(chosen, own_sides, strict=True)])
    if not chosen:
        names = [f"{who}_{part}" for who in ("judge", "people") for part in ("share", "low", "high")]
        nothing = dict.fromkeys((*names, "difference", "difference_low", "difference_high"), math.nan)
        return {"n_items": 0, "n_groups": 0, **nothing, "differs": False, "reason": "too_few_items"}
    units = number_units(question.ratings.group, np.array(chosen))
    limits = limit_mean_by_t(own - people, units)
    (judge_low, judge_high), (low, high) = limit_share(own, units), compute_mean_limits(people, units)
    return {
        "n_items": len(chosen),
        "n_groups": 0 if question.ratings.group is None else len(np.unique(units)),
        "judge_share": float(own.mean()),
        "judge_low": judge_low,
        "judge_high": judge_high,
        "people_share": float(people.mean()),
        "people_low": low,
        "people_high": high,
        "difference": float((own - people).mean()),
        "difference_low": limits[0],
        "difference_high": limits[1],
        "differs": excludes_zero(limits),
        "reason": "",
    }


def score(option: str, side: str) -> float:
    """Return 1 where an option prefers a side, 0 where it prefers the other, and 0.5 for neither."""
    return float(option == side) if option in SIDES else 0.5


def score_side(values: pd.Series[Any], side: str) -> Array:
    """Score each answer for one side."""
    return np.array([score(value, side) for value in values])


def compete(row: Mapping[str, str]) -> bool:
    """Whether two different systems are named."""
    return row["a"] != "" and row["b"] != "" and row["a"] != row["b"]


def find_longer(contents: Mapping[str, Mapping[str, str]]) -> Sides:
    """Find the side with more characters; pairs of equal length or without a text have none."""
    lengths = {item: (len(row["text_a"]), len(row["text_b"])) for item, row in contents.items()}
    return {item: "a" if a > b else "b" for item, (a, b) in lengths.items() if a and b and a != b}


def find_side(contents: Mapping[str, Mapping[str, str]], system: str) -> Sides:
    """Find the side of a system where it competes with another one."""
    return {
        item: "a" if row["a"] == system else "b"
        for item, row in contents.items()
        if compete(row) and system in (row["a"], row["b"])
    }


def list_both_orders(question: JudgedOptions) -> Iterator[Row]:
    """Yield how consistent each judge is on pairs that it judged in both orders."""
    swapped = find_swapped(question.contents)
    for judge in question.judge_names:
        codes = question.judges[judge].dropna()
        first = {item: score(question.options[int(code)], "a") for item, code in codes.items()}
        known = [(one_way, other) for one_way, other in swapped if one_way in first and other in first]
        ahead = np.array([first[one_way] + first[other] - 1 for one_way, other in known])
        units = np.arange(len(known))
        consistent = (ahead == 0).astype(float)
        low, high = limit_share(consistent, units) if known else NO_LIMITS
        limits = limit_mean_by_t(ahead, units) if known else NO_LIMITS
        yield {
            "judge": judge,
            "n_pairs": len(known),
            "consistent": float(consistent.mean()) if known else math.nan,
            "consistent_low": low,
            "consistent_high": high,
            "first_in_both": int((ahead == 1).sum()),
            "second_in_both": int((ahead == -1).sum()),
            "preference": float(ahead.mean()) if known else math.nan,
            "preference_low": limits[0],
            "preference_high": limits[1],
            "differs": excludes_zero(limits),
            "reason": "" if known else "too_few_items",
        }


def find_swapped(contents: pd.DataFrame) -> list[tuple[str, str]]:
    """Find pairs of items with the same two texts on exchanged sides, each item in one pair at most."""
    waiting: dict[tuple[str, str], list[str]] = {}
    found = []
    for item, row in contents.iterrows():
        a, b = row["text_a"], row["text_b"]
        if a and b and a != b:
            if others := waiting.get((b, a)):
                found.append((others.pop(0), str(item)))
            else:
                waiting.setdefault((a, b), []).append(str(item))
    return found
