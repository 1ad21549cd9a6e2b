"""How the raters of a study who have a log-in can be written to: kept apart from the data."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Rater, RaterKind, Study
from annotation.selectors.base.table_types import Table

COLUMNS = ("study", "rater", "name", "email", "state")


def contacts_of(study: Study) -> QuerySet[Rater]:
    """Raters with a log-in, by code; of those whose data were erased none is left."""
    known = study.raters.exclude(kind=RaterKind.TRIAL).filter(user__isnull=False)
    return known.select_related("user").order_by("code")


def contacts_table(study: Study) -> Table:
    """Code, name and e-mail address of each rater with a log-in."""
    rows = (
        {
            "study": study.slug,
            "rater": one.code,
            "name": one.user.name if one.user else "",
            "email": one.user.email if one.user else "",
            "state": one.state,
        }
        for one in contacts_of(study).iterator(chunk_size=1000)
    )
    return COLUMNS, rows
