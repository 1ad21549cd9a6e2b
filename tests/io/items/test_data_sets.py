"""Data sets on the server: the size of their rows counts, and folders that cannot be read are not offered."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from annotation.domain.base.errors import FileRefused
from annotation.io.items.data_sets import data_set_names, read_data_set

MEGABYTE = 10**6
REPEATED = pyarrow.table({"simile": ["like rain " * 100] * 5000})


def data_set(folder: Path, rows: pyarrow.Table) -> Path:
    """A folder of Parquet with one data set in it."""
    (folder / "echoes").mkdir(parents=True)
    pyarrow.parquet.write_table(rows, folder / "echoes" / "rows.parquet")
    return folder


def refusal_of(folder: Path, *, most_bytes: int) -> list[str]:
    with pytest.raises(FileRefused) as refused:
        read_data_set(folder, "echoes", most_bytes=most_bytes)
    return [problem.code for problem in refused.value.problems]


def test_a_repeated_text_counts_each_time_although_a_file_stores_it_once(tmp_path):
    folder = data_set(tmp_path, REPEATED)
    assert (folder / "echoes" / "rows.parquet").stat().st_size < MEGABYTE / 10
    assert refusal_of(folder, most_bytes=MEGABYTE) == ["too_large"]
    assert read_data_set(folder, "echoes", most_bytes=6 * MEGABYTE)


def test_a_repeated_text_of_an_arrow_file_counts_each_time(tmp_path):
    place = tmp_path / "echoes"
    place.mkdir()
    encoded = pyarrow.table({"simile": REPEATED["simile"].combine_chunks().dictionary_encode()})
    with pyarrow.ipc.new_stream(place / "rows.arrow", encoded.schema) as file:
        file.write_table(encoded)
    assert refusal_of(tmp_path, most_bytes=MEGABYTE) == ["too_large"]
    written = read_data_set(tmp_path, "echoes", most_bytes=6 * MEGABYTE)
    assert pyarrow.parquet.read_table(pyarrow.BufferReader(written)) == REPEATED.combine_chunks()


def test_a_data_set_without_rows_is_refused(tmp_path):
    assert refusal_of(data_set(tmp_path, REPEATED.slice(0, 0)), most_bytes=MEGABYTE) == ["empty_file"]


def test_a_folder_that_cannot_be_read_is_not_offered(tmp_path, monkeypatch):
    folder = data_set(tmp_path, REPEATED)
    (folder / "private").mkdir()
    listed = os.listdir

    def without_rights(place: object) -> list[str]:
        if Path(str(place)).name == "private":
            raise PermissionError(13, "Permission denied")
        return listed(str(place))

    monkeypatch.setattr(os, "listdir", without_rights)
    assert data_set_names(folder) == ["echoes"]
