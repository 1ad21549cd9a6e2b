"""Data sets in a folder of this server: `datasets.save_to_disk` folders, and folders of Parquet files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.io.base.file_errors import refusal

if TYPE_CHECKING:
    import pyarrow

ENDINGS = (".arrow", ".parquet")
# Files that `datasets` leaves beside the rows after `map` or `filter`.
CACHED = "cache-"


def data_set_names(folder: Path) -> list[str]:
    """List the data sets of a folder by name; a split of one is named after it, as in `similes/train`.

    What links out of the folder is none of them.
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
        How large its files may be together.

    Raises
    ------
    FileRefused
        There is no such data set (`no_such_file`), it is too large (`too_large`) or damaged (`damaged_file`).
    """
    # Loaded here: most processes never read a data set.
    import pyarrow
    import pyarrow.parquet

    if name not in data_set_names(folder):
        raise refusal(name, "no_such_file", "there is no such data set on this server")
    files = _files(folder.resolve() / name)
    written = pyarrow.BufferOutputStream()
    try:
        if sum(map(_size, files)) > most_bytes:
            raise refusal(name, "too_large", f"the data set is larger than {most_bytes // 1024**2} MB")
        table = pyarrow.concat_tables([_table(file) for file in files])
        pyarrow.parquet.write_table(table.replace_schema_metadata(None), written)
    except (pyarrow.ArrowException, OSError) as problem:
        raise refusal(name, "damaged_file", "the data set cannot be read") from problem
    content: bytes = written.getvalue().to_pybytes()
    return content


def _size(file: Path) -> int:
    """How large the rows of a file are in memory, without reading them."""
    import pyarrow.parquet

    if file.suffix != ".parquet":
        return file.stat().st_size
    metadata = pyarrow.parquet.read_metadata(file)
    return sum(int(metadata.row_group(place).total_byte_size) for place in range(metadata.num_row_groups))


def _table(file: Path) -> pyarrow.Table:
    import pyarrow.ipc
    import pyarrow.parquet

    if file.suffix == ".parquet":
        return pyarrow.parquet.read_table(file)
    with pyarrow.memory_map(str(file)) as source:
        return pyarrow.ipc.open_stream(source).read_all()


def _places(folder: Path) -> Iterator[Path]:
    """Folders with files of data, and those in such folders as `save_to_disk` writes for splits."""
    for place in (*folder.glob("*"), *folder.glob("*/*")):
        if place.is_dir() and place.resolve().is_relative_to(folder) and _files(place):
            yield place


def _files(place: Path) -> list[Path]:
    rows = (file for file in place.iterdir() if not file.name.startswith(CACHED))
    found = (file for file in rows if file.suffix in ENDINGS and file.is_file())
    return sorted(file for file in found if file.resolve().parent == place.resolve())
