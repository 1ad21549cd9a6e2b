"""Which figures of a publication could be checked: their source, and why the rest cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.replication.cells import Cell

PAPER, NOTEBOOK, NOT_PRINTED = "the paper", "the authors' notebook", "nobody"
COMPARED = {"reproduces", "last-digit", "differs"}

HEAT_MAP = "shown only as a heat map without numbers"
PARTLY_READ = "drawn as a heat map of which only some numbers can be read"
OF_THE_NOTEBOOK = "the notebook prints only some of these figures"
# Sources with figures that are printed somewhere, but were not available to compare with; by dataset.
NOT_READ: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "hanna": {
        "Fig 1 (story kendall, %)": (PAPER, PARTLY_READ),
        "Fig 2 (system kendall, %)": (PAPER, PARTLY_READ),
        "Fig 10 (story spearman, %)": (PAPER, HEAT_MAP),
        "Fig 11 (system spearman, %)": (PAPER, HEAT_MAP),
        "Fig 12 (story pearson, %)": (PAPER, HEAT_MAP),
        "Fig 13 (system pearson, %)": (PAPER, HEAT_MAP),
        "rankings": (PAPER, f"Figs 3, 4 and 14 to 19: {HEAT_MAP}"),
        "Figs 5, 20 (story kendall, %)": (PAPER, HEAT_MAP),
        "Figs 6, 21 (system kendall, %)": (PAPER, HEAT_MAP),
        "Fig 22 (story spearman, %)": (PAPER, HEAT_MAP),
        "Fig 23 (system spearman, %)": (PAPER, HEAT_MAP),
        "Fig 24 (story pearson, %)": (PAPER, HEAT_MAP),
        "Fig 25 (system pearson, %)": (PAPER, HEAT_MAP),
        "Figs 7, 26 (weighted F1, %)": (PAPER, HEAT_MAP),
        "Fig 8 (system pearson, %)": (PAPER, "drawn as curves without numbers"),
        "derived: Williams, top-3 (Pearson)": (PAPER, f"Figs 27 to 38, p only: {HEAT_MAP}"),
        "derived: Williams vs BLEU / ROUGE-1 (Pearson)": (PAPER, f"Figs 27 to 38: {HEAT_MAP}"),
        "derived: Borda with mid-ranks": (PAPER, "Table 6 prints the five best of each level"),
        "authors' notebook (Williams)": (NOTEBOOK, OF_THE_NOTEBOOK),
        "authors' notebook (worker columns)": (NOTEBOOK, OF_THE_NOTEBOOK),
        "authors' notebook (COLING branch)": (NOTEBOOK, OF_THE_NOTEBOOK),
        "Table 4 half-widths (authors' notebook)": (NOTEBOOK, OF_THE_NOTEBOOK),
    },
    "hauser": {
        "Table 5 weights / Fig 4 left": (PAPER, "drawn without numbers"),
    },
    "miyazawa": {
        "derived: heat map noun means (Fig 1/2)": (PAPER, "drawn as a heat map without numbers"),
        "derived: heat map verb means (Fig 1/2)": (PAPER, "drawn as a heat map without numbers"),
    },
    "simile_probing": {
        "Quizzes": (PAPER, "computed in addition; the paper prints rows and human accuracy"),
        "General_Corpus": (PAPER, "computed in addition; the paper prints rows and human accuracy"),
    },
}
HEADING = f"{'source':<48} {'printed by':<22} results compared reproduced  why the others are not compared"
IN_ADDITION = "computed in addition; not printed"


@dataclass(frozen=True)
class CheckedSource:
    """One table, figure or section, and how many of its results could be compared."""

    source: str
    printed_by: str
    results: int
    compared: int
    reproduced: int
    reasons: tuple[str, ...]  # Why the others could not be compared; empty where all were


def checked(dataset: str, cells: Iterable[Cell]) -> list[CheckedSource]:
    """What could be checked of each source, in the order of the cells.

    Parameters
    ----------
    dataset : str
        Name of the replication.
    cells : iterable of Cell
        Its cells.

    Returns
    -------
    list of CheckedSource
        One entry per source.
    """
    return [_of_source(dataset, name, found) for name, found in _by_source(cells).items()]


def _by_source(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    sources: dict[str, list[Cell]] = {}
    for cell in cells:
        sources.setdefault(cell.source, []).append(cell)
    return sources


def _of_source(dataset: str, source: str, cells: list[Cell]) -> CheckedSource:
    printed_by, not_read = NOT_READ.get(dataset, {}).get(source, (_printer(cells), IN_ADDITION))
    rest = [cell for cell in cells if cell.status not in COMPARED]
    reasons = dict.fromkeys(cell.note if cell.published is not None else not_read for cell in rest)
    return CheckedSource(
        source=source,
        printed_by=printed_by,
        results=len(cells),
        compared=len(cells) - len(rest),
        reproduced=sum(cell.status == "reproduces" for cell in cells),
        reasons=tuple(reasons),
    )


def _printer(cells: list[Cell]) -> str:
    if "notebook" in cells[0].source:
        return NOTEBOOK
    return PAPER if any(cell.published is not None for cell in cells) else NOT_PRINTED


def as_lines(sources: list[CheckedSource]) -> Iterator[str]:
    """A table for the terminal.

    Parameters
    ----------
    sources : list of CheckedSource
        From `checked`.

    Yields
    ------
    str
        The heading, then one line per source.
    """
    yield "  " + HEADING
    for source in sources:
        numbers = f"{source.results:>7} {source.compared:>8} {source.reproduced:>10}"
        yield f"  {source.source:<48} {source.printed_by:<22} {numbers}  {'; '.join(source.reasons)}".rstrip()
