"""Cells of a replication, gathered one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.replication.cells import Cell, status_of


@dataclass
class Sheet:
    """The cells of one dataset."""

    dataset: str  # The first part of every cell's id
    cells: list[Cell] = field(default_factory=list)

    def add(
        self,
        place: tuple[str, str, str],
        computed: float | str | None,
        definition: str,
        printed: str | None = None,
        note: str = "",
    ) -> None:
        """Add one cell.

        Parameters
        ----------
        place
            Source, row and column.
        computed
            Figure or name at full precision; None where it cannot be computed.
        definition
            Key of the definition.
        printed
            As printed, trailing zeros included; None where the paper has no such figure.
        note
            What a reader must know, such as why it cannot be computed.
        """
        self.add_named("/".join(place), place, computed, definition, printed, note)

    def add_named(
        self,
        name: str,
        place: tuple[str, str, str],
        computed: float | str | None,
        definition: str,
        printed: str | None = None,
        note: str = "",
    ) -> None:
        """Add a cell with an id of its own after the dataset; the rest as in `add`."""
        source, row, col = place
        self.cells.append(
            Cell(
                id=f"{self.dataset}/{name}",
                source=source,
                row=row,
                col=col,
                published=printed,
                computed=computed,
                status=status_of(printed, computed),
                definition=definition,
                note=note,
            )
        )
