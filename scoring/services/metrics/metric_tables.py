"""Further tables of a meta-evaluation report: systems, rankings and comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import finite_or_none
from scoring.stats.data.directions import Directions, direction_of, strength
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.data.table import RatingsTable
from scoring.stats.metrics.ceiling import leave_one_out, split_half, upper_bound
from scoring.stats.metrics.comparing.comparison import compare_family
from scoring.stats.metrics.comparing.systems import SystemDifference, compare_all_systems, mean_ratings
from scoring.stats.metrics.levels import Level
from scoring.stats.metrics.meta_evaluation import best_metrics
from scoring.stats.metrics.meta_figure import MetaFigure
from scoring.stats.metrics.ranking import Ties, borda, hit_ratio, ndcg, reciprocal_rank

# Metrics compared with each other, and ranked in groups: the best of each criterion.
COMPARED = 3
RANKED = 10


def side_tables(
    items: MeasuredItems, figures: Sequence[MetaFigure], resampling: Resampling, directions: Directions
) -> dict[str, Any]:
    """Systems, best metrics compared, Borda counts and rankings within groups.

    Parameters
    ----------
    items : MeasuredItems
        Mean ratings and scores.
    figures : sequence of MetaFigure
        Correlations of the metrics with the criteria of the same items.
    resampling : Resampling
        Replicates and seed of the intervals.
    directions : mapping of str to str
        Declared directions of the metrics. What is undeclared is compared by its absolute correlation, and
        ranks as if higher were better.

    Returns
    -------
    dict
        JSON values; a table that the items do not allow is empty.
    """
    return {
        "criteria": list(items.criteria),
        "metrics": list(items.metrics),
        "systems": _systems(items, resampling),
        "borda": _borda(items, figures, directions),
        "comparisons": _comparisons(items, figures, resampling, directions),
        "rankings": _rankings(items, figures, directions),
    }


def ceiling_rows(table: RatingsTable, resampling: Resampling) -> list[dict[str, Any]]:
    """Upper limits of any metric's correlation with the ratings of each criterion.

    Parameters
    ----------
    table : RatingsTable
        The ratings behind the means.
    resampling : Resampling
        Replicates and seed of the intervals.

    Returns
    -------
    list of dict
        For each criterion the rows of three figures: `split_half`, `leave_one_out` and `upper_bound`.
    """
    nothing = pd.DataFrame()
    rows = []
    for name, ratings in table.criteria.items():
        if not ratings.n_ratings:
            continue
        figures = {
            "split_half": split_half(ratings, "pearson", resampling),
            "leave_one_out": leave_one_out(ratings, nothing, "pearson", resampling)[0],
            "upper_bound": upper_bound(ratings, resampling),
        }
        rows.append({"criterion": name, **{key: one.to_row() for key, one in figures.items()}})
    return rows


def _systems(items: MeasuredItems, resampling: Resampling) -> dict[str, Any]:
    if len(items.systems) < 2:
        return {}
    family = compare_all_systems(items, resampling)
    return {
        "names": list(items.systems),
        "units": items.n_units,
        "means": [
            {
                "system": one.system,
                "criterion": one.criterion,
                "mean": finite_or_none(one.mean),
                "half_width": finite_or_none(one.half_width),
                "n": one.n,
            }
            for one in mean_ratings(items)
        ],
        "differences": [_difference(difference) for difference in family.differences],
        "replicates": family.replicates,
        "smallest_p_adjusted": family.smallest_p_adjusted,
    }


def _difference(difference: SystemDifference) -> dict[str, Any]:
    return {
        "criterion": difference.criterion,
        "first": difference.first,
        "second": difference.second,
        "difference": finite_or_none(difference.difference),
        "low": finite_or_none(difference.interval.low),
        "high": finite_or_none(difference.interval.high),
        "p": finite_or_none(difference.p),
        "p_adjusted": finite_or_none(difference.p_adjusted),
    }


def _borda(items: MeasuredItems, figures: Sequence[MetaFigure], directions: Directions) -> dict[str, Any]:
    """Borda counts of the metrics at each level, over all criteria and coefficients, in their directions."""
    counts: dict[str, Any] = {}
    for level in dict.fromkeys(figure.level for figure in figures):
        columns: dict[tuple[str, str], dict[str, float]] = {}
        for figure in figures:
            if figure.level == level:
                column = columns.setdefault((figure.criterion, figure.coefficient), {})
                column[figure.metric] = figure.estimate
        matrix = np.array(
            [
                strength(
                    np.array([column[metric] for column in columns.values()]),
                    direction_of(metric, directions),
                )
                for metric in items.metrics
            ]
        )
        counts[level] = dict(zip(items.metrics, borda(matrix).tolist(), strict=True))
    return counts


def _comparisons(
    items: MeasuredItems, figures: Sequence[MetaFigure], resampling: Resampling, directions: Directions
) -> list[dict[str, Any]]:
    """The best metrics of each criterion against each other, by Pearson's r in groups or over items."""
    if len(items.metrics) < 2:
        return []
    level: Level = "item" if items.group is None else "group"
    asked = [figure for figure in figures if (figure.level, figure.coefficient) == (level, "pearson")]
    rows: list[dict[str, Any]] = []
    for best in best_metrics(asked, COMPARED, directions):
        compared = compare_family(
            items,
            best.criterion,
            [figure.metric for figure in best.figures],
            level=level,
            coefficient="pearson",
            resampling=resampling,
            directions=directions,
        )
        rows += [one.to_row() for one in compared]
    return rows


def _rankings(
    items: MeasuredItems, figures: Sequence[MetaFigure], directions: Directions
) -> list[dict[str, Any]]:
    """HR, nDCG and MRR of the best metrics of each criterion, with both rules for ties."""
    if items.group is None or not items.metrics:
        return []
    asked = [figure for figure in figures if (figure.level, figure.coefficient) == ("item", "spearman")]
    rows: list[dict[str, Any]] = []
    for best in best_metrics(asked, RANKED, directions):
        human = items.human[:, items.criteria.index(best.criterion)]
        for figure in best.figures:
            metric = items.scores[:, items.metrics.index(figure.metric)]
            # Turning a metric by its sign on these very ratings would make chance look like skill.
            metric = -metric if directions.get(figure.metric) == "lower" else metric
            rows += [_ranked(items, figure.metric, best.criterion, (metric, human), ties) for ties in TIES]
    return rows


TIES: tuple[Ties, ...] = ("expected", "stable")


def _ranked(
    items: MeasuredItems, name: str, criterion: str, columns: tuple[FloatArray, FloatArray], ties: Ties
) -> dict[str, Any]:
    metric, human = columns
    group = items.unit_codes
    found = [
        hit_ratio(metric, human, group, 1, ties),
        hit_ratio(metric, human, group, 3, ties),
        ndcg(metric, human, group, 1, ties),
        ndcg(metric, human, group, 3, ties),
        reciprocal_rank(metric, human, group, ties, reading="human"),
        reciprocal_rank(metric, human, group, ties, reading="metric"),
    ]
    return {
        "metric": name,
        "criterion": criterion,
        "ties": ties,
        "n_groups": found[0].n_groups,
        "n_dropped": found[0].n_dropped,
        "values": [finite_or_none(one.value) for one in found],
    }
