"""Files that are small as they are sent and huge when they are unpacked are refused before they are."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute

from annotation.io.base.file_errors import refusal

MOST_UNPACKED = 256 * 1024 * 1024
MOST_CELLS = 20_000_000
# No spreadsheet program has more.
MOST_SHEET_ROWS = 1_048_576


def check_workbook(path: Path, name: str) -> None:
    """Refuse a workbook, a zip archive, whose parts unpack to more than `MOST_UNPACKED` bytes."""
    with zipfile.ZipFile(path) as book:
        unpacked = sum(part.file_size for part in book.infolist())
    if unpacked > MOST_UNPACKED:
        _refuse(name, f"the workbook unpacks to {unpacked >> 20} MB")


def check_sheet_row(number: int, name: str) -> None:
    """Refuse a row beyond those that a spreadsheet can have."""
    if number > MOST_SHEET_ROWS:
        _refuse(name, f"the sheet goes beyond row {MOST_SHEET_ROWS:,}")


def check_sheet_cells(count: int, name: str) -> None:
    """Refuse a sheet with more than `MOST_CELLS` cells, those between filled ones included."""
    if count > MOST_CELLS:
        _refuse(name, f"the sheet has more than {MOST_CELLS:,} cells")


def check_parquet(metadata: Any, name: str) -> None:
    """Refuse a Parquet file with more than `MOST_CELLS` cells."""
    if metadata.num_rows * metadata.num_columns > MOST_CELLS:
        _refuse(name, f"it has {metadata.num_rows:,} rows of {metadata.num_columns} columns")


def text_bytes(batch: Any) -> int:
    """Bytes of text in a batch whose text columns are dictionaries, every repetition counted."""
    total = 0
    for column in batch.columns:
        if pyarrow.types.is_dictionary(column.type):
            lengths = pyarrow.compute.binary_length(column.dictionary)
            total += pyarrow.compute.sum(lengths.take(column.indices)).as_py() or 0
    return total


def check_text(size: int, name: str) -> None:
    """Refuse texts of more than `MOST_UNPACKED` bytes."""
    if size > MOST_UNPACKED:
        _refuse(name, f"its texts unpack to more than {MOST_UNPACKED >> 20} MB")


def _refuse(name: str, what: str) -> None:
    message = f"{what}: more than is taken at once; send it in several files"
    raise refusal(name, "too_large_unpacked", message)
