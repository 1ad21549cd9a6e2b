"""Statistics of single raters in stored reports, which are removed when the data of a rater are erased."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from annotation.models import Rater, Response, Study
from annotation.selectors.people.erasures import erasures_of
from scoring.models import Report

Rows = Sequence[dict[str, Any]]
OF_RATER = "rater:"
# Key in the tables of a report whose statistics by rater were removed.
# Tables in which every row names two raters.
NAMING_PAIRS = {"pairs", "tuple_pairs", "error_pairs"}
REMOVED = "by_rater_removed"
# Reports that hold statistics of single raters, and previews, which list the raters and answers they catch.
RELIABILITY, PREVIEW, MIXED_MODEL = "reliability", "exclusion_preview", "mixed_model"


def erased_raters(study: Study) -> dict[str, int]:
    """Codes and keys of the raters whose data were erased from a study.

    Parameters
    ----------
    study : Study
        Locked by the caller, so that no rater is erased meanwhile.
    """
    codes = {one.rater for one in erasures_of(study)}
    return dict(Rater.objects.filter(study=study, code__in=codes).values_list("code", "pk"))


def remove_rater_statistics(rater: Rater) -> None:
    """Remove a rater from the stored reports of the study; called before the answers are erased.

    A report with statistics of this rater loses those of all raters, because the rater's own could be
    computed from the totals and those of the others. Figures over all raters stay.

    Parameters
    ----------
    rater : Rater
        Rater whose data are erased, in a transaction that has locked the study.
    """
    answers = set(Response.objects.filter(assignment__rater=rater).values_list("pk", flat=True))
    for report in Report.objects.filter(study=rater.study_id, kind__in=(RELIABILITY, PREVIEW, MIXED_MODEL)):
        tables = _without_caught(report.tables, {rater.pk}, answers)
        figures, tables = without_raters(report.figures, tables, {rater.code})
        if tables != report.tables or figures != report.figures:
            Report.objects.filter(pk=report.pk).update(figures=figures, tables=tables)


def without_erased(study: Study, figures: Rows, tables: Mapping[str, Any]) -> tuple[Rows, dict[str, Any]]:
    """A report that is about to be stored, without raters whose data were erased while it was computed.

    Parameters
    ----------
    study : Study
        Locked by the caller.
    figures, tables
        As computed.
    """
    erased = erased_raters(study)
    if not erased:
        return figures, dict(tables)
    caught = set(tables.get("caught", {}).get("responses", ()))
    there = Response.objects.filter(assignment__rater__study=study).values_list("pk", flat=True)
    gone = caught - set(there) if caught else set()
    return without_raters(figures, _without_caught(tables, set(erased.values()), gone), erased.keys())


def without_raters(
    figures: Rows, tables: Mapping[str, Any], codes: Collection[str]
) -> tuple[Rows, dict[str, Any]]:
    """Figures and tables without any statistic of a single rater, if they have one of these raters.

    Parameters
    ----------
    figures, tables
        Figures and tables of a report.
    codes : collection of str
        Codes of the raters whose data were erased.
    """
    if not any(code in names for names in _named(figures, tables) for code in codes):
        return figures, dict(tables)
    remaining = {name: table for name, table in tables.items() if name not in NAMING_PAIRS}
    if "distributions" in tables:
        remaining["distributions"] = {
            name: {**table, "raters": []} for name, table in tables["distributions"].items()
        }
    if "models" in tables:
        remaining["models"] = [_without_levels(model) for model in tables["models"]]
    return [row for row in figures if not _of_rater(row)], {**remaining, REMOVED: True}


def _without_levels(model: Mapping[str, Any]) -> dict[str, Any]:
    """An ordinal mixed model without severities and thresholds of its raters."""
    reduced = {**model, "raters": []}
    if "rater_thresholds" in model:
        reduced["rater_thresholds"] = {**model["rater_thresholds"], "raters": []}
    return reduced


def _named(figures: Rows, tables: Mapping[str, Any]) -> Iterator[Collection[str]]:
    """The raters that are named in each part of a report."""
    yield {row["variant"].removeprefix(OF_RATER) for row in figures if _of_rater(row)}
    for table in tables.get("pairs", {}).values():
        yield table["raters"]
    for table in tables.get("distributions", {}).values():
        yield {row["rater"] for row in table["raters"]}
    for model in tables.get("models", ()):
        yield {row["rater"] for row in model["raters"]}
    for row in (*tables.get("tuple_pairs", ()), *tables.get("error_pairs", ())):
        yield str(row["variant"]).rpartition(", ")[2].split("|")


def _of_rater(row: Mapping[str, Any]) -> bool:
    return str(row["variant"]).startswith(OF_RATER)


def _without_caught(tables: Mapping[str, Any], raters: set[int], responses: set[int]) -> dict[str, Any]:
    if "caught" not in tables:
        return dict(tables)
    caught = dict(tables["caught"])
    for name, gone in (("raters", raters), ("responses", responses)):
        caught[name] = [key for key in caught[name] if key not in gone]
    return {**tables, "caught": caught}
