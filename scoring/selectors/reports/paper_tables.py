"""LaTeX tables for a paper from the results of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.domain.base.messages import Message, message
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report
from scoring.selectors.agreement.before_after import before_after
from scoring.selectors.base.figure_sentences import holds_for_sentence
from scoring.selectors.base.figures import compared_name, figure_name
from scoring.selectors.metrics.metric_pages import PAIRWISE, THRESHOLDS
from scoring.stats.metrics.meta_figure import split_rows

RELIABILITY = (
    ("criterion", "Criterion"),
    ("figure", "Statistic"),
    ("estimate", "Estimate"),
    ("low", "Low"),
    ("high", "High"),
    ("n_items", "Items"),
    ("n_raters", "Raters"),
    ("n_ratings", "Ratings"),
)
PARTS = (("estimate", "Estimate"), ("low", "Low"), ("high", "High"), ("n_items", "Items"))
BEFORE_AFTER = (
    ("criterion", "Criterion"),
    ("figure", "Statistic"),
    *((f"before_{key}", f"{name} before") for key, name in PARTS),
    *((f"after_{key}", f"{name} after") for key, name in PARTS),
)
CORRELATIONS = (
    ("criterion", "Criterion"),
    ("metric", "Metric"),
    ("estimate", "Estimate"),
    ("low", "Low"),
    ("high", "High"),
    ("p", "p"),
    ("n_items", "Items"),
)
SYSTEMS = (
    ("system", "System"),
    ("criterion", "Criterion"),
    ("mean", "Mean"),
    ("half_width", "Half-width"),
    ("n", "Items"),
)
PAIRS = {"group": "pairs within groups", "none": "all pairs of items", "system": "pairs within systems"}
WORDS = frozenset({"criterion", "figure", "metric", "system"})


@dataclass(frozen=True)
class PaperTable:
    """A table in LaTeX, and the source of each of its numbers in the report."""

    name: str  # Of the file, without the extension
    title: Message
    latex: str
    rows_of: str  # `figures`, `before-after`, `systems` or `pairwise`
    labels: tuple[str, ...]  # Keys of the columns with words; the first ones, in their order
    numbers: tuple[str, ...]  # Keys of the columns with numbers; the last ones, in their order
    # Values of a figure's keys by which the rows were chosen
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # Coefficient, variant and name of the figures, where the table names them
    figures: Sequence[tuple[str, str, str]] = ()


def paper_tables(title: str, report: Report) -> list[PaperTable]:
    """The tables of one report.

    Parameters
    ----------
    title : str
        Title of the study, for the captions.
    report : Report
        Report of any kind; comparisons of two metrics have no table.

    Returns
    -------
    list of PaperTable
        A table without rows is left out.
    """
    if report.kind == "reliability":
        return _of_reliability(title, report)
    if report.kind == "new_raters":
        return _of_new_raters(title, report)
    return _of_metrics(title, report) if report.kind == "metrics" else []


def _of_reliability(title: str, report: Report) -> list[PaperTable]:
    rows = [
        {**row, "figure": figure_name(row)}
        for row in report.figures
        if not str(row["variant"]).startswith("rater:")
    ]
    caption = f"{title}: reliability, computed by {report.software}."
    content = (with_interval(RELIABILITY, rows), rows, caption)
    tables = [_named(_table("reliability", message("Reliability"), content, "figures"), rows, figure_name)]
    compared = before_after(report)
    if compared:
        caption = f"{title}: results before and after exclusions."
        words = message("Before and after exclusions")
        content = (with_interval(BEFORE_AFTER, rows), compared, caption)
        tables.append(_named(_table("before-after", words, content, "before-after"), rows, compared_name))
    return tables


def _named(
    table: PaperTable, rows: Sequence[Mapping[str, Any]], name: Callable[[Mapping[str, Any]], str]
) -> PaperTable:
    """The table with the names that its rows have, by coefficient and variant."""
    figures = {(row["coefficient"], row["variant"], name(row)) for row in rows}
    return replace(table, figures=sorted(figures))


def _of_new_raters(title: str, report: Report) -> list[PaperTable]:
    rows = [{**row, "figure": figure_name(row)} for row in report.figures]
    caption = f"{title}: agreement, with intervals for new raters, computed by {report.software}."
    content = (with_interval(RELIABILITY, rows), rows, caption)
    table = _table("new-raters", message("Agreement for new raters"), content, "figures")
    return [_named(table, rows, figure_name)]


def _of_metrics(title: str, report: Report) -> list[PaperTable]:
    tables = []
    metrics = report.tables.get("metrics", [])
    pairs = dict.fromkeys((row["level"], row["coefficient"]) for row in report.figures)
    of_metrics = split_rows(report.figures, report.tables.get("criteria", []))[1]
    for level, coefficient in pairs if metrics else ():
        only = {"level": [level], "coefficient": [coefficient], "metric": list(metrics)}
        rows = [row for row in of_metrics if all(row[key] in values for key, values in only.items())]
        words = message(
            "Correlations of metrics with ratings (%(coefficient)s, by %(level)s)",
            coefficient=coefficient,
            level=level,
        )
        caption = f"{title}: {words}.{holds_for_sentence(rows)}{_caution(report)}"
        name = f"metrics-{level}-{coefficient}"
        tables.append(
            _table(name, words, (with_interval(CORRELATIONS, rows), rows, caption), "figures", only)
        )
    tables += _of_pairs(title, report)
    means = (report.tables.get("systems") or {}).get("means", [])
    if means:
        caption = f"{title}: mean ratings of the systems."
        columns = with_interval(SYSTEMS, report.figures)
        tables.append(
            _table("systems", message("Mean ratings of systems"), (columns, means, caption), "systems")
        )
    return tables


def _of_pairs(title: str, report: Report) -> list[PaperTable]:
    """Pairwise accuracy, a table for each grouping."""
    found = report.tables.get("pairwise", [])
    tables = []
    for grouping in dict.fromkeys(row["grouping"] for row in found):
        words = message(
            "Pairwise accuracy of metrics with calibrated ties (%(pairs)s)", pairs=PAIRS[grouping]
        )
        content = (
            with_interval(PAIRWISE, report.figures),
            [row for row in found if row["grouping"] == grouping],
            f"{title}: {words}. {THRESHOLDS}{_caution(report)}",
        )
        tables.append(_table(f"pairwise-{grouping}", words, content, "pairwise", {"grouping": [grouping]}))
    return tables


def _caution(report: Report) -> str:
    caution = report.data.get("caution", "")
    return caution and f" {caution}."


Columns = Sequence[tuple[str, str]]
Content = tuple[Columns, Sequence[Mapping[str, Any]], str]


def _table(
    name: str, title: Message, content: Content, rows_of: str, only: Mapping[str, Sequence[str]] | None = None
) -> PaperTable:
    columns, rows, caption = content
    numbers = tuple(key for key, _ in columns if key not in WORDS)
    labels = tuple(key for key, _ in columns if key in WORDS)
    return PaperTable(name, title, latex_table(columns, rows, caption), rows_of, labels, numbers, only or {})
