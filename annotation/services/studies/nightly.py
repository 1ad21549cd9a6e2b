"""What is done once a night: expired personal data and sessions are erased."""

from __future__ import annotations

import logging
from datetime import timedelta
from importlib import import_module

from django.conf import settings
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import JobState
from annotation.models import Job, Study
from annotation.selectors.people.retention import studies_with_periods
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.people.retention import erase_expired
from config.postgresql.shared_clock import shared_now

logger = logging.getLogger(__name__)

KIND = "nightly"
MOST_TRIES = 3
TRIED_AGAIN_AFTER = timedelta(hours=1)
FAULT = "fault"
MOST_DIFFERENCE = timedelta(minutes=1)


def request_nightly() -> Job | None:
    """Ask a worker for this night's work, from `GROUNDWORK_NIGHTLY_HOUR` on; what was off catches up.

    A job that failed is tried again after an hour, three times a day at most.

    Returns
    -------
    Job or None
        None before that hour, and where today's is done, under way, or not to be tried again yet.
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
    """Erase what studies were to keep until now, and sessions that have ended.

    Each study is a transaction of its own: one that fails stops no other.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `nightly`; what it has done already is not done again by the next worker.

    Raises
    ------
    GroundworkError
        Studies could not be done (`nightly_incomplete`): the message has their numbers, each with a code; or
        nothing was done, since one of two clocks is wrong and data might go early (`clocks_differ`).
    """
    _refuse_wrong_clocks()
    studies = list(studies_with_periods())
    failed = []
    for number, study in enumerate(studies):
        lease.beat(number, len(studies) + 1, study.slug)
        if code := _failure_of(study):
            failed.append(f"{study.pk} ({code})")
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    if failed:
        counted = "1 study was" if len(failed) == 1 else f"{len(failed)} studies were"
        raise GroundworkError(
            f"The expired data of {counted} not erased: {', '.join(failed)}. The other studies are done. "
            "The worker's log has the reason; this is tried again.",
            code="nightly_incomplete",
        )
    lease.complete(lambda: None)


def _refuse_wrong_clocks() -> None:
    ahead = timezone.now() - shared_now()
    if abs(ahead) > MOST_DIFFERENCE:
        minutes = round(abs(ahead).total_seconds() / 60)
        raise GroundworkError(
            f"Nothing was erased: the clock of the worker is {minutes:,} min "
            f"{'ahead of' if ahead > timedelta() else 'behind'} that of the database. Set both right, for "
            "example with NTP. This is tried again.",
            code="clocks_differ",
        )


def _failure_of(study: Study) -> str:
    """Erase what has expired in one study; the code of what went wrong, empty where nothing did."""
    try:
        erase_expired(study=study, now=shared_now())
    except GroundworkError as refusal:
        logger.warning("Nothing was erased in study %s: %s", study.pk, refusal.code)
        code = refusal.code
    except Exception:  # a boundary of tasks: each study is one
        logger.exception("Nothing was erased in study %s", study.pk)
        code = FAULT
    else:
        return ""
    audit.record(study=study, actor=None, act="erase_expired_failed", code=code)
    return code
