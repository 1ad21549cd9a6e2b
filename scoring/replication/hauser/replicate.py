"""All tables of He et al. (ACL 2023) from the published ratings and metric columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scoring.replication.hauser.agreement import add_agreement
from scoring.replication.hauser.correlations import add_correlations
from scoring.replication.hauser.data import CRITERIA, HauserData
from scoring.replication.hauser.rankings import add_counts, add_rankings
from scoring.replication.sheet import Sheet

EXAMPLES = "Table 10 (examples)"
TABLE_10 = {
    "raindrops": {
        "diamonds": ("2.3", "3.3", "2.0"),
        "tears": ("3.3", "3.3", "2.0"),
        "arrows": ("1.0", "3.0", "2.0"),
        "a stream": ("4.0", "2.7", "2.3"),
        "a stream of diamonds": ("4.0", "4.7", "4.0"),
    },
    "Jaklin": {
        "a rag doll": ("3.0", "3.3", "2.7"),
        "a deflated balloon": ("4.7", "4.0", "3.3"),
        "a pricked bladder": ("3.0", "4.7", "3.3"),
        "a pricked balloon": ("4.3", "4.3", "3.3"),
        "a flash": ("3.3", "2.0", "2.3"),
    },
    "Empire State": {
        "a dark shadow": ("4.0", "2.3", "3.3"),
        "a huge black monster": ("4.7", "3.3", "4.0"),
        "a giant black monster": ("4.7", "3.7", "4.0"),
        "a huge black shadow": ("4.3", "3.0", "4.0"),
        "a huge black monster of destruction": ("4.7", "4.3", "5.0"),
    },
    "hormones": {
        "a boiling caldron": ("3.0", "4.3", "3.0"),
        "a volcano": ("4.3", "2.7", "2.0"),
        "a boiling cauldron": ("4.0", "4.7", "3.0"),
        "a cauldron of boiling water": ("4.7", "4.7", "4.7"),
    },
    "crosstrees": {
        "a stone": ("4.7", "1.7", "2.0"),
        "a log": ("3.0", "1.7", "2.0"),
        "lead": ("4.3", "2.3", "1.7"),
        "an empty sack": ("1.3", "3.7", "3.0"),
        "an empty barrel": ("1.3", "3.7", "3.0"),
    },
}


def hauser_cells(folder: Path) -> Sheet:
    """Recompute HAUSER's tables: a cell for every printed figure, and the derived ones.

    Parameters
    ----------
    folder : Path
        Holds `human_annotated.csv`.

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


def add_examples(sheet: Sheet, data: HauserData) -> None:
    """Add the mean ratings of each example, found by a word of its sentence and by its vehicle.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HauserData
        The published ratings.
    """
    for sentence, vehicles in TABLE_10.items():
        for vehicle, printed in vehicles.items():
            rows = _rows(data, sentence, vehicle)
            note = "" if len(rows) == 1 else f"{len(rows)} matching rows in the file"
            for criterion, figure in zip(CRITERIA, printed, strict=True):
                value = float(data.mean(criterion)[rows[0]]) if len(rows) else None
                cell = (EXAMPLES, f"{sentence}: {vehicle}", criterion[0])
                sheet.add(cell, value, "item_mean", figure, note)


def _rows(data: HauserData, sentence: str, vehicle: str) -> list[int]:
    literal = data.table["literal_sentences"].str.contains(sentence, regex=False).to_numpy(dtype=bool)
    return [int(row) for row in np.flatnonzero(literal) if vehicle in data.vehicles[row]]
