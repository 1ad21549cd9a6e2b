"""Wins, ties and losses of competitors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..drawing import Drawing
from .bradley_terry import MOST_COMPETITORS, MOST_FITS, MOST_FITTED, fit_bradley_terry
from .questions import Question
from .shares import assign_answer_units, compute_mean_limits, compute_share


def compute_preferences(question: Question, answers: pd.DataFrame, drawing: Drawing) -> dict[str, list[Row]]:
    """Compute win rates, wins by percent, wins of the side shown first, and strengths."""
    stated = answers[answers["value"] != ""]
    much = stated["value"].isin(("a+", "b+"))
    given = stated.assign(value=stated["value"].where(~much, stated["value"].str[:1]), much=much)
    named = given[(given["a"] != given["b"]) & (given["a"] != "") & (given["b"] != "")]
    drawn = given[given["percent"].notna() & given["high"].isin(("a", "b"))]
    first = given[given["first"].isin(("a", "b"))]
    rates = []
    for name in sorted({*named["a"], *named["b"]}):
        own = [(side, named[named[side] == name]) for side in ("a", "b")]
        hits = np.concatenate([score_wins(part["value"], pd.Series(side, part.index)) for side, part in own])
        rates.append({"competitor": name, **count_wins(hits, pd.concat([part for _, part in own]))})
    of_percent = [
        {"percent": float(str(percent)), **count_wins(score_wins(part["value"], part["high"]), part)}
        for percent, part in drawn.groupby("percent")
    ]
    of_first = [count_wins(score_wins(first["value"], first["first"]), first)] if len(first) else []
    found = {"win_rates": rates, "wins_by_percent": of_percent, "first_shown": of_first}
    if {"a+", "b+"} <= set(question.options):
        found["graded_wins"] = [grade_competitor(named, name) for name in sorted({*named["a"], *named["b"]})]
    found["strengths"] = estimate_strengths(question.name, named, drawing)
    return {table: [{"criterion": question.name, **row} for row in rows] for table, rows in found.items()}


def grade_competitor(named: pd.DataFrame, name: str) -> Row:
    """Average how much a competitor was preferred: 1 and .75 for wins, .25 and 0 for losses, .5 for ties."""
    own = named[(named["a"] == name) | (named["b"] == name)]
    sign = np.where(own["value"] == np.where(own["a"] == name, "a", "b"), 1.0, -1.0)
    sign[~own["value"].isin(("a", "b"))] = 0.0
    grades = 0.5 + sign * np.where(own["much"], 0.5, 0.25)
    counted = [int((grades == grade).sum()) for grade in (1.0, 0.75, 0.5, 0.25, 0.0)]
    names = ("much_wins", "slight_wins", "ties", "slight_losses", "much_losses")
    low, high = compute_mean_limits(grades, assign_answer_units(own)[0])
    return {
        "competitor": name,
        **dict(zip(names, counted, strict=True)),
        "n": len(grades),
        "grade": float(grades.mean()),
        "low": low,
        "high": high,
    }


def score_wins(values: pd.Series[Any], sides: pd.Series[Any]) -> Array:
    """Return 1 where the side was preferred, 0 where the other was, and 0.5 for a tie."""
    return np.where(values.isin(("a", "b")), values == sides, 0.5).astype(float)


def count_wins(hits: Array, answers: pd.DataFrame) -> Row:
    """Count wins, ties and losses, and compute the share of wins."""
    sums = {
        "wins": int((hits == 1).sum()),
        "ties": int((hits == 0.5).sum()),
        "losses": int((hits == 0).sum()),
    }
    return sums | compute_share(hits, answers)


def estimate_strengths(criterion: str, named: pd.DataFrame, drawing: Drawing) -> list[Row]:
    """Estimate Bradley–Terry strengths (log odds, mean 0) with bootstrap limits."""
    names = sorted({*named["a"], *named["b"]})
    unit, _ = assign_answer_units(named)
    n_units = len(np.unique(unit))
    sides = [named[side].map({name: code for code, name in enumerate(names)}).to_numpy(int) for side in "ab"]
    outcomes = score_wins(named["value"], pd.Series("a", named.index))

    def wins(weights: Array) -> Array:
        table = np.zeros((len(names), len(names)))
        np.add.at(table, (sides[0], sides[1]), outcomes * weights[unit])
        np.add.at(table, (sides[1], sides[0]), (1 - outcomes) * weights[unit])
        return table

    table = wins(np.ones(n_units))
    fitted = fit_bradley_terry(table) if len(names) <= MOST_FITTED else np.full(len(names), math.nan)
    limits = [(math.nan, math.nan)] * len(names)
    if np.isfinite(fitted).all() and n_units > 1 and len(names) <= MOST_COMPETITORS:
        few = Drawing(drawing.seed, min(drawing.replicates, MOST_FITS))
        generator, shares = few.stream(criterion, "bradley_terry"), np.full(n_units, 1 / n_units)
        drawn = generator.multinomial(n_units, shares, size=few.replicates).astype(float)
        replicates = np.array([fit_bradley_terry(wins(weights)) for weights in drawn])
        limits = [few.limits(column, n_units) for column in replicates.T]
    numbers_of = (table + table.T).sum(axis=1)
    return [
        {
            "competitor": name,
            "n": int(numbers_of[place]),
            "strength": float(fitted[place]),
            "low": limits[place][0],
            "high": limits[place][1],
        }
        for place, name in enumerate(names)
    ]
