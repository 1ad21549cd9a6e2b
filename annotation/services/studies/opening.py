"""A draft is opened together with the link by which raters come."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

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
        Who opens it.

    Returns
    -------
    Invitation or None
        The link; one that the study has already, for a platform or without a limit, is kept. None in a study
        of panels, where each link belongs to a form.

    Raises
    ------
    NotAllowedNow, InvalidContent
        The study is no draft, or as `change_state`.
    """
    with transaction.atomic():
        lock_draft(study.pk, "Only drafts open here. Under Settings, a study is paused and opened again.")
        change_state(study=study, to=StudyState.OPEN, actor=actor)
        if study.design == DesignKind.PANELS:
            return None
        with_limit = Q(platform=Platform.NONE.value, cap__isnull=False)
        links = study.invitations.filter(rater=None, revoked_at=None).exclude(with_limit).order_by("pk")
        return next((link for link in links if link.token), None) or invite(study=study, actor=actor)
