"""HANNA's correlations: Figures 1–2 and 10–13, Tables 5, 6, 8 and 9, all rankings and matrices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import scipy

from scoring.replication.hanna.best_metrics import TABLE_5, TABLE_8, TABLE_9, Best
from scoring.replication.hanna.data import CRITERIA, HannaData
from scoring.replication.hanna.levels import LEVELS
from scoring.replication.sheet import Sheet
from scoring.stats.base.association import COEFFICIENTS, Coefficient
from scoring.stats.base.resampling import FloatArray
from scoring.stats.metrics.ranking import borda

Key = tuple[str, Coefficient]
Correlations = dict[Key, FloatArray]

CODES = tuple(CRITERIA.values())
FIGURES: dict[Key, str] = {
    ("story", "kendall"): "Fig 1 (story kendall, %)",
    ("system", "kendall"): "Fig 2 (system kendall, %)",
    ("story", "spearman"): "Fig 10 (story spearman, %)",
    ("system", "spearman"): "Fig 11 (system spearman, %)",
    ("story", "pearson"): "Fig 12 (story pearson, %)",
    ("system", "pearson"): "Fig 13 (system pearson, %)",
}
# What can be read off the two heat maps of the paper.
PRINTED: dict[Key, dict[tuple[str, str], str]] = {
    ("story", "kendall"): {
        ("SU", "RE"): "16",
        ("SU", "CH"): "42",
        ("SU", "EM"): "41",
        ("EG", "RE"): "32",
        ("EG", "CH"): "62",
        ("EG", "EM"): "47",
        ("EG", "SU"): "49",
        ("CX", "RE"): "24",
        ("CX", "CH"): "52",
        ("CX", "EM"): "41",
        ("CX", "SU"): "49",
        ("CX", "EG"): "61",
        ("mean", "off-diagonal"): "40.7",
    },
    ("system", "kendall"): {
        ("EM", "CH"): "82",
        ("SU", "CH"): "91",
        ("EG", "CH"): "100",
        ("EG", "EM"): "82",
        ("EG", "SU"): "91",
        ("CX", "CH"): "81",
        ("CX", "SU"): "90",
        ("CX", "EG"): "81",
    },
}
MATRICES: dict[Key, str] = {
    ("story", "kendall"): "Figs 5, 20 (story kendall, %)",
    ("system", "kendall"): "Figs 6, 21 (system kendall, %)",
    ("story", "spearman"): "Fig 22 (story spearman, %)",
    ("system", "spearman"): "Fig 23 (system spearman, %)",
    ("story", "pearson"): "Fig 24 (story pearson, %)",
    ("system", "pearson"): "Fig 25 (system pearson, %)",
}
# The paper names families of metrics; these are the variants whose range of counts includes the printed one.
TABLE_6 = {
    "story": (
        ("chrF", "1237"),
        ("S3-Pyramid", "1198"),
        ("ROUGE-1 Recall", "1186"),
        ("S3-Responsiveness", "1177"),
        ("BERTScore Recall", "1158"),
    ),
    "system": (
        ("BARTScore-SH", "1120"),
        ("BaryScore-SD-0.01", "1110"),
        ("BERTScore F1", "1095"),
        ("MoverScore", "1070"),
        ("DepthScore", "1069"),
    ),
}
SORT_ORDER = "{} to {}, by how the sort of the authors' software orders ties"
# Metrics whose correlations are this close, in percent, may appear in either order.
TIED = 0.05


def add_correlations(sheet: Sheet, data: HannaData, found: Correlations) -> None:
    """Every table and figure of correlations at story and system level.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        Names of the metrics.
    found : dict
        Correlations among all columns, by level and coefficient.
    """
    for key, source in FIGURES.items():
        _add_criteria(sheet, source, found[key], PRINTED.get(key, {}))
    for level in LEVELS:
        table, best = ("Table 8", TABLE_8) if level == "story" else ("Table 9", TABLE_9)
        for position, code in enumerate(CODES):
            _add_table_5(sheet, level, code, _strengths(found[level, "pearson"], position))
            for coefficient in COEFFICIENTS:
                strengths = _strengths(found[level, coefficient], position)
                places = (f"{table} ({level})", code, coefficient)
                _add_best(sheet, data, places, strengths, best[code][coefficient])
        _add_borda(sheet, data, level, found)
    _add_rankings(sheet, data, found)
    _add_matrices(sheet, data, found)


def _add_criteria(sheet: Sheet, source: str, matrix: FloatArray, printed: dict[tuple[str, str], str]) -> None:
    definition = "story_corr" if "story" in source else "system_corr"
    values = []
    for col, row in combinations(range(len(CODES)), 2):
        value = 100 * float(matrix[row, col])
        values.append(value)
        cell = (source, CODES[row], CODES[col])
        sheet.add(cell, value, definition, printed.get((CODES[row], CODES[col])))
    figure = printed.get(("mean", "off-diagonal"))
    sheet.add((source, "mean", "off-diagonal"), float(np.mean(values)), "mean_offdiag", figure)


def _strengths(matrix: FloatArray, criterion: int) -> FloatArray:
    """Absolute correlation of each metric with a criterion, in per cent."""
    return np.asarray(100 * np.abs(matrix[len(CODES) :, criterion]), dtype=np.float64)


def _add_table_5(sheet: Sheet, level: str, code: str, strengths: FloatArray) -> None:
    order = np.argsort(-strengths, kind="stable")
    for place, printed in enumerate(TABLE_5[level][code]):
        value = float(strengths[order[place]])
        sheet.add(("Table 5", f"{level} {code}", f"#{place + 1} |r| %"), value, "top5", printed)


def _add_best(
    sheet: Sheet, data: HannaData, places: tuple[str, str, str], strengths: FloatArray, best: Best
) -> None:
    table, code, coefficient = places
    names = [plain(name) for name in data.metrics]
    order = np.argsort(-strengths, kind="stable")
    for position, (name, printed) in enumerate(best):
        here = int(order[position])
        tied = abs(strengths[names.index(name)] - strengths[here]) < TIED
        note = (
            "" if names[here] == name or not tied else f"tie: computed order puts {data.metrics[here]} here"
        )
        col = f"{coefficient} #{position + 1}"
        sheet.add((f"{table} value", code, col), float(strengths[here]), "top5", printed)
        sheet.add((f"{table} name", code, col), name if tied else names[here], "top5", name, note)


def plain(metric: str) -> str:
    """A metric's name without the authors' class mark."""
    return metric.rsplit(" ", 1)[0]


def _add_borda(sheet: Sheet, data: HannaData, level: str, found: Correlations) -> None:
    columns = np.concatenate(
        [np.abs(found[level, coefficient][len(CODES) :, : len(CODES)]) for coefficient in COEFFICIENTS],
        axis=1,
    )
    by_sort = columns.argsort(axis=0, kind="stable").argsort(axis=0).sum(axis=1)
    least, most = (
        (scipy.stats.rankdata(columns, axis=0, method=method) - 1).sum(axis=1) for method in ("min", "max")
    )
    shared = borda(columns)
    printed = dict(TABLE_6[level])
    for place, (name, count) in enumerate(TABLE_6[level], start=1):
        position = [plain(metric) for metric in data.metrics].index(name)
        cell = ("Table 6 (Borda)", f"{level} #{place}", data.metrics[position])
        note = SORT_ORDER.format(int(least[position]), int(most[position]))
        sheet.add(cell, int(by_sort[position]), "borda", count, note)
    for position, metric in enumerate(data.metrics):
        figure = printed.get(plain(metric))
        note = "compared with the printed count, tie handling differs" if figure else ""
        cell = ("derived: Borda with mid-ranks", level, metric)
        sheet.add(cell, float(shared[position]), "borda_mid", figure, note)


def _add_rankings(sheet: Sheet, data: HannaData, found: Correlations) -> None:
    for (level, coefficient), matrix in found.items():
        for position, criterion in enumerate(CRITERIA):
            for metric, value in zip(data.metrics, matrix[len(CODES) :, position], strict=True):
                sheet.add(
                    ("rankings", f"{level}|{coefficient}", f"{criterion}|{metric}"),
                    abs(float(value)),
                    f"{level}_corr",
                    name=f"rankings/{level}|{coefficient}|{criterion}|{metric}",
                )


def _add_matrices(sheet: Sheet, data: HannaData, found: Correlations) -> None:
    for key, source in MATRICES.items():
        matrix = np.abs(found[key][len(CODES) :, len(CODES) :])
        for one, other in combinations(range(len(data.metrics)), 2):
            cell = (source, data.metrics[other], data.metrics[one])
            sheet.add(cell, 100 * float(matrix[other, one]), f"{key[0]}_corr")
