"""What could be checked of a publication: who printed it, and why the rest cannot be compared."""

from __future__ import annotations

import pytest

from scoring.replication.cells import Cell, status_of
from scoring.replication.checked import IN_ADDITION, NOT_PRINTED, NOTEBOOK, PAPER, CheckedSource, checked


def cell(source: str, printed: str | None, computed: float | None, note: str = "") -> Cell:
    status = status_of(printed, computed)
    return Cell(f"any/{source}", source, "row", "column", printed, computed, status, "mean", note)


def only(dataset: str, *cells: Cell) -> CheckedSource:
    (found,) = checked(dataset, cells)
    return found


def test_printed_results_that_can_be_computed_are_compared():
    found = only("any", cell("Table 1", "0.5", 0.5), cell("Table 1", "0.6", 0.5))
    assert (found.results, found.compared, found.reproduced, found.reasons) == (2, 2, 1, ())


def test_what_cannot_be_computed_has_the_reason_of_its_cells_once():
    missing = [cell("Table 2", "0.5", None, "ratings are not public") for _ in range(3)]
    found = only("any", *missing)
    assert (found.compared, found.printed_by, found.reasons) == (0, PAPER, ("ratings are not public",))


@pytest.mark.parametrize(
    ("source", "printed", "printer"),
    [
        ("Table 1", "0.5", PAPER),
        ("authors' notebook (ICC)", "0.5", NOTEBOOK),
        ("derived: alpha", None, NOT_PRINTED),
    ],
)
def test_the_printer_of_a_source_is_named(source, printed, printer):
    assert only("any", cell(source, printed, 0.5)).printed_by == printer


def test_a_figure_that_is_printed_as_a_heat_map_is_not_called_unprinted():
    found = only("hanna", cell("derived: Williams, top-3 (Pearson)", None, 0.2))
    assert found.printed_by == PAPER
    assert found.reasons != (IN_ADDITION,)


def test_what_is_computed_in_addition_is_called_that():
    assert only("hanna", cell("derived: alpha", None, 0.2)).reasons == (IN_ADDITION,)
