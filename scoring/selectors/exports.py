"""Every table that a study exports, by name."""

from __future__ import annotations

from collections.abc import Callable

from annotation.models import Study
from annotation.selectors.adjudicated import ADJUDICATED_TABLES
from annotation.selectors.calibration_tables import qualification_table
from annotation.selectors.choice_table import choices_table
from annotation.selectors.consent import raters_table
from annotation.selectors.demographics import demographics_table
from annotation.selectors.exclusion_tables import exclusions_table, rules_table
from annotation.selectors.exports import TUPLE_TABLES, Table, checks_table, items_table, ratings_table
from annotation.selectors.probing import probing_table
from scoring.selectors.scores import scores_table

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
