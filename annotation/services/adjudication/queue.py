"""Removal of cases from the queue and their return. Every move is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotation.domain.adjudication.differences import UNDECIDED, CaseState
from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.models import Case, QueueMove, Study, User
from annotation.services.adjudication.assignments import check_known, check_selected
from annotation.services.adjudication.decisions import check_not_draft, locked_case, set_state
from annotation.services.base import audit

LONGEST_REASON = 2000


def withdraw_case(*, case: Case, reason: str, actor: User) -> Case:
    """Remove an undecided case from the queue; its disputes and comments stay.

    Parameters
    ----------
    case : Case
        Open or discussed.
    reason : str
        Why, up to 2,000 characters; needed.
    actor : User
        User who decides.

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
            raise NotAllowedNow(
                message("This case is already decided. To change the final answer, decide it again."),
                code="case_decided",
            )
        if case.state in UNDECIDED:
            _withdraw_locked(case, reason, actor)
    return case


def withdraw_cases(*, study: Study, cases: Sequence[int], reason: str, actor: User) -> int:
    """Remove the undecided ones of several cases from the queue; the others stay as they are.

    Parameters
    ----------
    study : Study
        Study of the cases.
    cases : sequence of int
        Their keys, 1 to 5,000.
    reason : str
        Why, up to 2,000 characters; needed.
    actor : User
        User who decides.

    Returns
    -------
    int
        Number of cases that were removed.

    Raises
    ------
    InvalidContent
        `no_case`, `too_many_cases`, `unknown_case`, `no_reason`, `too_long`.
    NotAllowedNow
        `study_draft`.
    """
    check_not_draft(study)
    chosen, reason = check_selected(cases), _checked(reason)
    with transaction.atomic():
        found = Case.objects.filter(study=study, pk__in=chosen).select_related("study", "item", "form")
        locked = list(found.select_for_update(of=("self",), no_key=True).order_by("pk"))
        check_known(chosen, locked)
        undecided = [case for case in locked if case.state in UNDECIDED]
        for case in undecided:
            _withdraw_locked(case, reason, actor)
    return len(undecided)


def _withdraw_locked(case: Case, reason: str, actor: User) -> None:
    QueueMove.objects.create(case=case, withdrawn=True, reason=reason, author=actor)
    set_state(case, CaseState.WITHDRAWN)
    _record(case, actor, "withdraw_case", reason=reason)


def put_back(*, case: Case, actor: User) -> None:
    """Return a case to the queue.

    Parameters
    ----------
    case : Case
        A case that is in the queue stays there.
    actor : User
        User who decides.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    with transaction.atomic():
        put_back_locked([locked_case(case)], actor)


def put_back_locked(cases: Iterable[Case], actor: User) -> int:
    """Return the removed ones among locked cases to the queue; return their number.

    Parameters
    ----------
    cases : iterable of Case
        Rows locked by the caller's transaction; cases in the queue stay unchanged.
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
        sentence = message("Enter a reason for removing the case from the queue.")
        raise InvalidContent(sentence, code="no_reason", fields={"reason": sentence})
    if len(reason) > LONGEST_REASON:
        sentence = message("Shorten the reason to %(most)s characters.", most=LONGEST_REASON)
        raise InvalidContent(sentence, code="too_long", fields={"reason": sentence})
    return reason


def _record(case: Case, actor: User, act: str, **more: str) -> None:
    audit.record(study=case.study, actor=actor, act=act, item=case.item.key, form=case.form.key, **more)
