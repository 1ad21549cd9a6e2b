"""The alternative annotator test (Calderon, Reichart and Dror 2025): may a judge replace a rater?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from ..arrays import Array, Row
from ..drawing import Drawing, draw_units
from ..ratings import Ratings

FEWEST_ITEMS, FEWEST_GROUPS, FEWEST_RATERS = 30, 20, 3
# Items, or groups, on which the judge must be ahead for a t test.
FEWEST_AHEAD = 8
LEVEL, HALF = 0.05, 0.5
# Distances that differ by less, as a share of the greatest rating, are equal.
EQUAL = 1e-9


@dataclass(frozen=True)
class LeftOut:
    """A judge compared with one rater, or with all ratings; `reason` says why it is not tested."""

    share: float
    p: float
    n_items: int
    reason: str


def assess_replacement(ratings: Ratings, judge: Array, epsilon: float, drawing: Drawing) -> Row:
    """Test whether a judge, given by its value of each item, may replace a rater."""
    compared = compare_with_raters(ratings, judge)
    by_item = compared.groupby("item")[["judge", "person"]].mean()
    everyone = leave_out(ratings, by_item.reset_index(), epsilon)
    codes = range(len(ratings.raters)) if ratings.identified else ()
    raters = [leave_out(ratings, compared[compared["rater"] == code], epsilon) for code in codes]
    tested = [code for code, one in zip(codes, raters, strict=True) if not one.reason]
    adjusted = adjust_benjamini_yekutieli([raters[code].p for code in tested])
    n_beaten = sum(p < LEVEL for p in adjusted)
    reason = "" if len(tested) >= FEWEST_RATERS else "too_few_raters"
    passes = None if reason else n_beaten / len(tested) >= HALF
    if everyone.reason == "constant_ratings":
        reason, passes = everyone.reason, None
    elif not ratings.identified:
        reason, passes = "anonymous_raters", None if everyone.reason else everyone.p < LEVEL
    low, high = (math.nan, math.nan) if reason else limit_advantage(ratings, compared, tested, drawing)
    return {
        "epsilon": epsilon,
        "advantage": math.nan if reason else float(np.mean([raters[code].share for code in tested])),
        "low": low,
        "high": high,
        "n_tested": len(tested),
        "n_beaten": n_beaten,
        "n_not_tested": len(raters) - len(tested),
        "winning_rate": math.nan if reason else n_beaten / len(tested),
        "passes": passes,
        "reason": reason,
        "all_ratings_share": everyone.share,
        "all_ratings_p": everyone.p,
        "n_items": everyone.n_items,
    }


def compare_with_raters(ratings: Ratings, judge: Array) -> pd.DataFrame:
    """Compare closeness to the other raters of an item: one row for each rating.

    Of numbers it is the distance from their mean, of options how many of them chose the same one.
    """
    rounding = EQUAL if ratings.nominal else EQUAL * float(np.abs(ratings.value).max())
    measure = count_disagreeing if ratings.nominal else measure_distance
    rows = []
    for item in np.flatnonzero((ratings.sizes > 1) & np.isfinite(judge)):
        own = np.flatnonzero(ratings.item == item)
        for at in own:
            others = ratings.value[own[own != at]]
            behind = measure(float(judge[item]), others) - measure(float(ratings.value[at]), others)
            rows.append((item, ratings.rater[at], behind <= rounding, behind >= -rounding))
    frame = pd.DataFrame(rows, columns=["item", "rater", "judge", "person"])
    return frame.astype({"item": int, "rater": int, "judge": float, "person": float})


def measure_distance(value: float, others: Array) -> float:
    """Measure the distance of a number from the mean of others."""
    return abs(value - float(np.mean(others)))


def count_disagreeing(value: float, others: Array) -> float:
    """Compute the share of others that are another option."""
    return float(np.mean(others != value))


def leave_out(ratings: Ratings, compared: pd.DataFrame, epsilon: float) -> LeftOut:
    """Test that a rater is ahead by less than ε."""
    n = len(compared)
    groups = None if ratings.group is None else ratings.group[compared["item"].to_numpy()]
    reason = "too_few_items" if n < FEWEST_ITEMS else ""
    if not reason and groups is not None and len(np.unique(groups)) < FEWEST_GROUPS:
        reason = "too_few_groups"
    given = ratings.value[np.isin(ratings.item, compared["item"])]
    if not reason and len(np.unique(given)) == 1:
        reason = "constant_ratings"
    share = float(compared["judge"].mean()) if n else math.nan
    behind = (compared["person"] - compared["judge"]).to_numpy()
    return LeftOut(share, math.nan if reason else compute_p(behind, epsilon, groups), n, reason)


def compute_p(differences: Array, margin: float, groups: Array | None) -> float:
    """Compute the one-sided p that the mean difference reaches a margin; groups are drawn as wholes.

    Where only two of the differences -1, 0 and 1 occur, it is binomial. Where items or groups below 0 are
    fewer than eight, the variance is the most likely one at the margin (Nam 1997; Tango 1998).
    """
    units = pd.Series(differences).groupby(np.arange(len(differences)) if groups is None else groups)
    sums, sizes = units.sum().to_numpy(), units.size().to_numpy()
    above, below = sums > EQUAL * sizes, sums < -EQUAL * sizes
    total = float(sizes.sum())
    n = total**2 / float((sizes**2).sum())
    plus, minus = (n * float(np.abs(sums[side]).sum()) / total for side in (above, below))
    mean = (plus - minus) / n
    if (np.abs(sums) >= sizes * (1 - EQUAL)).all():
        return compute_binomial_tail(plus, n, (1 + margin) / 2)
    if not below.any():
        return compute_binomial_tail(plus, n, margin)
    deviations = sums - mean * sizes
    is_even = (np.abs(deviations) <= EQUAL * sizes).all()
    if is_even or np.clip(-sums[below], 0, 1).sum() < FEWEST_AHEAD - EQUAL:
        error = math.sqrt(estimate_variance_at_margin(plus, minus, n, margin) / n)
    else:
        error = math.sqrt(len(sums) / (len(sums) - 1) * float((deviations**2).sum())) / total
    return float(stats.t.cdf((mean - margin) / error, len(sums) - 1))


def compute_binomial_tail(count: float, n: float, share: float) -> float:
    """Compute the probability of at most a count; between whole counts by the incomplete beta function."""
    if share == 0 or count > n - EQUAL:
        return 1.0
    return float(special.betainc(n - count, count + 1, 1 - share))


def estimate_variance_at_margin(plus: float, minus: float, n: float, margin: float) -> float:
    """Estimate the variance of differences whose mean is the margin, by the likeliest shares of 1 and -1."""
    of_square = 2 * n
    linear = 2 * n * margin - plus * (1 + margin) - minus * (1 - margin)
    constant = -minus * margin * (1 - margin)
    below = max(np.roots([of_square, linear, constant]).real)
    return float(2 * below + margin - margin**2)


def adjust_benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """Adjust p values so that the false discovery rate holds for tests that depend on each other."""
    n, order = len(p), sorted(range(len(p)), key=lambda at: p[at])
    harmonic = sum(1 / rank for rank in range(1, n + 1))
    adjusted, lowest = [1.0] * n, 1.0
    for rank in range(n, 0, -1):
        at = order[rank - 1]
        lowest = min(lowest, p[at] * n * harmonic / rank)
        adjusted[at] = lowest
    return adjusted


def limit_advantage(
    ratings: Ratings, compared: pd.DataFrame, tested: Sequence[int], drawing: Drawing
) -> tuple[float, float]:
    """Compute the limits of the mean share of the judge, over items or groups that are drawn."""
    of_item = compared["item"].to_numpy()
    units = np.unique(of_item if ratings.group is None else ratings.group[of_item], return_inverse=True)[1]
    n_units = int(units.max()) + 1
    closer, n = np.zeros((n_units, len(tested))), np.zeros((n_units, len(tested)))
    for column, code in enumerate(tested):
        own = (compared["rater"] == code).to_numpy()
        np.add.at(closer[:, column], units[own], compared["judge"].to_numpy()[own])
        np.add.at(n[:, column], units[own], 1)
    generator, drawn = drawing.stream("advantage", ratings.name), []
    for size in drawing.chunks(n_units):
        weights = draw_units(generator, np.ones(n_units, dtype=int), size).T
        with np.errstate(invalid="ignore"):
            drawn.append((weights @ closer / (weights @ n)).mean(axis=1))
    return drawing.limits(np.concatenate(drawn), n_units)
