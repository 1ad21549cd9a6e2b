"""Ranking measures within groups, and Borda counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

from ..arrays import Array, Row
from ..coefficients.correlation import round_significant
from .rated_items import RatedItems
from .strength import get_strength, select_best_metrics


def compute_place_probabilities(values: Array, ties: str) -> Array:
    """Compute each candidate's probability of each place in descending order."""
    order, n = np.argsort(-values, kind="stable"), len(values)
    share = np.zeros((n, n))
    if ties == "stable":
        share[order, np.arange(n)] = 1.0
        return share
    for value in np.unique(values):
        tied = np.flatnonzero(values == value)
        first = int((values > value).sum())
        share[np.ix_(tied, np.arange(first, first + len(tied)))] = 1 / len(tied)
    return share


def compute_ranking_measures(metric: Array, human: Array, ties: str) -> list[float]:
    """Compute HR@1, HR@3, nDCG@1, nDCG@3 and MRR in both directions, for one group."""
    n = len(metric)
    of_metric, of_human = compute_place_probabilities(metric, ties), compute_place_probabilities(human, ties)
    hits = [float((of_metric[:, :k].sum(axis=1) * of_human[:, :k].sum(axis=1)).sum() / k) for k in (1, 3)]
    gains = []
    for k in (1, 3):
        discount = 1 / np.log2(np.arange(2, k + 2))
        ideal = float(np.sort(human)[::-1][:k] @ discount)
        gains.append(float(human @ of_metric[:, :k] @ discount) / ideal if ideal > 0 else math.nan)
    reciprocal = 1 / np.arange(1, n + 1)
    ranks = [float(of_metric[:, 0] @ of_human @ reciprocal), float(of_human[:, 0] @ of_metric @ reciprocal)]
    return [*hits, *gains, *ranks]


def rank_within_groups(items: RatedItems, rows: Sequence[Row], directions: Mapping[str, str]) -> list[Row]:
    """Rank by the ten best metrics of each criterion within groups, with both rules for ties."""
    found = []
    for criterion in items.criteria if items.group is not None else ():
        for name in select_best_metrics(rows, criterion, ("item", "spearman"), 10, directions):
            metric = round_significant(items.scores[:, items.metrics.index(name)])
            metric = -metric if directions.get(name) == "lower" else metric
            human = round_significant(items.human[:, items.criteria.index(criterion)])
            for ties in ("expected", "stable"):
                values = measure_groups(items, metric, human, ties)
                defined = np.isfinite(values)
                means = [
                    float(one[known].mean()) if known.any() else math.nan
                    for one, known in zip(values, defined, strict=True)
                ]
                head = {
                    "metric": name,
                    "criterion": criterion,
                    "ties": ties,
                    "n_groups": int(defined[0].sum()),
                }
                found.append({**head, "n_dropped": int((~defined[0]).sum()), "values": means})
    return found


def measure_groups(items: RatedItems, metric: Array, human: Array, ties: str) -> Array:
    """Compute the six measures in each group of at least three candidates, shape (6, groups)."""
    values = np.full((6, items.n_units), np.nan)
    for code in range(items.n_units):
        inside = (items.units == code) & np.isfinite(metric) & np.isfinite(human)
        if inside.sum() >= 3:
            values[:, code] = compute_ranking_measures(metric[inside], human[inside], ties)
    return values


def count_borda(items: RatedItems, rows: Sequence[Row], directions: Mapping[str, str]) -> Row:
    """Sum the metrics' ranks over all criteria and coefficients, at each level."""
    found: Row = {}
    for level in dict.fromkeys(row["level"] for row in rows):
        table: dict[tuple[str, str], dict[str, float]] = {}
        for row in rows:
            if row["level"] == level:
                table.setdefault((row["criterion"], row["coefficient"]), {})[row["metric"]] = row["estimate"]
        matrix = np.array(
            [
                get_strength(
                    np.array([column[name] for column in table.values()]), directions.get(name, "unsigned")
                )
                for name in items.metrics
            ]
        )
        ranked = stats.rankdata(round_significant(np.where(np.isnan(matrix), -2.0, matrix)), axis=0) - 1
        found[level] = dict(zip(items.metrics, ranked.sum(axis=1).tolist(), strict=True))
    return found
