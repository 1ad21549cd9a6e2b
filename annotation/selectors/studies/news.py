"""What has happened in studies since members were last notified by email."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.base.states import TEAM, JobState, NoticeEvent, ProblemReason
from annotation.models import Job, NoticeChoice, ProblemReport, RaterFlag, Study

# At most one email about a kind of event of a study in this time; the next one has the rest.
PAUSE = timedelta(hours=1)
# Events of the last moments may not be committed yet: they are in the next email.
SETTLED = timedelta(minutes=1)
# Jobs that send messages: if they fail, no further message is sent because of it.
MESSENGERS = ("webhook", "notices", "rater_messages")


def rows_of_news(study: Any, after: Any, until: datetime) -> Mapping[NoticeEvent, QuerySet[Any]]:
    """What happened in a study in a period, as rows by kind of event.

    Parameters
    ----------
    study, after
        A study and the begin of the period, or references to them in an outer query.
    until : datetime
        End of the period.
    """
    problems = ProblemReport.objects.exclude(reason=ProblemReason.COMMENT)
    failed = Job.objects.filter(state=JobState.FAILED).exclude(kind__in=MESSENGERS)
    return {
        NoticeEvent.TARGET_REACHED: Study.objects.filter(
            pk=study, target_reached_at__gt=after, target_reached_at__lte=until
        ),
        NoticeEvent.RATER_FLAGGED: RaterFlag.objects.filter(
            rater__study=study, flagged_at__gt=after, flagged_at__lte=until
        ),
        NoticeEvent.PROBLEM_REPORTED: problems.filter(
            assignment__rater__study=study, reported_at__gt=after, reported_at__lte=until
        ),
        NoticeEvent.JOB_FAILED: failed.filter(study=study, finished_at__gt=after, finished_at__lte=until),
    }


def choices_with_news(now: datetime) -> QuerySet[NoticeChoice]:
    """The choices about which an email is due: something has happened, and the last email is an hour old.

    Only of members who may read the pages of the study, and whose account is active.

    Parameters
    ----------
    now : datetime
        Present time.
    """
    rested = Q(mailed_at=None) | Q(mailed_at__lte=now - PAUSE)
    readers = NoticeChoice.objects.filter(rested, membership__role__in=TEAM, membership__user__is_active=True)
    news = rows_of_news(OuterRef("membership__study"), OuterRef("seen_until"), now - SETTLED)
    happened = Q()
    for event, rows in news.items():
        happened |= Q(Exists(rows), event=event)
    return readers.filter(happened).select_related("membership__user", "membership__study").order_by("pk")
