"""`csv-metadata.json`: the columns of every CSV table (CSV on the Web, W3C 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.bundle.contents import BundleFile, Contents, json_file
from scoring.bundle.release.citation import title_of
from scoring.bundle.release.column_types import TRUTH, table_name, type_of

CONTEXT = "http://www.w3.org/ns/csvw"


def csvw_part(contents: Contents, files: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """The description under the name at which readers look for it in a folder."""
    yield json_file("csv-metadata.json", lambda: description(contents, files))


def description(contents: Contents, files: Sequence[BundleFile]) -> dict[str, Any]:
    """A table group with a table for each CSV file."""
    tables = [file for file in files if file.columns and file.path.endswith(".csv")]
    publication = contents.publication
    licence = None if publication.are_texts_reserved else publication.licence
    return {
        "@context": [CONTEXT, {"@language": contents.study.language}],
        "dc:title": title_of(contents),
        **({"dc:license": {"@id": licence.url}} if licence else {}),
        "dialect": {"encoding": "utf-8", "header": True, "lineTerminators": ["\n"]},
        "tables": [_table(contents, file) for file in tables],
    }


def _table(contents: Contents, file: BundleFile) -> dict[str, Any]:
    """A table with its columns; the texts of items may have a licence of their own."""
    table, types = table_name(file.path), contents.types
    publication = contents.publication
    of_data = publication.licence if publication.are_texts_reserved else None
    own = publication.texts if table == "items" else of_data
    columns = [
        _column(position, title, words, type_of(types, table, title))
        for position, (title, words) in enumerate(file.columns.items(), start=1)
    ]
    return {
        "url": file.path,
        "tableSchema": {"columns": columns},
        **({"dc:license": {"@id": own.url}} if own else {}),
    }


def _column(position: int, title: str, words: str, kind: str) -> dict[str, Any]:
    """A column; its name is a number, since a study’s own titles can hold what names cannot."""
    datatype: Any = {"base": TRUTH, "format": "true|false"} if kind == TRUTH else kind
    return {"name": f"c{position}", "titles": title, "dc:description": words, "datatype": datatype}
