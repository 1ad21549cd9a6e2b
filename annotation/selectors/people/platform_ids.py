"""Platform IDs of raters, read for payment and contact, never with the data."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import PlatformIdentity, Study
from annotation.selectors.base.table_types import Table

COLUMNS = ("study", "rater", "platform", "person", "task", "session")


def identities_of(study: Study) -> QuerySet[PlatformIdentity]:
    """The platform IDs of a study's raters by code, without raters whose data were erased."""
    known = PlatformIdentity.objects.filter(study=study, erased_at__isnull=True)
    return known.select_related("rater").order_by("rater__code")


def raters_with_platform_id(study: Study, person: str) -> frozenset[int]:
    """The keys of the raters with a platform ID, which is given whole, so that no search lists the IDs."""
    return frozenset(identities_of(study).filter(person=person).values_list("rater", flat=True))


def platform_ids_table(study: Study) -> Table:
    """Code and platform ids of each rater who came from a platform."""
    rows = (
        {
            "study": study.slug,
            "rater": one.rater.code,
            "platform": one.platform,
            "person": one.person,
            "task": one.task,
            "session": one.session,
        }
        for one in identities_of(study).iterator(chunk_size=1000)
    )
    return COLUMNS, rows
