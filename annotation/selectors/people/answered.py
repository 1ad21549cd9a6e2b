"""What each rater of a study has answered: how much, how often not, and when last."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q

from annotation.domain.base.states import Purpose
from annotation.models import Response, Study


class Answered(NamedTuple):
    """Saved responses to the main task, those that say "can't rate", and the time of the newest one."""

    done: int
    cannot: int
    last: datetime | None


NOTHING_ANSWERED = Answered(0, 0, None)


def answered_by_rater(study: Study) -> dict[int, Answered]:
    """What raters have answered, by key; those without a response are left out. One query.

    Parameters
    ----------
    study : Study
        Excluded and late responses count too; checks and qualification do not.
    """
    given = Response.objects.filter(
        current=True, assignment__purpose=Purpose.MAIN, assignment__rater__study=study
    ).order_by()
    counts = given.values_list("assignment__rater").annotate(
        done=Count("pk"),
        cannot=Count("pk", filter=~Q(cannot_rate="")),
        last=Max("assignment__submitted_at"),
    )
    return {rater: Answered(*found) for rater, *found in counts}
