"""Calls to crowd platforms: asked for, and done by the worker at once."""

from __future__ import annotations

from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.models import CrowdConnection, CrowdStudy, Invitation, Job, Study, User
from annotation.selectors.pay.crowd import connection_of
from annotation.services.pay.crowd.connection import request_connection
from annotation.services.pay.crowd.creation import request_finding
from annotation.services.pay.crowd.outside_studies import request_link
from annotation.services.pay.crowd.places import request_places
from annotation.tasks import run_job


def done(job: Job) -> Job:
    """The job after a worker has done it; why it failed is raised, with its code."""
    run_job(job.pk)
    job.refresh_from_db()
    if job.state == "failed":
        raise GroundworkError(job.error, code=job.error_code)
    assert job.state == "done", job.state
    return job


def connect(
    *, study: Study, actor: User, token: str, platform: Platform = Platform.PROLIFIC
) -> CrowdConnection:
    done(request_connection(study=study, platform=platform, actor=actor, token=token))
    found = connection_of(study, platform)
    assert found is not None
    return found


def link_study(
    *,
    study: Study,
    invitation: Invitation,
    number: str,
    actor: User,
    platform: Platform = Platform.PROLIFIC,
) -> CrowdStudy:
    given: dict[str, Any] = {"invitation": invitation, "number": number, "actor": actor}
    done(request_link(study=study, platform=platform, **given))
    return CrowdStudy.objects.get(study=study, platform=platform.value)


def find_draft(*, study: Study, actor: User, platform: Platform = Platform.PROLIFIC) -> CrowdStudy:
    done(request_finding(study=study, platform=platform, actor=actor))
    return CrowdStudy.objects.get(study=study, platform=platform.value)


def raise_places(
    *, study: Study, places: int, actor: User, platform: Platform = Platform.PROLIFIC
) -> CrowdStudy:
    done(request_places(study=study, platform=platform, places=places, actor=actor))
    return CrowdStudy.objects.get(study=study, platform=platform.value)
