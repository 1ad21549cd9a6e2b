"""Taking a case off the queue for a reason, and putting it back. Every move stays on record."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from annotation.domain.adjudication.differences import UNDECIDED, CaseState
from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.text_validation import validated_text
from annotation.models import Case, QueueMove, User
from annotation.services.adjudication.decisions import locked_case, set_state
from annotation.services.base import audit

LONGEST_REASON = 2000


def withdraw_case(*, case: Case, reason: str, actor: User) -> Case:
    """Take a case that is not decided off the queue; what was found and said of it stays.

    Parameters
    ----------
    case : Case
        Open or discussed.
    reason : str
        Why, up to 2,000 characters; needed.
    actor : User
        Who decides.

    Returns
    -------
    Case
        As it is now. A case that was withdrawn before stays so, with the reason given then.

    Raises
    ------
    InvalidContent
        `no_reason`, `too_long`.
    NotAllowedNow
        `case_decided`, `study_draft`.
    """
    reason = _checked(reason)
    with transaction.atomic():
        case = locked_case(case)
        if case.state == CaseState.DECIDED:
            message = "It is decided: decide it anew where the decision is wrong."
            raise NotAllowedNow(message, code="case_decided")
        if case.state in UNDECIDED:
            QueueMove.objects.create(case=case, withdrawn=True, reason=reason, author=actor)
            set_state(case, CaseState.WITHDRAWN)
            _record(case, actor, "withdraw_case", reason=reason)
    return case


def put_back(*, case: Case, actor: User) -> None:
    """Put a case that was taken off the queue back.

    Parameters
    ----------
    case : Case
        One that is on the queue stays there.
    actor : User
        Who decides.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    with transaction.atomic():
        put_back_locked([locked_case(case)], actor)


def put_back_locked(cases: Iterable[Case], actor: User) -> int:
    """Put those of locked cases that are off the queue back; how many that are.

    Parameters
    ----------
    cases : iterable of Case
        Rows locked by the caller's transaction; those not off the queue stay as they are.
    actor : User
        Member named in the log.
    """
    withdrawn = [case for case in cases if case.state == CaseState.WITHDRAWN]
    for case in withdrawn:
        QueueMove.objects.create(case=case, withdrawn=False, author=actor)
        set_state(case, CaseState.DISCUSSED if case.comments.exists() else CaseState.OPEN)
        _record(case, actor, "put_case_back")
    return len(withdrawn)


def _checked(reason: str) -> str:
    reason = validated_text(reason)
    if not reason:
        message = "Say why it is taken off the queue."
        raise InvalidContent(message, code="no_reason", fields={"reason": "It is empty."})
    if len(reason) > LONGEST_REASON:
        message = f"Keep the reason under {LONGEST_REASON} characters."
        raise InvalidContent(message, code="too_long", fields={"reason": "It is too long."})
    return reason


def _record(case: Case, actor: User, act: str, **more: str) -> None:
    audit.record(study=case.study, actor=actor, act=act, item=case.item.key, form=case.form.key, **more)
