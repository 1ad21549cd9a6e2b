"""Opening of a draft together with its invitation link."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import DesignKind, StudyState
from annotation.models import Invitation, Study, User
from annotation.services.base.drafts import lock_draft
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state


def open_with_link(*, study: Study, actor: User) -> Invitation | None:
    """Open a study and create an invitation link that anyone can use; both or neither.

    Parameters
    ----------
    study : Study
        A draft.
    actor : User
        The member who opens it.

    Returns
    -------
    Invitation or None
        The link; an existing one, for a platform or without a limit, is reused. None in a study with panels,
        where each link belongs to a form.

    Raises
    ------
    NotAllowedNow, InvalidContent
        The study is no draft, or as `change_state`.
    """
    with transaction.atomic():
        lock_draft(
            study.pk,
            message("The study is no longer a draft. You can pause or reopen it under Settings."),
        )
        change_state(study=study, to=StudyState.OPEN, actor=actor)
        if study.design == DesignKind.PANELS:
            return None
        return reusable_link(study) or invite(study=study, actor=actor)


def reusable_link(study: Study) -> Invitation | None:
    """The link of a draft with which it can open, for a platform or without a limit; None if it has none.

    Parameters
    ----------
    study : Study
        A draft.
    """
    with_limit = Q(platform=Platform.NONE.value, cap__isnull=False)
    links = (
        study.invitations.filter(rater=None, revoked_at=None, paused_at=None, expires_at=None)
        .exclude(with_limit)
        .order_by("pk")
    )
    return next((link for link in links if link.token), None)
