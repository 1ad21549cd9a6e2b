"""Asking for a reliability report."""

from __future__ import annotations

from annotation.models import Job, Study, User
from annotation.services.jobs import enqueue


def request_report(*, study: Study, actor: User) -> Job:
    """Ask a worker for the agreement figures of a study.

    Parameters
    ----------
    study : Study
        What the report is about.
    actor : User
        Who asks.

    Returns
    -------
    Job
        The new job, or the one that is already under way in the study.
    """
    return enqueue(kind="reliability", study=study, params={}, created_by=actor)
