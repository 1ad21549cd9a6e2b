"""Data sets in a folder of this server: `datasets.save_to_disk` folders, and folders of Parquet files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.domain.base.messages import message
from annotation.io.base.binary_tables import is_text, text_bytes
from annotation.io.base.file_errors import refusal

if TYPE_CHECKING:
    import pyarrow

ENDINGS = (".arrow", ".parquet")
# Files that `datasets` leaves next to the rows after `map` or `filter`.
CACHED = "cache-"


def data_set_names(folder: Path) -> list[str]:
    """List the data sets of a folder by name; a split of one is named after it, as in `similes/train`.

    Folders that link out of the folder or that this process may not read are not listed.
    """
    return sorted({str(place.relative_to(folder.resolve())) for place in _places(folder.resolve())})


def read_data_set(folder: Path, name: str, *, most_bytes: int) -> bytes:
    """Read a data set as one Parquet file.

    Parameters
    ----------
    folder : Path
        The folder of data sets.
    name : str
        One of `data_set_names`.
    most_bytes : int
        Largest size of its rows in memory, with every text counted as often as it occurs.

    Raises
    ------
    FileRefused
        There is no such data set (`no_such_file`), or it is too large (`too_large`), empty (`empty_file`) or
        damaged (`damaged_file`).
    """
    # Loaded here: most processes never read a data set.
    import pyarrow
    import pyarrow.parquet

    if name not in data_set_names(folder):
        raise refusal(name, "no_such_file", message("there is no such data set on this server"))
    written = pyarrow.BufferOutputStream()
    try:
        tables, size = [], 0
        for batch in _batches(_files(folder.resolve() / name)):
            size += _decoded_bytes(batch)
            if size > most_bytes:
                raise refusal(name, "too_large", _too_large(most_bytes))
            tables.append(_decoded(batch))
        if not tables:
            raise refusal(name, "empty_file", message("the data set has no rows"))
        table = pyarrow.concat_tables(tables)
        pyarrow.parquet.write_table(table.replace_schema_metadata(None), written)
    except (pyarrow.ArrowException, OSError) as problem:
        raise refusal(name, "damaged_file", message("the data set cannot be read")) from problem
    content: bytes = written.getvalue().to_pybytes()
    return content


def _too_large(most_bytes: int) -> str:
    return message("the rows of the data set take more than %(n)d MB", n=most_bytes // 1024**2)


def _batches(files: list[Path]) -> Iterator[pyarrow.RecordBatch]:
    """Rows in batches, with texts that repeat stored once."""
    import pyarrow.ipc
    import pyarrow.parquet

    for file in files:
        if file.suffix == ".parquet":
            with pyarrow.parquet.ParquetFile(file) as plain:
                texts = [field.name for field in plain.schema_arrow if is_text(field.type)]
            with pyarrow.parquet.ParquetFile(file, read_dictionary=texts) as source:
                yield from source.iter_batches()
        else:
            with pyarrow.memory_map(str(file)) as mapped:
                yield from pyarrow.ipc.open_stream(mapped)


def _decoded_bytes(batch: pyarrow.RecordBatch) -> int:
    """The size of a batch once each text that repeats is stored each time."""
    texts = [place for place, kind in enumerate(batch.schema.types) if _is_repeated_text(kind)]
    others = (column for place, column in enumerate(batch.columns) if place not in texts)
    return text_bytes(batch.select(texts)) + sum(int(column.nbytes) for column in others)


def _decoded(batch: pyarrow.RecordBatch) -> pyarrow.Table:
    import pyarrow

    columns = [
        column.dictionary_decode() if _is_repeated_text(column.type) else column for column in batch.columns
    ]
    return pyarrow.table(columns, names=batch.schema.names)


def _is_repeated_text(kind: pyarrow.DataType) -> bool:
    import pyarrow

    return pyarrow.types.is_dictionary(kind) and is_text(kind.value_type)


def _places(folder: Path) -> Iterator[Path]:
    """Folders with files of data, and those in such folders as `save_to_disk` writes for splits."""
    for place in (*folder.glob("*"), *folder.glob("*/*")):
        with suppress(PermissionError):
            if place.is_dir() and place.resolve().is_relative_to(folder) and _files(place):
                yield place


def _files(place: Path) -> list[Path]:
    rows = (file for file in place.iterdir() if not file.name.startswith(CACHED))
    found = (file for file in rows if file.suffix in ENDINGS and file.is_file())
    return sorted(file for file in found if file.resolve().parent == place.resolve())
