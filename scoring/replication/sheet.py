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
        *,
        name: str = "",
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
            Remark for readers, such as why it cannot be computed.
        name
            The cell's id after the dataset, where source, row and column are not unique.
        """
        source, row, col = place
        self.cells.append(
            Cell(
                id=f"{self.dataset}/{name or '/'.join(place)}",
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
