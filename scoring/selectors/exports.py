"""Every table that a study exports, by name."""

from __future__ import annotations

from annotation.models import Study
from annotation.selectors.exports import Table, checks_table, items_table, ratings_table
from scoring.selectors.scores import scores_table


def table_of(study: Study, what: str, *, all_revisions: bool = False) -> Table:
    """Columns and rows of `ratings`, `items`, `scores` or `checks`."""
    if what == "items":
        return items_table(study)
    if what == "checks":
        return checks_table(study)
    if what == "scores":
        return scores_table(study)
    return ratings_table(study, all_revisions=all_revisions)
