"""Means by raters, by a judge, and combined (prediction-powered inference, with the weight of PPI++)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from ..arrays import Array, Row
from ..drawing import CONFIDENCE
from .judged import JudgedCriterion

FEWEST_RATED = 15
# Of values of about 1: a smaller variance is an error of rounding.
ROUNDING = 1e-30
WAYS = ("people", "judge", "combined")
Limits = tuple[float, float, float, str]


def list_means(criterion: JudgedCriterion, judge: str) -> Iterator[Row]:
    """Yield the means of all items, under an empty name, and of each system."""
    scores = criterion.scores[judge].dropna()
    people, placed = criterion.means.reindex(scores.index), criterion.places.reindex(scores.index)
    systems = [name for name in placed["system"].unique() if name] if criterion.has("system") else []
    for system in ["", *systems]:
        chosen = np.array((placed["system"] == system) | (system == ""), dtype=bool)
        groups = placed["group"][chosen]
        rated = people[chosen].notna().to_numpy()
        own, given = scores[chosen].to_numpy(), people[chosen].to_numpy()[rated]
        if groups[groups != ""].duplicated().any():
            nothing = math.nan, math.nan, math.nan, "grouped_items"
            means, weight, worth = (nothing, nothing, nothing), math.nan, math.nan
        else:
            means, weight, worth = combine_means(given, own[rated], own[~rated])
        yield {
            "system": system,
            "n_rated": int(rated.sum()),
            "n_unrated": int((~rated).sum()),
            "weight": weight,
            "worth": worth,
            **{
                f"{way}_{part}": value
                for way, mean in zip(WAYS, means, strict=True)
                for part, value in zip(("estimate", "low", "high", "reason"), mean, strict=True)
            },
        }


def combine_means(
    rated: Array, scored: Array, unrated: Array
) -> tuple[tuple[Limits, Limits, Limits], float, float]:
    """Compute the three means, λ, and how many rated items would give the same interval without a judge."""
    n, more, every = len(rated), len(unrated), pd.Series(np.concatenate([scored, unrated]))
    alone = compute_mean(rated), compute_mean(every.to_numpy())
    reason = "no_unrated_items" if not more else "too_few_items" if n < FEWEST_RATED or more < 2 else ""
    if reason:
        return (*alone, (math.nan, math.nan, math.nan, reason)), math.nan, math.nan
    spread = float(np.var(every.to_numpy(), ddof=1))
    shared = float(((rated - rated.mean()) * (scored - scored.mean())).sum()) / (n - 1)
    weight = min(1.0, max(0.0, shared / ((1 + n / more) * spread))) if spread else 0.0
    variance = float(np.var(rated - weight * scored, ddof=1)) / n + weight**2 * float(np.var(unrated)) / more
    estimate = float(rated.mean()) + weight * float(unrated.mean() - scored.mean())
    combined = limit_mean(estimate, variance, n - 2, find_greatest(rated))
    worth = math.nan if combined[3] else float(np.var(rated, ddof=1)) / variance
    return (*alone, combined), weight, worth


def find_greatest(values: Array) -> float:
    """Find the greatest absolute value."""
    return float(np.abs(values).max(initial=0.0))


def compute_mean(values: Array) -> Limits:
    """Compute the mean of independent values with its t interval."""
    n = len(values)
    if n < 2:
        return math.nan, math.nan, math.nan, "too_few_items"
    return limit_mean(float(values.mean()), float(np.var(values, ddof=1)) / n, n - 1, find_greatest(values))


def limit_mean(estimate: float, variance: float, degrees: int, greatest: float) -> Limits:
    """Give a mean its limits; where nothing varies it has none."""
    if variance <= ROUNDING * greatest**2:
        return estimate, math.nan, math.nan, "constant_ratings"
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees)) * math.sqrt(variance)
    return estimate, estimate - half, estimate + half, ""
