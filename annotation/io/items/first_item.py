"""The first item of rows that are not stored yet, with columns as detected."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from annotation.domain.base.errors import FileRefused
from annotation.io.base.file_errors import refuse_many_columns
from annotation.io.base.readers import read_all_rows
from annotation.io.items.guessed_columns import guess_columns
from annotation.io.items.item_columns import items_by

# Enough rows to guess what the columns contain while a page waits.
LOOKED_AT = 50


def first_item(name: str, content: str, shown: Mapping[str, str]) -> dict[str, Any] | None:
    """Read the first item of a small file of text.

    Parameters
    ----------
    name : str
        Its name; the ending says its format.
    content : str
        Its text.
    shown : mapping of str to str
        The texts that forms show, as for `guess_columns`.

    Returns
    -------
    dict or None
        As `items_by` describes an item; None if no row can be read, or there are too many columns.
    """
    with NamedTemporaryFile(suffix=Path(name).suffix.lower()) as file:
        file.write(content.encode(errors="surrogatepass"))
        file.flush()
        try:
            rows, _problems = read_all_rows(Path(file.name), name=name)
            columns = list(dict.fromkeys(column for _, row in rows for column in row))
            refuse_many_columns(name, columns)
        except FileRefused:
            return None
    mapping = guess_columns(columns, rows[:LOOKED_AT], shown)
    return next((item for _, item in items_by(rows[:1], mapping)), None)
