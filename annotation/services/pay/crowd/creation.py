"""A study is created on a crowd platform by one call, and looked for if no answer came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.io.pay.crowd import NotSent, Refused, Unknown
from annotation.models import CrowdStudy, Invitation, Job, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import Lease
from annotation.services.pay.crowd.connection import client_of, name, token_of
from annotation.services.pay.crowd.outside_studies import (
    enqueue_act,
    internal_name,
    refuse_second,
    refuse_under_way,
    store,
)
from annotation.services.seats.locks import lock_studies

Content = Callable[[CrowdStudy], dict[str, Any]]


def request_creation(
    *,
    study: Study,
    platform: Platform,
    invitation: Invitation,
    places: int,
    reward: int,
    content: Content,
    actor: User,
    screen_out_code: str = "",
) -> Job:
    """Store what a platform is to create, and enqueue the one call that creates it.

    Parameters
    ----------
    study, platform, actor
        A connected study, where its study is created, and who asks for it.
    invitation : Invitation
        An open link of the study for this platform.
    places, reward : int
        How many people can take part, and what each is paid, in cents.
    content : callable
        Makes the body of the call from the stored row, which has the internal name.
    screen_out_code : str
        The code by which the research team screens out; empty for none.

    Raises
    ------
    NotAllowedNow
        `already_drafted`: the study has one on the platform; `not_connected`.
    """
    token_of(study, platform)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        refuse_second(study, platform)
        row = CrowdStudy(
            study=study,
            platform=platform.value,
            invitation=invitation,
            internal_name=internal_name(study),
            screen_out_code=screen_out_code,
            places=places,
            reward=reward,
            made_by=actor,
        )
        row.content = content(row)
        row.save()
        act = f"draft_on_{platform.value}"
        audit.record(study=study, actor=actor, act=act, places=places, reward=reward)
        return enqueue_act(study, platform, actor, "create", row=row.pk)


def create(*, lease: Lease, platform: Platform) -> None:
    """Create a study on a platform by one call, which is stored as made before it is made.

    If no answer comes, or the worker dies, the row stays without a number and is in doubt: `find` looks for
    the study by its internal name, and a second one is never created by itself.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_creation`, and its platform.

    Raises
    ------
    NotAllowedNow
        `changed_elsewhere`: the study was separated meanwhile.
    GroundworkError
        Of the interface. If the platform refused, the row is deleted.
    """
    row = CrowdStudy.objects.filter(pk=lease.job.params["row"]).first()
    if row is None or row.number:
        raise NotAllowedNow(
            message("The study was separated meanwhile. Nothing was created."), code="changed_elsewhere"
        )
    study = Study.objects.get(jobs__pk=lease.job.pk)
    try:
        client = client_of(study, platform)
    except NotAllowedNow:
        CrowdStudy.objects.filter(pk=row.pk, asked_at=None, number="").delete()
        raise
    with transaction.atomic():
        lock_studies([study.pk])
        if not CrowdStudy.objects.filter(pk=row.pk, asked_at=None).update(asked_at=timezone.now()):
            raise _in_doubt(platform)
        # A worker that has lost its job creates nothing, and leaves the row as it was.
        lease.renew()
    try:
        # A worker that was suspended since then creates nothing either: the draft may have been given up.
        found = client.create_study(row.content, check=lease.renew)
    except (Refused, NotSent):
        # Nothing is on the platform: it can be created again.
        row.delete()
        raise
    # Stored even by a worker that was presumed dead: the platform has confirmed the study.
    store(row, found)
    lease.complete(lambda: None)


def _in_doubt(platform: Platform) -> Unknown:
    sentence = message(
        "The work was interrupted while %(platform)s was asked. It is not known whether the study exists "
        "there.",
        platform=name(platform),
    )
    return Unknown(sentence, code=f"{platform.value}_no_answer")


def request_finding(*, study: Study, platform: Platform, actor: User) -> Job:
    """Enqueue the search for a study whose creation was not answered.

    Parameters
    ----------
    study, platform, actor
        With a study on the platform that has no number, and who looks for it.

    Raises
    ------
    NotAllowedNow
        `no_draft_to_find`: there is none, or its number is known; `draft_under_way`: the platform may still
        create it; `not_connected`.
    """
    token_of(study, platform)
    with transaction.atomic():
        _unanswered(study, platform)
        return enqueue_act(study, platform, actor, "find")


def find(*, lease: Lease, platform: Platform) -> None:
    """Look for a study whose creation was not answered; where there is none, its row is deleted.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_finding`, and its platform.

    Raises
    ------
    NotAllowedNow
        As of `request_finding`; `draft_not_found`: it does not exist, and can be created again.
    GroundworkError
        Of the interface; the row stays as it is.
    """
    study, actor = Study.objects.get(jobs__pk=lease.job.pk), lease.job.created_by
    with transaction.atomic():
        row = _unanswered(study, platform)
    found = client_of(study, platform).study_named(row.internal_name)
    with transaction.atomic():
        row = _unanswered(study, platform)
        # Before anything is stored: a worker that has lost its job decides nothing.
        lease.renew()
        if found is not None:
            act, outside = f"find_{platform.value}_draft", found.number
            audit.record(study=study, actor=actor, act=act, outside=outside)
            lease.complete(lambda: store(row, found))
            return
        audit.record(study=study, actor=actor, act=f"discard_{platform.value}_draft")
        row.delete()
    raise NotAllowedNow(
        message(
            "%(platform)s has no such study, and nothing was created. You can create it again.",
            platform=name(platform),
        ),
        code="draft_not_found",
    )


def _unanswered(study: Study, platform: Platform) -> CrowdStudy:
    """The study on a platform without a number, with ours locked."""
    lock_studies([study.pk])
    row = CrowdStudy.objects.filter(study=study, platform=platform.value, number="").first()
    if row is None:
        raise NotAllowedNow(
            message("There is no draft to look for. Reload the page."), code="no_draft_to_find"
        )
    refuse_under_way(row, platform)
    return row
