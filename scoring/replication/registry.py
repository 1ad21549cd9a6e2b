"""The replications by name, with the definitions their cells refer to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.replication.cells import Cell
from scoring.replication.cmdag import cmdag_cells
from scoring.replication.hanna.replicate import hanna_cells
from scoring.replication.hauser.replicate import hauser_cells
from scoring.replication.miyazawa.replicate import miyazawa_cells
from scoring.replication.sheet import Sheet
from scoring.replication.simile_probing import simile_probing_cells

STATUSES = ("reproduces", "last-digit", "differs", "not-computable", "no-paper-figure")


@dataclass(frozen=True)
class Replication:
    """A published study whose tables can be recomputed."""

    name: str  # In addresses, commands and files
    title: str  # For people
    paper: str  # Authors, venue and year
    files: tuple[str, ...]  # Needed files, in one folder
    recompute: Callable[[Path], Sheet]  # From the folder to the cells

    def cells(self, folder: Path) -> Sheet:
        """Recompute the study's tables: cells in the order of the paper, then the derived ones.

        Parameters
        ----------
        folder : Path
            Holds the files.

        Raises
        ------
        PublishedFileError
            A file is missing or broken.
        """
        return self.recompute(folder)


REPLICATIONS: Mapping[str, Replication] = {
    replication.name: replication
    for replication in (
        Replication("hauser", "HAUSER", "He et al., ACL 2023", ("human_annotated.csv",), hauser_cells),
        Replication(
            "hanna",
            "HANNA",
            "Chhun et al., COLING 2022",
            ("ratings_long.csv", "hanna_metric_scores.csv"),
            hanna_cells,
        ),
        Replication(
            "miyazawa",
            "Miyazawa & Miyao",
            "Miyazawa & Miyao, IWCS 2017",
            ("result.csv", "novelty-rank-ja.csv", "novelty-rank-en.csv"),
            miyazawa_cells,
        ),
        Replication(
            "simile_probing",
            "Simile probing",
            "He et al., ACL 2022",
            ("Quizzes.csv", "General_Corpus.csv"),
            simile_probing_cells,
        ),
        Replication(
            "cmdag",
            "CMDAG",
            "Shao et al., LREC-COLING 2024",
            ("test_data.json", "train_data_sampled_200.json"),
            cmdag_cells,
        ),
    )
}


def counts(cells: list[Cell]) -> dict[str, int]:
    """Number of cells by status, in the order of the contract.

    Parameters
    ----------
    cells : list of Cell
        Of one study.
    """
    found = Counter(cell.status for cell in cells)
    return {status: found[status] for status in STATUSES}
