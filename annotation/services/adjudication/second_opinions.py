"""Asking a second adjudicator, who decides a case without seeing the first decision."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.adjudication.differences import CaseState
from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import Role
from annotation.models import Case, Study, User, Verdict
from annotation.services.adjudication.decisions import locked_case
from annotation.services.base import audit


def ask_second_opinion(*, case: Case, adjudicator: User | None, actor: User) -> Case:
    """Ask a second adjudicator to decide a case too; the first decision stays the final answer.

    Parameters
    ----------
    case : Case
        Decided or not.
    adjudicator : User or None
        A member with that role, who replaces one asked before; None to withdraw the request.
    actor : User
        User who asks.

    Raises
    ------
    NotAllowedNow
        `study_draft`, `case_withdrawn`, or `opinion_given`: the second opinion has been given.
    InvalidContent
        `no_adjudicator`: the account does not have the role; `same_adjudicator`: this person decides the
        case, or has decided it.
    """
    with transaction.atomic():
        # Roles are changed under this lock too, so that only members with the role are asked.
        Study.objects.select_for_update(no_key=True).get(pk=case.study_id)
        case = locked_case(case)
        if case.state == CaseState.WITHDRAWN:
            sentence = message("This case was removed from the queue. Return it to the queue first.")
            raise NotAllowedNow(sentence, code="case_withdrawn")
        if case.verdicts.filter(second=True).exists():
            raise NotAllowedNow(
                message("The second opinion on this case has been given."), code="opinion_given"
            )
        if adjudicator is not None:
            _check_other(case, adjudicator)
        if case.second != adjudicator:
            case.second = adjudicator
            case.save(update_fields=["second"])
            audit.record(
                study=case.study,
                actor=actor,
                act="ask_second_opinion",
                item=case.item.key,
                form=case.form.key,
                adjudicator=adjudicator.email if adjudicator else "",
            )
    return case


def _check_other(case: Case, adjudicator: User) -> None:
    """Refuse an account without the role, and the adjudicator who decides or has decided the case."""
    if not case.study.memberships.filter(role=Role.ADJUDICATOR, user=adjudicator).exists():
        sentence = message("Choose a member with the role of an adjudicator.")
        raise InvalidContent(sentence, code="no_adjudicator", fields={"adjudicator": sentence})
    decided = Verdict.objects.filter(case=case, second=False, author=adjudicator)
    if case.adjudicator_id == adjudicator.pk or decided.exists():
        sentence = message("Choose another adjudicator: this one decides the case, or has decided it.")
        raise InvalidContent(sentence, code="same_adjudicator", fields={"adjudicator": sentence})
