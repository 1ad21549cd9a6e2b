"""What is done once a night: expired personal data and sessions are erased."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.utils import timezone

from annotation.models import Job
from annotation.selectors.people.retention import studies_with_periods
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.people.retention import erase_expired

KIND = "nightly"


def request_nightly() -> Job | None:
    """Ask a worker for this night's work, from `GROUNDWORK_NIGHTLY_HOUR` on; what was off catches up.

    Returns
    -------
    Job or None
        None before that hour, and where it was asked for today.
    """
    now = timezone.localtime()
    if now.hour < settings.NIGHTLY_HOUR:
        return None
    day = now.date().isoformat()
    if Job.objects.filter(kind=KIND, params={"day": day}).exists():
        return None
    return enqueue(kind=KIND, study=None, params={"day": day}, created_by=None)


def run_nightly(*, lease: Lease) -> None:
    """Erase what studies were to keep until now, and sessions that have ended.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `nightly`; what it has done already is not done again by the next worker.
    """
    studies = list(studies_with_periods())
    for number, study in enumerate(studies):
        lease.beat(number, len(studies) + 1, study.slug)
        erase_expired(study=study, now=timezone.now())
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    lease.complete(lambda: None)
