"""All tables of He et al. (ACL 2023) from the published ratings and metric columns."""

from __future__ import annotations

from pathlib import Path

from scoring.replication.hauser.agreement import add_agreement
from scoring.replication.hauser.correlations import add_correlations
from scoring.replication.hauser.data import HauserData
from scoring.replication.hauser.examples import add_examples
from scoring.replication.hauser.rankings import add_counts, add_rankings
from scoring.replication.sheet import Sheet


def hauser_cells(folder: Path) -> Sheet:
    """Recompute HAUSER's tables: a cell for every printed figure, and the derived ones.

    Parameters
    ----------
    folder : Path
        Holds `human_annotated.csv`.

    Returns
    -------
    Sheet
        A cell for every printed figure, computed or with the reason why not, and the derived ones.

    Raises
    ------
    PublishedFileError
        The file is missing or broken.
    """
    data = HauserData.read(folder)
    sheet = Sheet("hauser")
    add_counts(sheet, data)
    add_agreement(sheet, data)
    add_correlations(sheet, data)
    add_rankings(sheet, data)
    add_examples(sheet, data)
    return sheet
