"""Every table that a study exports, by name."""

from __future__ import annotations

from collections.abc import Callable

from annotation.models import Study
from annotation.selectors.base.table_types import Table
from annotation.selectors.studies.exports import TABLES as STUDY_TABLES
from annotation.selectors.studies.exports import items_table, ratings_table
from scoring.selectors.data.scores import scores_table
from scoring.selectors.data.wide_ratings import wide_ratings
from scoring.selectors.judges.judgement_table import judgements_table

TABLES: dict[str, Callable[[Study], Table]] = {
    "ratings_wide": wide_ratings,
    "items": items_table,
    "scores": scores_table,
    "judgements": judgements_table,
    **STUDY_TABLES,
}
EXPORTED = ("ratings", *TABLES)


def table_of(study: Study, what: str, *, all_revisions: bool = False) -> Table:
    """Columns and rows of one of `EXPORTED`."""
    if what in TABLES:
        return TABLES[what](study)
    return ratings_table(study, all_revisions=all_revisions)
