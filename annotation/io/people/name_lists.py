"""Lists of people: the names or codes of a small table."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Protocol

from annotation.domain.base.messages import message
from annotation.io.base.file_errors import refusal
from annotation.io.base.readers import read_rows

COLUMNS = ("name", "code")
FORMATS = frozenset({".csv", ".tsv"})
MOST_BYTES = 1024 * 1024


class SentFile(Protocol):
    """A file as a form receives it."""

    name: str | None
    size: int | None

    def read(self) -> bytes: ...


def names_in(sent: SentFile) -> list[str]:
    """The names or codes in the order of the rows, without spaces around them.

    Parameters
    ----------
    sent : SentFile
        A CSV or TSV file of at most 1 MB with a column `name` or `code`; other columns are ignored.

    Raises
    ------
    FileRefused
        `unknown_format`, `too_large`, `missing_column`, or as `read_rows`.
    """
    name = Path(sent.name or "list.csv").name
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        raise refusal(name, "unknown_format", message("send a CSV or TSV file"))
    if (sent.size or 0) > MOST_BYTES:
        raise refusal(name, "too_large", message("the file is larger than 1 MB"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"list{ending}"
        path.write_bytes(sent.read())
        rows = read_rows(path, name=name)
    column = next((one for one in COLUMNS if any(one in row for _, row in rows)), None)
    if column is None:
        raise refusal(name, "missing_column", message("the column “name” or “code” is missing"), row=1)
    return [str(row.get(column, "")).strip() for _, row in rows]
