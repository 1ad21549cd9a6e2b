"""Every table that a study exports, by name."""

from __future__ import annotations

from collections.abc import Callable

from annotation.models import Study
from annotation.selectors.adjudication.final_answers import ADJUDICATED_TABLES
from annotation.selectors.base.table_types import Table
from annotation.selectors.items.probing_table import probing_table
from annotation.selectors.people.consent import raters_table
from annotation.selectors.people.demographics import demographics_table
from annotation.selectors.quality.calibration_tables import qualification_table
from annotation.selectors.quality.exclusion_tables import exclusions_table, rules_table
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.studies.exports import TUPLE_TABLES, checks_table, items_table, ratings_table
from scoring.selectors.data.scores import scores_table

TABLES: dict[str, Callable[[Study], Table]] = {
    "items": items_table,
    "scores": scores_table,
    "checks": checks_table,
    "qualification": qualification_table,
    "raters": raters_table,
    "demographics": demographics_table,
    **TUPLE_TABLES,
    "choices": choices_table,
    "probing": probing_table,
    **ADJUDICATED_TABLES,
    "exclusions": exclusions_table,
    "rules": rules_table,
}
EXPORTED = ("ratings", *TABLES)


def table_of(study: Study, what: str, *, all_revisions: bool = False) -> Table:
    """Columns and rows of one of `EXPORTED`."""
    if what in TABLES:
        return TABLES[what](study)
    return ratings_table(study, all_revisions=all_revisions)
