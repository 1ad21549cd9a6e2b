"""CMDAG (LREC-COLING 2024): Table 8 from the printed means of Tables 5 and 6."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from scoring.replication.files import PublishedFileError
from scoring.replication.sheet import Sheet
from scoring.stats.base.association import associations

Means = Mapping[str, tuple[str, str, str]]

CRITERIA = ("Clarity", "Creativity", "Authentic Expression", "Final Score")
SETTINGS = ("Setting 0", "Setting 1", "Setting 2")
TABLE_5: Means = {
    "Baichuan": ("2.94 2.06 2.36 2.40", "2.98 2.09 2.29 2.49", "2.98 2.07 2.20 2.32"),
    "Belle": ("2.61 1.71 2.18 2.07", "2.83 1.90 2.37 2.33", "2.97 1.69 2.23 2.17"),
    "GPT-4": ("2.92 1.64 2.16 2.25", "2.96 1.60 2.11 2.21", "2.98 1.66 2.24 2.36"),
    "GPT-3.5": ("2.99 1.78 2.23 2.21", "2.99 1.75 2.16 2.25", "2.98 1.45 1.94 2.03"),
    "Chinese-alpaca-33B": ("2.99 1.83 2.14 2.28", "2.97 1.68 2.14 2.11", "2.99 1.86 2.29 2.20"),
    "ERNIE": ("2.87 1.86 2.30 2.27", "2.97 1.56 2.16 2.27", "2.90 1.73 2.02 2.17"),
}
TABLE_6: Means = {
    "Baichuan": ("2.74 1.91 2.30 2.27", "2.41 1.89 1.98 2.04", "2.53 1.98 2.00 2.08"),
    "Belle": ("2.47 1.93 2.29 2.14", "2.54 1.97 2.15 2.22", "2.56 1.87 2.02 2.09"),
    "GPT-4": ("2.57 1.83 2.17 2.13", "2.48 1.66 2.26 2.12", "2.58 1.62 2.21 2.07"),
    "GPT-3.5": ("2.60 1.94 2.22 2.18", "2.36 1.77 2.12 2.02", "2.49 1.70 2.05 2.02"),
    "ERNIE": ("2.23 1.85 2.21 1.98", "2.31 1.47 2.14 1.92", "2.28 1.45 2.15 1.87"),
}
TABLE_7 = {
    "Belle": (("0.112", "0.236"), ("0.12", "0.268"), ("0.14", "0.216")),
    "GPT-4": (("0.38", "0.484"), ("0.448", "0.548"), ("0.448", "0.548")),
    "GPT-3.5": (("0.372", "0.384"), ("0.392", "0.416"), ("0.32", "0.368")),
}
TABLE_8 = {"Task 1": (TABLE_5, ("0.28", "0.71", "0.68")), "Task 2": (TABLE_6, ("0.85", "0.72", "0.41"))}
NO_RATINGS = "the experts' ratings are not public"
FROM_PRINTED = "from the printed means, which have two decimals"
FILES = {"test tuples": "test_data.json", "sampled training tuples": "train_data_sampled_200.json"}


def cmdag_cells(folder: Path) -> Sheet:
    """Recompute what the printed means and the public files allow.

    Parameters
    ----------
    folder : Path
        Holds the public files.

    Returns
    -------
    Sheet
        Table 8 from the means; the cells of Tables 5 to 7, whose ratings are not public; file counts.

    Raises
    ------
    PublishedFileError
        A file is missing or broken.
    """
    sheet = Sheet("cmdag")
    for name, file in FILES.items():
        sheet.add(("derived: counts", name, "n"), len(_tuples(folder / file)), "count")
    _add_means(sheet, "Table 5", TABLE_5)
    _add_means(sheet, "Table 6", TABLE_6)
    _add_shares(sheet)
    for task, (table, printed) in TABLE_8.items():
        _add_correlations(sheet, task, table, printed)
    return sheet


def _add_means(sheet: Sheet, source: str, table: Means) -> None:
    for model, rows in table.items():
        for setting, row in zip(SETTINGS, rows, strict=True):
            for criterion, printed in zip(CRITERIA, row.split(), strict=True):
                sheet.add((source, f"{model}, {setting}", criterion), None, "mean", printed, NO_RATINGS)


def _add_shares(sheet: Sheet) -> None:
    for model, shares in TABLE_7.items():
        for setting, pair in zip(SETTINGS, shares, strict=True):
            for task, printed in zip(TABLE_8, pair, strict=True):
                sheet.add(("Table 7", f"{model}, {setting}", task), None, "share", printed, NO_RATINGS)


def _add_correlations(sheet: Sheet, task: str, table: Means, printed: tuple[str, ...]) -> None:
    means = np.array([[float(cell) for cell in row.split()] for rows in table.values() for row in rows])
    found = associations(means[:, :-1], means[:, -1:], "pearson")[:, 0]
    for criterion, value, figure in zip(CRITERIA, found, printed, strict=False):
        sheet.add(("Table 8", task, criterion), float(value), "printed_means", figure, FROM_PRINTED)


def _tuples(path: Path) -> list[object]:
    if not path.is_file():
        raise PublishedFileError(
            "missing_file", f"{path}: the file does not exist; enter the folder that contains it"
        )
    try:
        tuples = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as problem:
        raise PublishedFileError("bad_json", f"{path}: not JSON in UTF-8: {problem}") from problem
    if not isinstance(tuples, list):
        raise PublishedFileError("bad_json", f"{path}: not a list of tuples")
    return tuples
