"""Tables in workbooks and columns: XLSX and Parquet; their libraries are loaded where one is read."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.domain.base.messages import message
from annotation.io.base.cells import Row, check_columns, name_row_index, plain_row
from annotation.io.base.file_errors import Problems, refusal

DAMAGED_BOOK = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    IndexError,
    KeyError,
    OSError,
    RuntimeError,
    # Errors of the two XML parsers for a part that is no XML.
    SyntaxError,
    TypeError,
    ValueError,
)
Numbered = Iterator[tuple[int, Row]]
MOST_UNPACKED = 256 * 1024 * 1024
MOST_CELLS = 20_000_000
# The limit of spreadsheet programs.
MOST_SHEET_ROWS = 1_048_576


def xlsx(path: Path, problems: Problems) -> Numbered:
    """The first sheet; rows are numbered as the sheet shows them, the header is row 1."""
    lines = ((number, cells) for number, cells in _sheet(path, problems) if any(map(_is_filled, cells)))
    first, names = next(lines, (1, ()))
    header = ["" if name is None else str(name).strip() for name in _trimmed(names)]
    name_row_index(header)
    check_columns(header, problems, row=first)
    problems.refuse_if_any()
    for number, all_cells in lines:
        cells = _trimmed(all_cells)
        if len(cells) > len(header):
            problem = message(
                "a cell in column %(column)d, but the header has %(columns)d columns",
                column=len(cells),
                columns=len(header),
            )
            problems.add(number, "", "ragged_row", problem)
            continue
        filled = [*cells, *[None] * (len(header) - len(cells))]
        yield number, plain_row(number, dict(zip(header, filled, strict=True)), problems)


def parquet(path: Path, problems: Problems) -> Numbered:
    """Rows counted from 1."""
    number = 0
    for batch in _batches(path, problems):
        names = enumerate(batch.schema.names)
        columns = [_values(batch.column(place), number, name, problems) for place, name in names]
        for values in zip(*columns, strict=True):
            number += 1
            row = dict(zip(batch.schema.names, values, strict=True))
            yield number, plain_row(number, row, problems)


def _sheet(path: Path, problems: Problems) -> Iterator[tuple[int, Sequence[Any]]]:
    import openpyxl

    try:
        check_workbook(path, problems.name)
        # Opened here, because openpyxl checks the ending of a file name.
        file = path.open("rb")
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        try:
            sheet = book.worksheets[0]
            # Some programs write a size that is too small, at which openpyxl would stop.
            sheet.reset_dimensions()
            count = 0
            for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
                count += len(cells)
                check_sheet_row(number, problems.name)
                check_sheet_cells(count, problems.name)
                yield number, cells
        finally:
            book.close()
            file.close()
    except DAMAGED_BOOK as problem:
        sentence = message(
            "the workbook cannot be read (%(problem)s); save it again as .xlsx", problem=str(problem)
        )
        raise refusal(problems.name, "damaged_file", sentence) from problem


def _is_filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _trimmed(cells: Sequence[Any]) -> Sequence[Any]:
    """Without the empty cells at the end."""
    length = max((place for place, cell in enumerate(cells, start=1) if _is_filled(cell)), default=0)
    return cells[:length]


def _batches(path: Path, problems: Problems) -> Iterator[Any]:
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            check_columns(names, problems, row=0)
            problems.refuse_if_any()
            check_parquet(file.metadata, problems.name)
            texts = [field.name for field in file.schema_arrow if is_text(field.type)]
        # Texts are read as dictionaries, so that their size is known before repetitions are expanded.
        with pyarrow.parquet.ParquetFile(path, read_dictionary=texts) as file:
            size = 0
            for batch in file.iter_batches():
                size += text_bytes(batch)
                check_text(size, problems.name)
                yield batch
    except MemoryError:  # The errors of Arrow are both
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as problem:
        sentence = message("the file cannot be read: %(problem)s", problem=str(problem))
        raise refusal(problems.name, "damaged_file", sentence) from problem


def is_text(kind: Any) -> bool:
    """Return whether a type of Arrow is text."""
    import pyarrow

    return any(check(kind) for check in (pyarrow.types.is_string, pyarrow.types.is_large_string))


def _values(column: Any, before: int, name: str, problems: Problems) -> list[Any]:
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        return [_value(cell, before + place, name, problems) for place, cell in enumerate(column, start=1)]


def _value(cell: Any, number: int, name: str, problems: Problems) -> Any:
    try:
        return cell.as_py()
    except UnicodeDecodeError:
        problems.add(number, name, "wrong_encoding", message("the text is not UTF-8"))
        return ""


def check_workbook(path: Path, name: str) -> None:
    """Refuse a workbook, a zip archive, whose parts unpack to more than `MOST_UNPACKED` bytes."""
    with zipfile.ZipFile(path) as book:
        unpacked = sum(part.file_size for part in book.infolist())
    if unpacked > MOST_UNPACKED:
        _refuse(
            name,
            message("the workbook is %(n)d MB when unpacked; split it into several files", n=unpacked >> 20),
        )


def check_sheet_row(number: int, name: str) -> None:
    """Refuse a row beyond those that a spreadsheet can have."""
    if number > MOST_SHEET_ROWS:
        _refuse(
            name,
            message(
                "the sheet has more than %(rows)s rows; split it into several files",
                rows=f"{MOST_SHEET_ROWS:,}",
            ),
        )


def check_sheet_cells(count: int, name: str) -> None:
    """Refuse a sheet with more than `MOST_CELLS` cells, those between filled ones included."""
    if count > MOST_CELLS:
        _refuse(
            name,
            message(
                "the sheet has more than %(cells)s cells; split it into several files",
                cells=f"{MOST_CELLS:,}",
            ),
        )


def check_parquet(metadata: Any, name: str) -> None:
    """Refuse a Parquet file with more than `MOST_CELLS` cells."""
    if metadata.num_rows * metadata.num_columns > MOST_CELLS:
        _refuse(
            name,
            message(
                "the file has %(rows)s rows with %(columns)d columns; split it into several files",
                rows=f"{metadata.num_rows:,}",
                columns=metadata.num_columns,
            ),
        )


def text_bytes(batch: Any) -> int:
    """Bytes of text in a batch whose text columns are dictionaries, every repetition counted."""
    import pyarrow.compute

    total = 0
    for column in batch.columns:
        if pyarrow.types.is_dictionary(column.type):
            lengths = pyarrow.compute.binary_length(column.dictionary)
            total += pyarrow.compute.sum(lengths.take(column.indices)).as_py() or 0
    return total


def check_text(size: int, name: str) -> None:
    """Refuse texts of more than `MOST_UNPACKED` bytes."""
    if size > MOST_UNPACKED:
        _refuse(
            name,
            message(
                "the texts are more than %(n)d MB when unpacked; split the file into several files",
                n=MOST_UNPACKED >> 20,
            ),
        )


def _refuse(name: str, sentence: str) -> None:
    raise refusal(name, "too_large_unpacked", sentence)
