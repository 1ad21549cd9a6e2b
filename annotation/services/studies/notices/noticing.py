"""Events that no act reports: all rating slots are filled, and a job has failed. The sweep looks for them."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.domain.base.states import TAKING_ANSWERS, JobState, NoticeEvent, SeatState
from annotation.models import Job, Seat, Study
from annotation.selectors.studies.news import MESSENGERS
from annotation.services.base.webhook_events import announce, announce_in_many

# Older failures are not announced: they are of a time when no worker ran, or of an earlier version.
ANNOUNCED_WITHIN = timedelta(days=1)


def note_events() -> None:
    """Note what has happened since the last look, and announce it to webhooks once."""
    _note_targets()
    _announce_failures()


def _note_targets() -> None:
    """Note the studies of which all slots are filled, and those of which a slot is open again."""
    slots = Seat.objects.filter(form__study=OuterRef("pk"))
    lacking = Exists(slots.filter(state__in=[SeatState.FREE, SeatState.RESERVED]))
    under_way = Study.objects.filter(source="", state__in=TAKING_ANSWERS)
    under_way.filter(lacking, target_reached_at__isnull=False).update(target_reached_at=None)
    complete = under_way.filter(Exists(slots), ~lacking, target_reached_at=None)
    if not complete.exists():
        return
    with transaction.atomic():
        # Another process may look at the same time: who locks a study first announces it.
        reached = list(complete.select_for_update(no_key=True, skip_locked=True, of=("self",)))
        Study.objects.filter(pk__in=[study.pk for study in reached]).update(target_reached_at=timezone.now())
        announce_in_many(studies=reached, event=NoticeEvent.TARGET_REACHED.value, detail={})


def _announce_failures() -> None:
    """Announce jobs of studies that have failed; those that send messages are left out."""
    failed = Job.objects.filter(
        state=JobState.FAILED,
        study__isnull=False,
        announced_at=None,
        finished_at__gt=timezone.now() - ANNOUNCED_WITHIN,
    )
    for job in failed.exclude(kind__in=MESSENGERS).select_related("study").order_by("pk"):
        with transaction.atomic():
            found = Job.objects.filter(pk=job.pk, announced_at=None)
            if job.study is not None and found.update(announced_at=timezone.now()):
                detail = {"job": job.pk, "kind": job.kind, "code": job.error_code}
                announce(study=job.study, event=NoticeEvent.JOB_FAILED.value, detail=detail)
