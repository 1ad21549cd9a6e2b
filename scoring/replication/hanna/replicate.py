"""All tables of Chhun et al. (COLING 2022) from the published ratings and metric scores."""

from __future__ import annotations

from pathlib import Path

from scoring.replication.hanna.agreement import add_agreement
from scoring.replication.hanna.comparisons import add_comparisons
from scoring.replication.hanna.correlations import add_correlations
from scoring.replication.hanna.data import HannaData
from scoring.replication.hanna.levels import level_correlations
from scoring.replication.hanna.systems import add_systems
from scoring.replication.hanna.williams_tests import add_tests
from scoring.replication.sheet import Sheet


def hanna_cells(folder: Path) -> Sheet:
    """Recompute HANNA's tables and figures, a cell for every figure.

    Parameters
    ----------
    folder : Path
        Holds `ratings_long.csv` and `hanna_metric_scores.csv`.

    Returns
    -------
    Sheet
        A cell for every figure.

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
