"""The context of log lines: the ids of the request, the study and the job."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

REQUEST: ContextVar[str] = ContextVar("request", default="")
STUDY: ContextVar[int | None] = ContextVar("study", default=None)
JOB: ContextVar[int | None] = ContextVar("job", default=None)
SANE_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def request_id(given: str) -> str:
    """The id that a caller gave its request, where that is an id; otherwise a new one."""
    return given if SANE_ID.fullmatch(given) else uuid.uuid4().hex


@contextmanager
def about_request(own_id: str) -> Iterator[None]:
    """Lines that are written inside are about this request, and about no study yet."""
    request, study = REQUEST.set(own_id), STUDY.set(None)
    try:
        yield
    finally:
        STUDY.reset(study)
        REQUEST.reset(request)


def about_study(study_id: int) -> None:
    """The rest of the request is about this study."""
    STUDY.set(study_id)


@contextmanager
def about_job(job_id: int, study_id: int | None) -> Iterator[None]:
    """Lines that are written inside are about this job."""
    job, study = JOB.set(job_id), STUDY.set(study_id)
    try:
        yield
    finally:
        STUDY.reset(study)
        JOB.reset(job)


def ids() -> dict[str, str | int]:
    """The ids that are known here, for a line of the log."""
    known = {"request_id": REQUEST.get() or None, "study_id": STUDY.get(), "job_id": JOB.get()}
    return {name: value for name, value in known.items() if value is not None}
