"""Members who are notified by email, and the worker that sends it."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import NoticeEvent
from annotation.models import Job, NoticeChoice
from annotation.services.people.notices import choose_notices
from annotation.services.studies.notices.mailing import request_notices
from annotation.tasks import run_next
from tests.support.people import Cast

EVERY_EVENT = tuple(NoticeEvent)
LONG_AGO = timedelta(minutes=10)


def listens(cast: Cast, who: str, *events: NoticeEvent, language: str = "en") -> None:
    """Choose events ten minutes ago."""
    choose_notices(
        study=cast.study,
        user=cast.users[who],
        events=events or EVERY_EVENT,
        language=language,
        site="https://groundwork.example/",
    )
    own = NoticeChoice.objects.filter(membership__user=cast.users[who])
    own.update(seen_until=timezone.now() - LONG_AGO)


def failed_job(cast: Cast, kind: str = "reliability", minutes_ago: int = 5) -> Job:
    at = timezone.now() - timedelta(minutes=minutes_ago)
    return Job.objects.create(
        study=cast.study, kind=kind, state="failed", error_code="time_limit", finished_at=at
    )


def mail_goes_out() -> int:
    """What the sweep and a worker for messages do; returns in how many studies."""
    n = request_notices()
    for _ in range(n):
        run_next(Queue.MESSAGES)
    return n


def an_hour_passes() -> None:
    tried = NoticeChoice.objects.filter(mailed_at__isnull=False)
    tried.update(mailed_at=timezone.now() - timedelta(minutes=61))
