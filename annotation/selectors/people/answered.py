"""What each rater of a study has answered: how much, how often not, and when last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.models import Rater, Response, Study
from annotation.selectors.questions.counting import of_versions


class Answered(NamedTuple):
    """Saved responses to the main task, those that say "can't rate", and the time of the newest one."""

    done: int
    cannot: int
    last: datetime | None


NOTHING_ANSWERED = Answered(0, 0, None)


def answered_by_rater(study: Study, raters: Sequence[Rater] | None = None) -> dict[int, Answered]:
    """Summarise what raters have answered, by primary key; raters without a response are left out. One query.

    Parameters
    ----------
    study : Study
        Excluded and late responses count too; checks and qualification do not.
    raters : sequence of Rater, optional
        The raters whose responses are counted; all by default.
    """
    counts = (
        _given(study, raters)
        .values_list("assignment__rater")
        .annotate(
            done=Count("pk"),
            cannot=Count("pk", filter=~Q(cannot_rate="")),
            last=Max("assignment__submitted_at"),
        )
    )
    return {rater: Answered(*found) for rater, *found in counts}


def numbers_by_rater(study: Study, *, cannot: bool = False) -> dict[int, int]:
    """Count the saved responses to the main task by rater's primary key; raters without one are left out.

    Parameters
    ----------
    study : Study
        Its responses are those that `answered_by_rater` reads.
    cannot : bool
        Whether to count only responses that say "can't rate".
    """
    given = _given(study, None)
    given = given.exclude(cannot_rate="") if cannot else given
    return dict(given.values_list("assignment__rater").annotate(done=Count("pk")))


def _given(study: Study, raters: Sequence[Rater] | None) -> QuerySet[Response]:
    found = of_versions(study) if raters is None else Response.objects.filter(assignment__rater__in=raters)
    return found.filter(current=True, assignment__purpose=Purpose.MAIN).order_by()
