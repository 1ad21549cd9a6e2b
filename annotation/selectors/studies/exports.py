"""The tables that a study exports, each with its columns and rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.domain.base.codebook import CHECKS, ITEMS
from annotation.domain.base.states import Purpose
from annotation.models import Assignment, Response, Study
from annotation.selectors.adjudication.final_answers import ADJUDICATED_TABLES
from annotation.selectors.base.table_types import Table
from annotation.selectors.items.media import media_table
from annotation.selectors.items.probing_table import probing_table
from annotation.selectors.people.consent import raters_table
from annotation.selectors.people.demographics import demographics_table
from annotation.selectors.quality.calibration_tables import qualification_table
from annotation.selectors.quality.exclusion_tables import exclusions_table, rules_table
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.questions.errors.tables import ERROR_TABLES
from annotation.selectors.questions.long_table import long_ratings, rating_columns
from annotation.selectors.questions.tuple_tables import (
    located_columns,
    located_rows,
    part_columns,
    part_rows,
    span_columns,
    span_rows,
)
from annotation.selectors.rating.problem_reports import problems_table
from annotation.selectors.seats.pairing.tables import pair_counts_table, pair_rounds_table


def ratings_table(study: Study, *, all_revisions: bool = False) -> Table:
    """The ratings in long format."""
    return rating_columns(study), long_ratings(study, all_revisions=all_revisions)


CHECK_COLUMNS = tuple(CHECKS)


def answered_checks(study: Study) -> QuerySet[Assignment]:
    """The pages of attention checks that raters have answered."""
    return Assignment.objects.filter(rater__study=study, purpose=Purpose.CHECK, responses__revision=1)


def checks_table(study: Study) -> Table:
    """The answered attention checks, each with its result; `passed` is empty without a result.

    Deleted responses are not included.
    """
    answered = (
        answered_checks(study)
        .select_related("rater", "check_planted", "item", "verdict")
        .prefetch_related(Prefetch("responses", Response.objects.filter(revision=1), to_attr="first"))
        .order_by("rater__code", "position", "pk")
    )
    return CHECK_COLUMNS, (_check_row(study, one) for one in answered.iterator(chunk_size=1000))


def _check_row(study: Study, answered: Any) -> dict[str, Any]:
    verdict = getattr(answered, "verdict", None)
    first = answered.first[0]
    return {
        "study": study.slug,
        "rater": answered.rater.code,
        "check": answered.check_planted.key,
        "kind": answered.check_planted.kind,
        "item": answered.item.key,
        "position": answered.position,
        "passed": "" if verdict is None or verdict.passed is None else verdict.passed,
        "reason": verdict.reason if verdict else "waiting_for_original",
        "chance": verdict.chance if verdict else None,
        "answered_at": first.submitted_at.isoformat(),
        "seconds": first.seconds,
        "detail": json.dumps(verdict.detail, ensure_ascii=False, sort_keys=True) if verdict else "",
    }


def items_table(study: Study) -> Table:
    """The items: ID, group, system, then one column per text and per metadata key, sorted by name."""
    texts: set[str] = set()
    metadata: set[str] = set()
    for fields, more in study.items.order_by("position").values_list("fields", "metadata").iterator():
        texts.update(fields)
        metadata.update(more)
    # Databases do not retain the order of the keys of an object.
    columns = (*ITEMS, *sorted(texts), *(f"meta.{key}" for key in sorted(metadata)))
    rows = (
        dict.fromkeys(columns, "")
        | {"item": item.key, "group": item.group, "system": item.system}
        | dict(item.fields)
        | {f"meta.{key}": value for key, value in item.metadata.items()}
        for item in study.items.order_by("position").iterator()
    )
    return columns, rows


def tuples_table(study: Study) -> Table:
    """The tuples, one row per span."""
    return span_columns(study), span_rows(study)


def tuple_parts_table(study: Study) -> Table:
    """The tuples, one row per component."""
    return part_columns(study), part_rows(study)


def located_table(study: Study) -> Table:
    """The tuples, one row each, with the components that are in the text."""
    return located_columns(study), located_rows(study)


# Tables and documents that a viewer may export: results, items, and raters by their codes.
FOR_VIEWERS = frozenset(
    {
        "ratings",
        "ratings_wide",
        "items",
        "media",
        "raters",
        "tuples",
        "tuple_parts",
        "located",
        *ERROR_TABLES,
        "choices",
        "probing",
        "pair_rounds",
        "pair_counts",
        "adjudicated",
        "adjudicated_tuples",
        "scores",
        "cmdag",
        "bio",
    }
)
COMMENTS = ("remark", "note")


def without_comments(table: Table) -> Table:
    """A table in which the comments of raters and the notes on decisions are empty."""
    columns, rows = table
    hidden = {name: "" for name in COMMENTS if name in columns}
    return columns, ({**row, **hidden} for row in rows) if hidden else rows


TUPLE_TABLES = {"tuples": tuples_table, "tuple_parts": tuple_parts_table, "located": located_table}
PAIR_TABLES = {"pair_rounds": pair_rounds_table, "pair_counts": pair_counts_table}
# Tables that need only the study; `ratings` and the audit log have options.
TABLES: dict[str, Callable[[Study], Table]] = {
    "items": items_table,
    "media": media_table,
    "checks": checks_table,
    "qualification": qualification_table,
    "raters": raters_table,
    "demographics": demographics_table,
    **TUPLE_TABLES,
    **ERROR_TABLES,
    "choices": choices_table,
    "probing": probing_table,
    **ADJUDICATED_TABLES,
    "problems": problems_table,
    **PAIR_TABLES,
    "exclusions": exclusions_table,
    "rules": rules_table,
}
