"""Email addresses of raters with an account, separate from the data."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Rater, RaterKind, Study
from annotation.selectors.base.table_types import Table

COLUMNS = ("study", "rater", "name", "email", "state")


def contacts_of(study: Study) -> QuerySet[Rater]:
    """Raters with an account, by code, without those whose data were erased."""
    known = study.raters.exclude(kind=RaterKind.TRIAL).filter(user__isnull=False)
    return known.select_related("user").order_by("code")


def contacts_table(study: Study) -> Table:
    """Code, name and email address of each rater with an account."""
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
