"""The nightly job: deletes expired personal data, sessions, and contents of media that nothing names."""

from __future__ import annotations

import logging
from datetime import timedelta
from importlib import import_module

from django.conf import settings
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import counted_message
from annotation.domain.base.states import JobState
from annotation.models import Job, Study
from annotation.selectors.people.retention import studies_with_periods
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.queues.clocks import refuse_wrong_clocks
from annotation.services.items.media.upkeep import forget_media
from annotation.services.people.retention import erase_expired
from config.postgresql.shared_clock import shared_now

logger = logging.getLogger(__name__)

KIND = "nightly"
MOST_TRIES = 3
TRIED_AGAIN_AFTER = timedelta(hours=1)
FAULT = "fault"


def request_nightly() -> Job | None:
    """Queue the nightly job of today, from `GROUNDWORK_NIGHTLY_HOUR` on.

    A failed job is tried again after an hour, at most three times a day.

    Returns
    -------
    Job or None
        None before that hour, and if the job of today is done, running, or not due for another try.
    """
    now = timezone.localtime()
    if now.hour < settings.NIGHTLY_HOUR:
        return None
    day = now.date().isoformat()
    today = Job.objects.filter(kind=KIND, params={"day": day})
    recent = today.filter(finished_at__gt=now - TRIED_AGAIN_AFTER)
    if recent.exists() or today.exclude(state=JobState.FAILED).exists() or today.count() >= MOST_TRIES:
        return None
    return enqueue(kind=KIND, study=None, params={"day": day}, created_by=None)


def run_nightly(*, lease: Lease) -> None:
    """Delete personal data whose retention period is over, ended sessions, and media that nothing names.

    Each study is a separate transaction: a failure in one does not stop the others.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `nightly`; finished studies are not repeated by the next worker.

    Raises
    ------
    GroundworkError
        Data of some studies were not deleted (`nightly_incomplete`): the message has the number of each
        study with a code; or nothing was deleted because two clocks differ (`clocks_differ`).
    """
    refuse_wrong_clocks()
    studies = list(studies_with_periods())
    failed = []
    for number, study in enumerate(studies):
        lease.beat(number, len(studies) + 1, study.slug)
        if code := _failure_of(study):
            failed.append(f"{study.pk} ({code})")
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    forget_media()
    if failed:
        raise GroundworkError(
            counted_message(
                "The expired data of %(n)d study were not deleted: %(studies)s. The other studies are done. "
                "The worker's log has the reason. The job will try again.",
                "The expired data of %(n)d studies were not deleted: %(studies)s. The other studies are "
                "done. "
                "The worker's log has the reason. The job will try again.",
                n=len(failed),
                studies=", ".join(failed),
            ),
            code="nightly_incomplete",
        )
    lease.complete(lambda: None)


def _failure_of(study: Study) -> str:
    """Delete the expired data of one study; return the code of the failure, empty for none."""
    try:
        erase_expired(study=study, now=shared_now())
    except GroundworkError as refusal:
        logger.warning("No data were deleted in study %s: %s", study.pk, refusal.code)
        code = refusal.code
    except Exception:  # a boundary of tasks: each study is one
        logger.exception("No data were deleted in study %s", study.pk)
        code = FAULT
    else:
        return ""
    audit.record(study=study, actor=None, act="erase_expired_failed", code=code)
    return code
