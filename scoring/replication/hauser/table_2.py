"""He et al. (ACL 2023), Table 2, row block "After": held-out agreement of the 150 candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scoring.replication.cells import Cell
from scoring.replication.sheet import Sheet

SOURCE = "Table 2 (After)"
COLUMNS = (
    ("Pearson mean", "held_out_pearson", "mean"),
    ("Pearson max", "held_out_pearson", "max"),
    ("Spearman mean", "held_out_spearman", "mean"),
    ("Spearman max", "held_out_spearman", "max"),
)
PRINTED = {
    "Quality": ("0.812", "0.833", "0.735", "0.759"),
    "Creativity": ("0.551", "0.643", "0.568", "0.650"),
    "Informativeness": ("0.848", "0.893", "0.817", "0.841"),
}


def table_2(figures: Iterable[Mapping[str, Any]]) -> list[Cell]:
    """The twelve printed figures and those of a report.

    Parameters
    ----------
    figures : iterable of mapping
        Rows of a report, keys as in the contract's JSON.
    """
    estimates = {
        (row["criterion"], row["coefficient"], row["variant"].split(",")[0]): row["estimate"]
        for row in figures
    }
    sheet = Sheet("hauser")
    for name, numbers in PRINTED.items():
        for (column, coefficient, variant), printed in zip(COLUMNS, numbers, strict=True):
            computed = estimates.get((name.lower(), coefficient, variant))
            definition = f"heldout_{column.split(maxsplit=1)[0].lower()}"
            sheet.add((SOURCE, name, column), computed, definition, printed)
    return sheet.cells
