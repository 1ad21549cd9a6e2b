"""All tables of Chhun et al. (COLING 2022) from the published ratings and metric scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy

from scoring.replication.hanna.agreement import add_agreement
from scoring.replication.hanna.comparisons import add_comparisons
from scoring.replication.hanna.correlations import add_correlations
from scoring.replication.hanna.data import CRITERIA, HannaData
from scoring.replication.hanna.levels import level_correlations
from scoring.replication.hanna.williams_tests import add_tests
from scoring.replication.sheet import Sheet
from scoring.stats.base.resampling import FloatArray

TABLE_4 = {
    "Human": ("4.17", "4.43", "3.22", "3.15", "3.88", "3.73", "3.76"),
    "BertGeneration": ("2.46", "3.14", "2.28", "2.09", "2.67", "2.41", "2.51"),
    "CTRL": ("2.54", "2.93", "2.26", "1.93", "2.53", "2.23", "2.40"),
    "GPT": ("2.40", "3.22", "2.37", "2.13", "2.76", "2.49", "2.56"),
    "GPT-2": ("2.81", "3.29", "2.47", "2.21", "2.86", "2.68", "2.72"),
    "GPT-2 (tag)": ("2.67", "3.31", "2.47", "2.22", "2.92", "2.80", "2.73"),
    "RoBERTa": ("2.54", "3.22", "2.27", "2.12", "2.74", "2.41", "2.55"),
    "XLNet": ("2.39", "2.88", "2.10", "1.95", "2.46", "2.36", "2.36"),
    "Fusion": ("2.09", "2.86", "1.99", "1.72", "2.27", "1.92", "2.14"),
    "HINT": ("2.29", "2.38", "1.74", "1.56", "1.75", "1.45", "1.86"),
    "TD-VAE": ("2.51", "2.99", "2.07", "2.10", "2.59", "2.49", "2.46"),
}
HALF_WIDTHS = {
    "Human": ("0.14", "0.10", "0.14", "0.15", "0.12", "0.13"),
    "BertGeneration": ("0.16", "0.16", "0.13", "0.13", "0.12", "0.11"),
    "CTRL": ("0.16", "0.16", "0.13", "0.12", "0.12", "0.10"),
    "GPT": ("0.16", "0.15", "0.12", "0.13", "0.13", "0.12"),
    "GPT-2": ("0.16", "0.14", "0.12", "0.13", "0.12", "0.10"),
    "GPT-2 (tag)": ("0.16", "0.15", "0.12", "0.13", "0.12", "0.11"),
    "RoBERTa": ("0.16", "0.16", "0.12", "0.13", "0.12", "0.11"),
    "XLNet": ("0.17", "0.16", "0.12", "0.12", "0.13", "0.11"),
    "Fusion": ("0.16", "0.16", "0.12", "0.12", "0.14", "0.11"),
    "HINT": ("0.16", "0.16", "0.13", "0.11", "0.12", "0.10"),
    "TD-VAE": ("0.16", "0.15", "0.11", "0.12", "0.12", "0.11"),
}
SECTION_3_2 = {"stories": "1056", "annotations": "19008", "systems": "10", "prompts": "96", "metrics": "72"}
BUSIEST_RATED = "2490"
NO_WORKERS = "worker ids are not public"


def hanna_cells(folder: Path) -> Sheet:
    """Recompute HANNA's tables and figures, a cell for every figure.

    Parameters
    ----------
    folder : Path
        Holds `ratings_long.csv` and `hanna_metric_scores.csv`.

    Raises
    ------
    PublishedFileError
        A file is missing or broken.
    """
    data = HannaData.read(folder)
    sheet = Sheet("hanna")
    add_systems(sheet, data)
    add_agreement(sheet, data)
    found = level_correlations(data)
    add_correlations(sheet, data, found)
    add_tests(sheet, data, found)
    add_comparisons(sheet, data)
    return sheet


def add_systems(sheet: Sheet, data: HannaData) -> None:
    """Add counts, mean ratings and half-widths of the systems.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        The published ratings.
    """
    add_counts(sheet, data)
    for system, printed in TABLE_4.items():
        ratings = data.of_system(system)[list(CRITERIA)].to_numpy(dtype=np.float64)
        means = (*ratings.mean(axis=0), ratings.mean())
        for name, mean, figure in zip((*CRITERIA, "Average"), means, printed, strict=True):
            sheet.add(("Table 4", system, name), float(mean), "system_mean", figure)
        halves = half_widths(ratings)
        for name, half, figure in zip(CRITERIA, halves, HALF_WIDTHS[system], strict=True):
            cell = ("Table 4 half-widths (authors' notebook)", system, name)
            sheet.add(cell, float(half), "system_ci", figure)


def add_counts(sheet: Sheet, data: HannaData) -> None:
    """Add the numbers that the running text states.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HannaData
        The published ratings.
    """
    found = {
        "stories": len(data.ratings.drop_duplicates(["system", "item"])),
        "annotations": int(data.ratings[list(CRITERIA)].count().sum()),
        "systems": len(data.systems) - 1,
        "prompts": data.ratings["item"].nunique(),
        "metrics": len(data.metrics),
    }
    for name, printed in SECTION_3_2.items():
        sheet.add(("Sec 3.2", name, "n"), found[name], "count", printed)
    busiest = ("Sec 4.1", "stories of the three busiest workers", "n")
    sheet.add(busiest, None, "count", BUSIEST_RATED, NO_WORKERS)


def half_widths(ratings: FloatArray) -> FloatArray:
    """Half-width of the 95 % t interval of each column, over the ratings as if they were independent.

    Parameters
    ----------
    ratings : ndarray, shape (ratings, criteria)
        All ratings of one system.

    Returns
    -------
    ndarray, shape (criteria,)
        t(.975, N − 1) s / √N.
    """
    n = len(ratings)
    return np.asarray(
        scipy.stats.t.ppf(0.975, n - 1) * ratings.std(axis=0, ddof=1) / np.sqrt(n), dtype=np.float64
    )
