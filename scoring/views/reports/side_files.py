"""Further tables of a reliability page as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponseBase

from annotation.models import Study
from annotation.views.base.downloads import file_response
from scoring.io.latex import latex_table
from scoring.models import Report
from scoring.selectors.agreement.before_after import before_after
from scoring.selectors.agreement.form_versions import SHOWN, version_lines
from scoring.selectors.choices import choices
from scoring.selectors.spans.tuple_pairs import COLUMNS as PAIR_COLUMNS
from scoring.selectors.spans.tuple_pairs import pair_lines
from scoring.views.base.downloads import attachment


@dataclass(frozen=True)
class SideTable:
    """A further table: its columns, the source of its rows, and its caption."""

    name: str
    columns: tuple[str, ...]
    rows_of: Callable[[Report], list[dict[str, Any]]]
    caption: str


BEFORE_AND_AFTER = tuple(
    f"{part}_{key}"
    for part in ("before", "after")
    for key in ("estimate", "low", "high", "n_items", "n_ratings")
)
TABLES = {
    "before": SideTable(
        "before-after",
        ("criterion", "figure", *BEFORE_AND_AFTER),
        before_after,
        "before and after the exclusions",
    ),
    "versions": SideTable(
        "versions", ("criterion", "figure", "version", *SHOWN), version_lines, "form versions compared"
    ),
    "tuple-pairs": SideTable("tuple-pairs", PAIR_COLUMNS, pair_lines, "pairs of annotators on their tuples"),
    "accuracy": SideTable(
        "accuracy", choices.ACCURACY_COLUMNS, choices.accuracy_lines, "answers against the key"
    ),
    "wins": SideTable("wins", choices.WIN_COLUMNS, choices.win_lines, "how often each was preferred"),
    "strengths": SideTable(
        "strengths", choices.STRENGTH_COLUMNS, choices.strength_lines, "Bradley–Terry strengths"
    ),
}
SIDE_FILES: Mapping[str, SideTable] = {
    f"{address}.{ending}": table for address, table in TABLES.items() for ending in ("csv", "tex")
}


def side_file(study: Study, report: Report, file_format: str) -> HttpResponseBase:
    """One of the side tables as CSV or LaTeX; `file_format` is a key of `SIDE_FILES`."""
    table = SIDE_FILES[file_format]
    name, rows = f"{study.slug}-{table.name}-{report.pk}", table.rows_of(report)
    if file_format.endswith(".csv"):
        return file_response((table.columns, rows), "csv", name)
    shown = tuple((key, key.replace("_", " ")) for key in table.columns)
    text = latex_table(shown, rows, f"{study.title}: {table.caption}.")
    return attachment(text, "application/x-tex", f"{name}.tex")
