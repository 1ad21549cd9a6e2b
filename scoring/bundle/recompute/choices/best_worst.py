"""Scores and strengths of items from choices of the best and the worst of sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import optimize, sparse, special, stats
from scipy.sparse.csgraph import connected_components

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, Drawing

# Strengths are fitted of at most so many items.
MOST_ITEMS = 1000
ROUNDING = 1e-18
SPLITS, FEWEST_ITEMS, FEWEST_SETS = 100, 3, 3
VALUE = {0: 1.0, 1: 0.0, 2: -1.0}


def score_items(name: str, placed: pd.DataFrame, *, identified: bool) -> list[Row]:
    """Compute scores by counts and strengths, both with limits that allow for other sets and raters."""
    places = list(placed["places"])
    names = sorted({one for row in places for one in row})
    values = np.array([[VALUE.get(row.get(one, 9), math.nan) for one in names] for row in places])
    times, score = np.isfinite(values).sum(axis=0), np.nanmean(values, axis=0)
    clusters = find_clusters(placed, np.isfinite(values), identified=identified)
    half, n_sets = widen(np.nan_to_num((values - score) / times), np.isfinite(values), clusters)
    raters = clusters[1] if identified else np.zeros(len(places))
    strength, inverse, slopes = fit_strengths(names, places)
    own = widen(slopes @ inverse, np.isfinite(values), clusters, overall=True)[0]
    return [
        {
            "criterion": name,
            "item": one,
            "n": int(times[at]),
            "n_sets": int(n_sets[at]),
            "n_raters": len(set(raters[np.isfinite(values[:, at])])) if identified else 0,
            "best": sum(row.get(one) == 0 for row in places),
            "worst": sum(row.get(one) == 2 for row in places),
            "score": float(score[at]),
            "low": max(-1.0, score[at] - half[at]) if half[at] > 0 else math.nan,
            "high": min(1.0, score[at] + half[at]) if half[at] > 0 else math.nan,
            "strength": float(strength[at]),
            "strength_low": float(strength[at] - own[at]),
            "strength_high": float(strength[at] + own[at]),
            "strength_error": math.sqrt(inverse[at, at]) if inverse[at, at] > 0 else math.nan,
        }
        for at, one in enumerate(names)
    ]


def find_clusters(placed: pd.DataFrame, about: Array, *, identified: bool) -> list[Array]:
    """Find the sets, or groups of sets where each item is in several, and the raters of the answers."""
    sets = number_sets(placed)
    unit = {
        item: f"group {group}" if group else f"item {item}"
        for item, group in zip(placed["item"], placed["group"], strict=True)
    }
    groups = np.unique([unit[item] for item in placed["item"]], return_inverse=True)[1]
    if groups.max() < sets.max() and all(len(set(groups[rows])) > 1 for rows in about.T):
        sets = groups
    return [sets, np.unique(placed["rater"], return_inverse=True)[1]] if identified else [sets]


def widen(
    errors: Array, about: Array, clusters: Sequence[Array], *, overall: bool = False
) -> tuple[Array, Array]:
    """Compute half widths of intervals from what each answer adds to each error, and count the sets.

    With `overall`, clusters are counted over all answers rather than those about the item.
    """
    half, n_sets = np.full(errors.shape[1], math.nan), np.zeros(errors.shape[1], dtype=int)
    for at, rows in enumerate(about.T):
        counted = np.ones(len(about), dtype=bool) if overall else rows
        numbers = [len(set(code[rows])) for code in clusters]
        n_sets[at] = numbers[0]
        found = [add_squares(errors[counted, at], code[counted]) for code in clusters]
        if numbers[-1] > 1 and len(clusters) > 1:
            once = add_squares(errors[counted, at], np.arange(counted.sum()))
            variance, freedom = max(*found, sum(found) - once), min(numbers) - 1
        else:
            variance, freedom = found[0], numbers[0] - 1
        if n_sets[at] >= FEWEST_SETS and variance > ROUNDING:
            half[at] = stats.t.ppf((1 + CONFIDENCE) / 2, freedom) * math.sqrt(variance)
    return half, n_sets


def add_squares(errors: Array, code: Array) -> float:
    """Add the squared sums of clusters, times their number over one less."""
    sums = pd.Series(errors).groupby(code).sum().to_numpy()
    return float(len(sums) / (len(sums) - 1) * (sums**2).sum()) if len(sums) > 1 else 0.0


def number_sets(placed: pd.DataFrame) -> Array:
    """Number the set of each answer, sets in alphabetical order."""
    sets = {one: number for number, one in enumerate(sorted(set(placed["item"])))}
    return np.array([sets[one] for one in placed["item"]], dtype=int)


def split_scores(name: str, placed: pd.DataFrame, drawing: Drawing) -> Row:
    """Correlate the scores of random halves of the answers to each set, 100 times."""
    of_set = number_sets(placed)
    names = sorted({one for row in placed["places"] for one in row})
    table = np.array([[VALUE.get(row.get(one, 9), math.nan) for one in names] for row in placed["places"]])
    generator, found, shared = drawing.stream("ranking halves"), [], []
    for _ in range(SPLITS):
        half = draw_half(of_set, generator)
        one, other = (average_known(table[rows]) for rows in (half, ~half))
        both = np.isfinite(one) & np.isfinite(other)
        shared.append(int(both.sum()))
        if both.sum() >= FEWEST_ITEMS and len(set(one[both])) > 1 and len(set(other[both])) > 1:
            first, second = np.round(one[both], 9), np.round(other[both], 9)
            found.append(float(stats.spearmanr(first, second).statistic))
    row: Row = {"criterion": name, "splits": SPLITS, "n_items": float(np.mean(shared))}
    row |= {"n_sets": int(of_set.max()) + 1, "n": len(placed)}
    if len(found) < 0.95 * SPLITS:
        return row | {"spearman": math.nan, "corrected": math.nan, "deviation": math.nan}
    mean = float(np.mean(found))
    corrected = 2 * mean / (1 + mean) if mean >= 0 else math.nan
    return row | {"spearman": mean, "corrected": corrected, "deviation": float(np.std(found, ddof=1))}


def draw_half(of_set: Array, generator: np.random.Generator) -> Array:
    """Draw half of the answers to each set; an odd one falls to either half."""
    drawn = generator.random(len(of_set))
    first = generator.integers(0, 2, int(of_set.max()) + 1)
    half = np.zeros(len(of_set), dtype=bool)
    for number in range(len(first)):
        own = np.flatnonzero(of_set == number)
        order = own[np.argsort(drawn[own], kind="stable")]
        half[order] = (np.arange(len(order)) + first[number]) % 2 == 0
    return half


def average_known(table: Array) -> Array:
    """Average the known values of each column; NaN where there are none."""
    known = np.isfinite(table)
    times = known.sum(axis=0)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.where(times > 0, total / np.where(times > 0, times, 1), math.nan)


def list_stages(
    names: Sequence[str], places: Sequence[Mapping[str, int]]
) -> tuple[list[tuple[float, int, list[int]]], Array]:
    """List the two choices of each answer, with sign, chosen and offered items, and say which items won."""
    code = {name: number for number, name in enumerate(names)}
    won = np.zeros((len(names), len(names)), dtype=bool)
    stages = []
    for row in places:
        best, worst = (next(code[one] for one, place in row.items() if place == end) for end in (0, 2))
        items = [code[one] for one in row]
        won[best, items] = True
        won[items, worst] = True
        stages += [(1.0, best, items), (-1.0, worst, [item for item in items if item != best])]
    return stages, won


def fit_strengths(names: Sequence[str], places: Sequence[Mapping[str, int]]) -> tuple[Array, Array, Array]:
    """Compute maximum likelihood strengths (mean 0) in a trust region.

    Returned with them are the pseudoinverse of the information and the slope of each answer.

    The best has odds exp(strength) of all items of its set, the worst odds exp(−strength) of the others.
    """
    n = len(names)
    nothing = np.full(n, math.nan), np.full((n, n), math.nan), np.zeros((len(places), n))
    stages, won = list_stages(names, places)
    if n < 2 or n > MOST_ITEMS or connected_components(won, directed=True, connection="strong")[0] > 1:
        return nothing
    sign, chosen = (np.array([stage[place] for stage in stages]) for place in (0, 1))
    width = max(len(items) for *_, items in stages)
    left = np.array([[*items, *[n] * (width - len(items))] for *_, items in stages])

    def shares(theta: Array) -> tuple[Array, Array]:
        felt = sign[:, None] * np.append(theta, 0.0)[left]
        felt = np.where(left == n, -np.inf, felt)
        total = special.logsumexp(felt, axis=1)
        return total, np.exp(felt - total[:, None])

    def loss(theta: Array) -> float:
        return float(shares(theta)[0].sum() - (sign * theta[chosen]).sum() + theta.sum() ** 2 / 2)

    def slope(theta: Array) -> Array:
        expected = np.bincount(left.ravel(), (sign[:, None] * shares(theta)[1]).ravel(), minlength=n + 1)[:n]
        return np.asarray(expected - np.bincount(chosen, sign, minlength=n) + theta.sum())

    def curvature(theta: Array) -> Array:
        share = shares(theta)[1]
        rows = np.repeat(np.arange(len(left)), width)
        whole = sparse.coo_array((share.ravel(), (rows, left.ravel())), shape=(len(left), n + 1)).tocsr()
        own = np.asarray(whole.sum(axis=0)).ravel()
        return np.asarray((np.diag(own) - (whole.T @ whole).toarray())[:n, :n] + 1.0)

    found = optimize.minimize(
        loss,
        np.zeros(n),
        jac=slope,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-9 * len(stages)},
    )
    slopes = np.zeros((len(stages), n + 1))
    np.add.at(slopes, (np.arange(len(stages))[:, None], left), -sign[:, None] * shares(found.x)[1])
    slopes[np.arange(len(stages)), chosen] += sign
    around = np.linalg.inv(curvature(found.x)) - 1.0 / n**2
    return np.asarray(found.x - found.x.mean()), around, (slopes[::2] + slopes[1::2])[:, :n]
