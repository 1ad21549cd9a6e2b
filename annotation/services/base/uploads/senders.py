"""Check that the sender may still store a file: rights and states can change while it waits."""

from __future__ import annotations

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.domain.base.states import TEAM, Role, StudyState
from annotation.models import Membership, Study, Upload, User

MANAGERS = (Role.OWNER, Role.ADMIN)
NO_ACCESS = message("Nothing was saved: the sender of the file no longer has access.")
CODE = "sender_without_role"


def check_sender(upload: Upload) -> None:
    """Refuse the file of an account that was deactivated or lost its right in the study while it waited.

    Parameters
    ----------
    upload : Upload
        With its sender and its study.

    Raises
    ------
    GroundworkError
        `sender_without_role`.
    """
    sender, study = upload.created_by, upload.study
    may_store = sender.is_active
    if study is not None and may_store:
        may_store = Membership.objects.filter(study=study, user=sender, role__in=TEAM).exists()
    if not may_store:
        raise GroundworkError(NO_ACCESS, code=CODE)


def check_sender_of_items(study: Study, sender: User | None) -> None:
    """Refuse items for a study that is no draft any more from a sender who does not manage it.

    Parameters
    ----------
    study : Study
        As it is now; locked by the caller where the items are stored.
    sender : User or None
        Who sent the file; None on the command line.

    Raises
    ------
    GroundworkError
        `sender_without_role`.
    """
    if sender is not None and study.state != StudyState.DRAFT:
        check_manager(study, sender)


def check_manager(study: Study, sender: User) -> None:
    """Refuse a file that only those who manage the study may send, from a sender who does not any more.

    Parameters
    ----------
    study, sender
        The study, and who sent the file.

    Raises
    ------
    GroundworkError
        `sender_without_role`.
    """
    managing = Membership.objects.filter(study=study, user=sender, role__in=MANAGERS)
    if not managing.filter(user__is_active=True).exists():
        raise GroundworkError(NO_ACCESS, code=CODE)
