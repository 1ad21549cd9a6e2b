"""Pairwise accuracy of metrics with calibrated ties."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from ..arrays import Array, Row
from ..coefficients.correlation import round_significant
from ..drawing import Drawing
from .rated_items import RatedItems

# Differences that are closer, relative to the scores of their pairs, are equal.
NEAR = 2.0**-38
MOST_PAIRS = 3_000 * 2_999 // 2


def compute_pairwise_accuracies(
    items: RatedItems, directions: Mapping[str, str], drawing: Drawing, folds: Mapping[str, int]
) -> list[Row]:
    """Compute the accuracy of every metric with every criterion, for each grouping that the items allow."""
    codes = {"group": items.group, "none": np.zeros(len(items.items), int), "system": items.system}
    weights = list(drawing.unit_weights(items.n_units, len(items.items)))
    rows = []
    for grouping, block in codes.items():
        if block is None:
            continue
        part = drawing.stream("folds").permutation(
            np.arange(items.n_units) % min(folds[grouping], items.n_units)
        )
        for place, metric in enumerate(items.metrics):
            sign = -1 if directions.get(metric) == "lower" else 1
            for column, criterion in enumerate(items.criteria):
                found = measure(items, block, sign * items.scores[:, place], items.human[:, column], part)
                scores = found.pop("right", None)
                found |= {"low": math.nan, "high": math.nan}
                if scores is not None:
                    shares = draw_shares(items, block, scores, weights, grouping == "group")
                    found["low"], found["high"] = drawing.limits(shares, items.n_units)
                rows.append({"criterion": criterion, "metric": metric, "grouping": grouping, **found})
    return rows


def measure(items: RatedItems, block: Array, scores: Array, human: Array, part: Array) -> Row:
    """Compute the threshold, the accuracies and the counts of one metric and criterion."""
    known = np.isfinite(scores) & np.isfinite(human)
    n_blocks = int(block.max()) + 1
    places = [np.flatnonzero(known & (block == code)) for code in range(n_blocks)]
    n_pairs = sum(len(one) * (len(one) - 1) // 2 for one in places)
    names = ("epsilon", "estimate", "at_zero", "all_tied", "held_out")
    counts = {"n_items": int(known.sum()), "n_pairs": n_pairs, "n_blocks": 0, "n_dropped": 0}
    if not n_pairs or n_pairs > MOST_PAIRS:
        return {**dict.fromkeys(names, math.nan), **counts, "n_pairs": 0}
    first, second = (np.concatenate(side) for side in zip(*map(list_pairs, places), strict=True))
    score, rated = round_significant(scores), round_significant(human)
    away = np.abs(score[first] - score[second])
    near = NEAR * np.maximum(np.abs(scores[first]), np.abs(scores[second]))
    # 1 where the metric has the raters' order, 0 where the raters tie, −1 where it has the opposite order.
    order = np.sign(score[first] - score[second]) * np.sign(rated[first] - rated[second])
    tied = rated[first] == rated[second]
    of = block[first]

    def right(epsilon: float) -> Array:
        return np.asarray(np.where(away <= epsilon, tied, order > 0))

    everywhere = np.ones(len(of), bool)
    epsilon = choose_threshold(away, near, (tied, order > 0), get_weights(of, everywhere))
    own, judged, agreed = part[items.units], np.zeros(len(of), bool), np.zeros(len(of))
    for code in np.unique(part) if part.max() else ():
        learn = get_weights(of, (own[first] != code) & (own[second] != code))
        chosen = choose_threshold(away, near, (tied, order > 0), learn) if learn.any() else math.nan
        judge = (own[first] == code) & (own[second] == code)
        agreed[judge], judged[judge] = (right(chosen)[judge] if learn.any() else math.nan), True
        if not learn.any():
            agreed[:] = math.nan
    weights = get_weights(of, everywhere)
    values = (
        epsilon,
        float(weights @ right(epsilon)),
        float(weights @ right(0.0)),
        float(weights @ tied),
        float(get_weights(of, judged) @ agreed) if judged.any() else math.nan,
    )
    counts["n_blocks"] = len(np.unique(of))
    counts["n_dropped"] = n_blocks - counts["n_blocks"]
    return {**dict(zip(names, values, strict=True)), **counts, "right": (first, second, right(epsilon))}


def list_pairs(places: Array) -> tuple[Array, Array]:
    """List the pairs of some items."""
    first, second = np.triu_indices(len(places), 1)
    return places[first], places[second]


def get_weights(of: Array, chosen: Array) -> Array:
    """Return weights of pairs that give each block with a chosen pair the same share."""
    sizes = np.bincount(of[chosen], minlength=int(of.max()) + 1)
    return np.where(chosen, 1 / np.maximum(sizes[of], 1) / max((sizes > 0).sum(), 1), 0.0)


def choose_threshold(away: Array, near: Array, right: tuple[Array, Array], weights: Array) -> float:
    """Return the smallest threshold with the greatest accuracy: ties up to it, an order beyond it."""
    places = np.argsort(away, kind="stable")
    ordered, close = away[places], near[places]
    gaps = np.diff(ordered)
    is_distinct = (gaps > np.maximum(close[:-1], close[1:])) | ((ordered[:-1] == 0) & (gaps > 0))
    candidates = ordered[np.r_[is_distinct, True]]
    if candidates[0] > 0:
        candidates = np.r_[0.0, candidates]
    sums = []
    for chosen in right:
        place = np.argsort(away[chosen], kind="stable")
        upto = np.r_[0.0, np.cumsum(weights[chosen][place])]
        sums.append(upto[np.searchsorted(away[chosen][place], candidates, side="right")])
    accuracies = sums[0] + float(weights[right[1]].sum()) - sums[1]
    return float(candidates[np.flatnonzero(accuracies >= accuracies.max() - 1e-12)[0]])


def draw_shares(
    items: RatedItems, block: Array, pairs: tuple[Array, Array, Array], draws: list[Array], within: bool
) -> Array:
    """Compute the mean share of right pairs over blocks, when units are drawn."""
    first, second, right = pairs
    shares = [
        list(iterate_shares(items, block, (first, second, right), weights, within)) for weights in draws
    ]
    found = []
    for weights, of_blocks in zip(draws, shares, strict=True):
        share = np.stack([one for _, one in of_blocks])
        known = np.isfinite(share)
        times = np.stack([weights[:, code] if within else np.ones(len(weights)) for code, _ in of_blocks])
        counted = np.where(known, times, 0.0)
        total, number = (np.where(known, share, 0.0) * counted).sum(axis=0), counted.sum(axis=0)
        found.append(np.where(number > 0, total / np.where(number > 0, number, 1), math.nan))
    return np.concatenate(found)


def iterate_shares(
    items: RatedItems, block: Array, pairs: tuple[Array, Array, Array], weights: Array, within: bool
) -> Iterator[tuple[int, Array]]:
    """Yield each block with its share of right pairs in each replicate."""
    first, second, right = pairs
    for code in np.unique(block[first]):
        inside = block[first] == code
        if within:
            yield code, np.full(len(weights), right[inside].mean())
            continue
        one, other = items.units[first[inside]], items.units[second[inside]]
        sums = []
        for values in (right[inside].astype(float), np.ones(int(inside.sum()))):
            table = np.zeros((items.n_units, items.n_units))
            np.add.at(table, (one, other), values)
            alone = np.diag(table).copy()
            np.fill_diagonal(table, 0.0)
            sums.append(((weights @ table) * weights).sum(axis=1) + weights @ alone)
        yield code, np.where(sums[1] > 0, sums[0] / np.where(sums[1] > 0, sums[1], 1), math.nan)
