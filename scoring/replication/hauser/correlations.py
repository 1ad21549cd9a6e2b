"""HAUSER's correlations of metrics with mean ratings: Tables 3, 5, 6 and 8, section 4.2.3."""

from __future__ import annotations

import numpy as np

from scoring.replication.hauser.data import METRICS, SUB_METRICS, HauserData
from scoring.replication.sheet import Sheet
from scoring.stats.base.association import associations, p_value
from scoring.stats.base.resampling import FloatArray

COLUMNS = ("Pearson", "Spearman")
BEST = (3 / 6, 2 / 6, 1 / 6)

TABLE_3 = {
    "BLEU1": ("0.229", "0.218"),
    "BLEU2": ("0.255", "0.208"),
    "BLEU3": ("0.193", "0.172"),
    "BLEU4": ("0.159", "0.140"),
    "rouge1": ("0.185", "0.176"),
    "rouge2": ("0.210", "0.190"),
    "rougeL": ("0.173", "0.152"),
    "meteor": ("0.234", "0.233"),
    "BERTS_base": ("0.107", "0.075"),
    "BERTS_large": ("0.143", "0.120"),
    "fluency": ("0.157", "0.120"),
}
TABLE_3_MIXES = {
    "Quality": (BEST, ("0.320", "0.292")),
    "-relevance": ((0.0, *BEST[1:]), ("0.206", "0.194")),
    "-consistency_l": ((BEST[0], 0.0, BEST[2]), ("0.259", "0.217")),
    "-consistency_s": ((*BEST[:2], 0.0), ("0.307", "0.265")),
}
TABLE_5 = (
    (1 / 12, 1 / 12, 5 / 6),
    (1 / 6, 1 / 6, 4 / 6),
    (1 / 6, 2 / 6, 3 / 6),
    (1 / 6, 3 / 6, 2 / 6),
    (2 / 6, 2 / 6, 2 / 6),
    (2 / 6, 3 / 6, 1 / 6),
    BEST,
    (4 / 6, 1 / 6, 1 / 6),
    (5 / 6, 1 / 12, 1 / 12),
)
TABLE_6 = {
    "Self-BLEU3": ("0.118", "0.076"),
    "Self-BLEU4": ("0.196", "0.175"),
    "Self-BLEU5": ("0.128", "0.077"),
    "Dist1": ("0.278", "0.311"),
    "Dist2": ("0.319", "0.369"),
    "Dist3": ("0.299", "0.379"),
    "Creativity": ("0.592", "0.645"),
    "-log": ("0.394", "0.571"),
}
NO_COLUMN = "the metric's scores are not in the public file"
NO_COMPONENTS = "on the 147 candidates that have extracted components"


def add_correlations(sheet: Sheet, data: HauserData) -> None:
    """Add every printed correlation of a metric, and those that follow from the same columns.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HauserData
        The published ratings and metric columns.
    """
    quality = data.mean("Quality")
    for name in METRICS:
        add_pair(sheet, ("Table 3", name), (data.metric(name), quality), "item_corr", TABLE_3[name])
    for name, (weights, printed) in TABLE_3_MIXES.items():
        add_pair(sheet, ("Table 3", name), (data.quality(*weights), quality), "quality_mix", printed)
    for number, weights in enumerate(TABLE_5, start=1):
        columns = (data.quality(*weights), quality)
        cell = ("Table 5 weights / Fig 4 left", f"[{number}]")
        add_pair(sheet, cell, columns, "quality_mix", with_p=False)
    for name in SUB_METRICS:
        columns = (data.metric(name), quality)
        add_pair(sheet, ("derived: sub-metric columns", name), columns, "item_corr")
    _add_creativity(sheet, data)
    _add_informativeness(sheet, data)
    _add_between_metrics(sheet, data)


def _add_creativity(sheet: Sheet, data: HauserData) -> None:
    columns = (1 - data.metric("fluency"), data.mean("Creativity"))
    cell = ("Table 6", "Perplexity (1 - fluency)")
    add_pair(sheet, cell, columns, "perplexity", ("0.088", "0.041"))
    for name, printed in TABLE_6.items():
        _add_missing(sheet, ("Table 6", name), "item_corr", printed)


def _add_informativeness(sheet: Sheet, data: HauserData) -> None:
    columns = (data.vehicle_length, data.mean("Informativeness"))
    cell = ("Sec 4.2.3", "Informativeness (n=147)")
    add_pair(sheet, cell, columns, "vehicle_len", ("0.798", "0.882"), with_p=False, note=NO_COMPONENTS)


def _add_between_metrics(sheet: Sheet, data: HauserData) -> None:
    columns = (data.quality(*BEST), data.vehicle_length)
    cell = ("Table 8", "Quality & Informativeness (n=147)")
    add_pair(sheet, cell, columns, "vehicle_len", ("-0.040", "-0.118"), with_p=False, note=NO_COMPONENTS)
    _add_missing(sheet, ("Table 8", "Quality & Creativity"), "item_corr", ("-0.116", "-0.130"))
    _add_missing(sheet, ("Table 8", "Creativity & Informativeness"), "item_corr", ("0.652", "0.635"))


def add_pair(
    sheet: Sheet,
    place: tuple[str, str],
    columns: tuple[FloatArray, FloatArray],
    definition: str,
    printed: tuple[str, str] | None = None,
    *,
    with_p: bool = True,
    note: str = "",
) -> None:
    """Pearson and Spearman of two columns over the candidates that have both, and their p.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    place : tuple of str
        Source and row.
    columns : tuple of ndarray, shape (candidates,)
        The two correlated columns.
    definition : str
        Key of the definition.
    printed : tuple of str or None
        Both printed figures.
    with_p : bool
        Whether p comes as a derived cell.
    note : str
        Note on the correlations.
    """
    source, row = place
    both = np.isfinite(columns[0]) & np.isfinite(columns[1])
    x, y = columns[0][both][:, None], columns[1][both][:, None]
    derived = f"derived: p-values ({source})"
    for position, name in enumerate(COLUMNS):
        value = float(
            associations(x, y, "pearson" if name == "Pearson" else "spearman", tie_rounding=False)[0, 0]
        )
        sheet.add((source, row, name), value, definition, printed[position] if printed else None, note)
        if with_p:
            sheet.add((derived, row, f"{name} p"), p_value(value, len(x)), definition)


def _add_missing(sheet: Sheet, cell: tuple[str, str], definition: str, printed: tuple[str, str]) -> None:
    for name, figure in zip(COLUMNS, printed, strict=True):
        sheet.add((*cell, name), None, definition, figure, NO_COLUMN)
