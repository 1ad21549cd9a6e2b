"""The contents of a bundle, and how a part of it adds its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow

from annotation.domain.base.timestamps import EXACT, TIMES, rounded, rounded_within
from annotation.io.base.writers import parquet, write_rows
from annotation.models import Study
from scoring.bundle.redaction import Redactor
from scoring.bundle.release.publication import Publication
from scoring.models import Report
from scoring.selectors.reports.heds.sheet import Sheet
from scoring.selectors.reports.study_facts import StudyFacts

# What every bundle has; further formats are asked for.
ALWAYS = ("csv", "parquet")
ASKED = ("tsv", "jsonl", "xlsx")

Rows = Callable[[], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Written:
    """A file that is in the archive: its sum and its size in bytes."""

    digest: str
    size: int


@dataclass(frozen=True)
class Contents:
    """Contents from which the parts of a bundle are written.

    `with_judges` says whether the answers of automatic judges were asked for.
    `stale` are the newest reports that were left out, because their data have changed since; `excluded_kinds`
    the kinds of reports that no bundle contains. `inversions` are counted from the data as they are.
    `version` is that of a release, `times` how far moments in tables are rounded. `written` grows while the
    archive is written, so that later files can describe earlier ones, and so does `types`: by table, the
    types of its columns in Parquet, as Arrow names them.
    """

    study: Study
    facts: StudyFacts
    with_pay: bool
    with_judges: bool
    reports: Mapping[str, Report]
    stale: Sequence[Report]
    excluded_kinds: Sequence[str]
    inversions: Sequence[Mapping[str, Any]]
    redactor: Redactor
    formats: Sequence[str]
    bom: bool
    publication: Publication
    sheet: Sheet
    at: datetime
    version: str = ""
    times: str = EXACT
    written: dict[str, Written] = field(default_factory=dict)
    types: dict[str, dict[str, str]] = field(default_factory=dict)

    def rounded(self, value: Any) -> Any:
        """A JSON value with its moments rounded as those in tables are."""
        return rounded_within(value, self.times)


@dataclass(frozen=True)
class BundleFile:
    """A file of the bundle; `columns` describes those of a table, in the order of the file."""

    path: str
    pieces: Callable[[], Iterable[bytes]]
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def table(self) -> str:
        """The path without its ending, the same for every format of a table."""
        return self.path.rpartition(".")[0]


Part = Callable[[Contents, Sequence[BundleFile]], Iterable[BundleFile]]


def text_file(path: str, text: Callable[[], str]) -> BundleFile:
    """A short text; it is made when it is written."""
    return BundleFile(path, lambda: [text().encode("utf-8")])


def json_file(path: str, value: Callable[[], Any]) -> BundleFile:
    """A JSON value, in lines."""
    return text_file(path, lambda: json.dumps(value(), ensure_ascii=False, indent=1) + "\n")


def table_files(
    contents: Contents, name: str, columns: Mapping[str, str], rows: Rows, *, every_format: bool = False
) -> Iterator[BundleFile]:
    """A table of `data/` as CSV; a main one in every format of the bundle."""
    formats = (*ALWAYS, *contents.formats) if every_format else ("csv",)
    for ending in formats:
        yield BundleFile(f"data/{name}.{ending}", _pieces(contents, name, columns, rows, ending), columns)


def _pieces(
    contents: Contents, name: str, columns: Mapping[str, str], rows: Rows, ending: str
) -> Callable[[], Iterable[bytes]]:
    def remember(schema: pyarrow.Schema) -> None:
        contents.types[name] = {one.name: str(one.type) for one in schema}

    moments = TIMES.intersection(columns) if contents.times != EXACT and name != "items" else ()

    def rounded_rows() -> Iterable[Mapping[str, Any]]:
        if not moments:
            return rows()
        return (
            {**row, **{one: rounded(row[one] or "", contents.times) for one in moments}} for row in rows()
        )

    if ending == "parquet":
        return lambda: parquet(rounded_rows(), tuple(columns), remember)
    return lambda: write_rows(rounded_rows(), tuple(columns), ending, bom=contents.bom)
