"""The study on a crowd platform: linked, read, separated, and what is stored of it."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_RATERS_PER_LINK
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import STUDY_JOB, SUBMISSIONS_JOB
from annotation.io.pay.crowd import OutsideStudy
from annotation.models import CrowdStudy, CrowdSubmission, Invitation, Job, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import UNFINISHED, Lease, enqueue
from annotation.services.pay.crowd.connection import client_of, name, refuse_without_results, token_of
from annotation.services.seats.locks import lock_studies

MOST_PLACES = MOST_RATERS_PER_LINK
# How long a request to create a study may take; longer than the timeout for its response.
UNDER_WAY = timedelta(minutes=2)


def request_link(
    *, study: Study, platform: Platform, invitation: Invitation, number: str, actor: User
) -> Job:
    """Enqueue the import of a study that a member has created on the platform, to link it with this study.

    Parameters
    ----------
    study, platform, invitation, actor
        A connected study, its link for the platform, and who links them.
    number : str
        The study's ID on the platform.

    Raises
    ------
    InvalidContent
        `bad_prolific_id` or `bad_mturk_id`: the text is no ID.
    NotAllowedNow
        `already_drafted`, `not_connected`.
    """
    if not number.isascii() or not number.replace("-", "").replace("_", "").isalnum() or len(number) > 60:
        sentence = message(
            "Enter the ID of the study, as the address of its page on %(platform)s shows it.",
            platform=name(platform),
        )
        raise InvalidContent(sentence, code=f"bad_{platform.value}_id", fields={"number": sentence})
    refuse_second(study, platform)
    token_of(study, platform)
    return enqueue_act(study, platform, actor, "link", number=number, invitation=invitation.pk)


def link(*, lease: Lease, platform: Platform) -> None:
    """Read a study of the platform, and use it as ours.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_link`, and its platform.

    Raises
    ------
    NotAllowedNow
        `already_drafted`, `not_connected`.
    GroundworkError
        Of the interface; nothing is stored.
    """
    study, params = Study.objects.get(jobs__pk=lease.job.pk), lease.job.params
    found = client_of(study, platform).study(params["number"])
    with transaction.atomic():
        lock_studies([study.pk])
        refuse_second(study, platform)
        lease.complete(lambda: _link(study, platform, found, lease))


def _link(study: Study, platform: Platform, found: OutsideStudy, lease: Lease) -> None:
    actor = lease.job.created_by
    CrowdStudy.objects.create(
        study=study,
        platform=platform.value,
        invitation=study.invitations.get(pk=lease.job.params["invitation"]),
        number=found.number,
        internal_name=internal_name(study),
        places=found.places,
        reward=found.reward,
        status=found.status,
        made_by=actor,
        read_at=timezone.now(),
    )
    audit.record(study=study, actor=actor, act=f"link_{platform.value}_study", outside=found.number)


def unlink_study(*, study: Study, platform: Platform, actor: User) -> None:
    """Delete the link to the study on a platform, and its submissions; the platform's study is unchanged.

    Parameters
    ----------
    study, platform, actor
        The study, the platform, and who separates them.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments have no result yet, which the platform shows; `submissions_under_way`:
        a job is reading them or sending decisions; `draft_under_way`: the platform may still create it.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        row = CrowdStudy.objects.filter(study=study, platform=platform.value).first()
        if row is not None:
            refuse_under_way(row, platform)
            refuse_without_results(study, platform)
            of_platform = Job.objects.filter(UNFINISHED, study=study, params__platform=platform.value)
            if of_platform.filter(kind=SUBMISSIONS_JOB).exists():
                raise NotAllowedNow(
                    message(
                        "Submissions are being read, or decisions sent. Try again when the job has ended."
                    ),
                    code="submissions_under_way",
                )
            CrowdSubmission.objects.filter(study=study, platform=platform.value).delete()
            act = f"unlink_{platform.value}_study"
            audit.record(study=study, actor=actor, act=act, outside=row.number)
            row.delete()


def request_state(*, study: Study, platform: Platform, actor: User) -> Job:
    """Enqueue the reading of status and places of the study on a platform.

    Parameters
    ----------
    study, platform, actor
        With a study on the platform, and who asks.

    Raises
    ------
    NotAllowedNow
        `no_prolific_study` or `no_mturk_study`; `not_connected`.
    """
    outside_study(study, platform)
    token_of(study, platform)
    return enqueue_act(study, platform, actor, "read")


def read(*, lease: Lease, platform: Platform) -> None:
    """Read status and places of the study on a platform.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_state`, and its platform.

    Raises
    ------
    GroundworkError
        Of the interface; what was read before stays.
    """
    study = Study.objects.get(jobs__pk=lease.job.pk)
    row = outside_study(study, platform)
    found = client_of(study, platform).study(row.number)
    lease.complete(lambda: store(row, found))


def outside_study(study: Study, platform: Platform) -> CrowdStudy:
    """The study on a platform, with a number.

    Parameters
    ----------
    study, platform
        Ours, and the platform.

    Raises
    ------
    NotAllowedNow
        `no_prolific_study` or `no_mturk_study`: there is none yet, or none whose number is known.
    """
    row = CrowdStudy.objects.filter(study=study, platform=platform.value).exclude(number="").first()
    if row is None:
        raise NotAllowedNow(
            message(
                "No study on %(platform)s belongs to this one. Create it, or enter its ID, in Settings.",
                platform=name(platform),
            ),
            code=f"no_{platform.value}_study",
        )
    return row


def store(row: CrowdStudy, found: OutsideStudy) -> None:
    """Store the state of the study on a platform.

    Parameters
    ----------
    row, found
        Our row, and the state that the platform reports.

    Raises
    ------
    NotAllowedNow
        `changed_elsewhere`: the row was deleted meanwhile; the sentence has the ID.
    """
    fields = {
        "number": found.number,
        "status": found.status,
        "read_at": timezone.now(),
        "places": found.places or row.places,
        "reward": found.reward or row.reward,
        "content": {},
    }
    if not CrowdStudy.objects.filter(pk=row.pk).update(**fields):
        sentence = message(
            "The study was separated meanwhile. Its ID on the platform is %(number)s.", number=found.number
        )
        raise NotAllowedNow(sentence, code="changed_elsewhere")


def internal_name(study: Study) -> str:
    """A name by which a study on a platform is found again.

    Parameters
    ----------
    study : Study
        Ours.
    """
    return f"{study.slug[:40]}-{secrets.token_hex(6)}"


def enqueue_act(study: Study, platform: Platform, actor: User, act: str, **params: Any) -> Job:
    """Enqueue a call to a platform about its study.

    Parameters
    ----------
    study, platform, actor
        Ours, the platform, and who asks.
    act : str
        One of the acts of `study_jobs`.
    params
        What else the act needs.
    """
    given = {"platform": platform.value, "act": act, **params}
    return enqueue(kind=STUDY_JOB, study=study, params=given, created_by=actor)


def refuse_second(study: Study, platform: Platform) -> None:
    """Refuse a second study on a platform.

    Parameters
    ----------
    study, platform
        Ours, and the platform.

    Raises
    ------
    NotAllowedNow
        `already_drafted`.
    """
    if CrowdStudy.objects.filter(study=study, platform=platform.value).exists():
        raise NotAllowedNow(
            message(
                "This study has a study on %(platform)s already. Separate them first.",
                platform=name(platform),
            ),
            code="already_drafted",
        )


def refuse_under_way(row: CrowdStudy, platform: Platform) -> None:
    """Refuse what must not happen while a platform may still be creating a study.

    Parameters
    ----------
    row, platform
        The study on the platform, and the platform.

    Raises
    ------
    NotAllowedNow
        `draft_under_way`.
    """
    if row.number:
        return
    jobs = Job.objects.filter(UNFINISHED, kind=STUDY_JOB, params__row=row.pk, params__act="create")
    asked = row.asked_at is not None and row.asked_at > timezone.now() - UNDER_WAY
    if asked or jobs.exists():
        raise NotAllowedNow(
            message(
                "%(platform)s may still be creating the draft. Try again in two minutes.",
                platform=name(platform),
            ),
            code="draft_under_way",
        )
