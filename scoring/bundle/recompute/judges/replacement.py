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
from .resampled import limit_mean_by_t, number_units

FEWEST_ITEMS, FEWEST_GROUPS, FEWEST_RATERS = 30, 20, 3
# Items on which the judge must be ahead for a t test.
FEWEST_AHEAD = 8
LEVEL, HALF = 0.05, 0.5
T, SCORE, BINOMIAL = METHODS = ("t", "score", "binomial")
# Distances that differ by less, as a share of the greatest rating, are equal.
EQUAL = 1e-9


@dataclass(frozen=True)
class LeftOut:
    """A judge compared with one rater, or with all ratings; `reason` says why it is not tested."""

    share: float
    p: float
    n_items: int
    method: str
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
    all_low, all_high = limit_share(ratings, by_item["judge"])
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
        "all_ratings_low": all_low,
        "all_ratings_high": all_high,
        "all_ratings_p": everyone.p,
        "all_ratings_method": everyone.method,
        **{f"n_by_{way}": sum(rater.method == way for rater in raters) for way in METHODS},
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
    p, method = (math.nan, "") if reason else compute_p(behind, epsilon, groups)
    return LeftOut(share, p, n, method, reason)


def limit_share(ratings: Ratings, shares: pd.Series) -> tuple[float, float]:
    """Compute the limits of the mean share of the judge over items."""
    units = number_units(ratings.group, shares.index.to_numpy())
    low, high = np.clip(limit_mean_by_t(shares.to_numpy(), units, FEWEST_ITEMS), 0, 1)
    return float(low), float(high)


def compute_p(differences: Array, margin: float, groups: Array | None) -> tuple[float, str]:
    """Compute the one-sided p that the mean difference reaches a margin, and say by which test.

    Where only two of the differences -1, 0 and 1 occur, it is binomial; where all three do and at least
    eight are -1, it is that of a t test. Otherwise the variance is the likeliest one at the margin.
    """
    units = pd.Series(differences).groupby(np.arange(len(differences)) if groups is None else groups)
    sums, sizes = units.sum().to_numpy(), units.size().to_numpy()
    means = sums / sizes
    whole = np.abs(means - np.round(means)) <= EQUAL
    below = means < -EQUAL
    n = float(sizes.sum()) ** 2 / float((sizes**2).sum())
    plus = n * float(sums[means > EQUAL].sum()) / float(sizes.sum())
    if (np.abs(means) >= 1 - EQUAL).all():
        return compute_binomial_tail(plus, n, (1 + margin) / 2), BINOMIAL
    if not below.any():
        return compute_binomial_tail(plus, n, margin), BINOMIAL
    if whole.all() and len(np.unique(sizes)) == 1 and below.sum() >= FEWEST_AHEAD:
        error = float(np.std(means, ddof=1)) / math.sqrt(len(means))
        return float(stats.t.cdf((float(np.mean(means)) - margin) / error, len(means) - 1)), T
    excess = sums - margin * sizes
    error = math.sqrt(estimate_variance_at_margin(excess, float(max(sizes)), margin) * len(excess))
    return float(stats.t.cdf(float(excess.sum()) / error, n - 1)), SCORE


def compute_binomial_tail(count: float, n: float, share: float) -> float:
    """Compute the probability of at most a count; between whole counts by the incomplete beta function."""
    if share == 0 or count > n - EQUAL:
        return 1.0
    return float(special.betainc(n - count, count + 1, 1 - share))


def estimate_variance_at_margin(excess: Array, size: float, margin: float) -> float:
    """Estimate the variance of sums beyond the margin, by the likeliest distribution with a mean of 0.

    The likeliest probabilities are 1 / (n (1 + λ x)) (Owen 1988); λ is found by halving. What is missing to 1
    is at the greatest or the least possible sum.
    """
    is_behind = excess.sum() < 0
    extreme = size * (1 - margin) if is_behind else -size * (1 + margin)
    inner, outer = 0.0, -1 / extreme
    for _ in range(200):
        middle = (inner + outer) / 2
        if (np.sum(excess / (1 + middle * excess)) < 0) == is_behind:
            inner = middle
        else:
            outer = middle
    probability = 1 / (1 + inner * excess) / len(excess)
    return float(np.sum(probability * excess**2)) + max(0.0, 1 - float(np.sum(probability))) * extreme**2


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
