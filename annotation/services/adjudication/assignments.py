"""Assignment of cases to adjudicators."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.states import Role
from annotation.models import Case, Study, User
from annotation.services.base import audit

MOST_CASES = 5_000
ITEMS_LOGGED = 100


def adjudicator_named(study: Study, email: str) -> User | None:
    """The adjudicator of a study with an email address; None for an empty one.

    Parameters
    ----------
    study : Study
        Any.
    email : str
        In any case of letters.

    Raises
    ------
    InvalidContent
        No member with this address is an adjudicator of the study (`no_adjudicator`).
    """
    if not email:
        return None
    found = User.objects.filter(
        email__iexact=email, memberships__study=study, memberships__role=Role.ADJUDICATOR
    ).first()
    if found is None:
        raise _no_adjudicator()
    return found


def assign_cases(*, study: Study, cases: Sequence[int], adjudicator: User | None, actor: User) -> int:
    """Assign cases to an adjudicator, replacing an earlier assignment.

    Parameters
    ----------
    study : Study
        Study of the cases.
    cases : sequence of int
        Their keys, 1 to 5,000.
    adjudicator : User or None
        A member with that role; None to remove the assignment.
    actor : User
        User who assigns them.

    Returns
    -------
    int
        The number of cases whose adjudicator changed.

    Raises
    ------
    InvalidContent
        `no_case`, `too_many_cases`, `unknown_case`, or `no_adjudicator`: the account does not have the role.
    """
    chosen = check_selected(cases)
    with transaction.atomic():
        # Roles are changed under this lock too, so that only members with the role have cases.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        roles = study.memberships.filter(role=Role.ADJUDICATOR)
        if adjudicator is not None and not roles.filter(user=adjudicator).exists():
            raise _no_adjudicator()
        found = list(study.cases.filter(pk__in=chosen).select_related("item"))
        check_known(chosen, found)
        to = None if adjudicator is None else adjudicator.pk
        changed = [case for case in found if case.adjudicator_id != to]
        Case.objects.filter(pk__in=[case.pk for case in changed]).update(adjudicator=adjudicator)
        if changed:
            audit.record(
                study=study,
                actor=actor,
                act="assign_cases",
                adjudicator=adjudicator.email if adjudicator else "",
                n=len(changed),
                items=[case.item.key for case in changed[:ITEMS_LOGGED]],
            )
    return len(changed)


def check_selected(cases: Sequence[int]) -> set[int]:
    """The selected cases, each once.

    Parameters
    ----------
    cases : sequence of int
        Their keys.

    Raises
    ------
    InvalidContent
        `no_case`, `too_many_cases`.
    """
    chosen = set(cases)
    if not chosen:
        raise InvalidContent(message("Select cases first."), code="no_case")
    if len(chosen) > MOST_CASES:
        sentence = message("Select at most %(most)s cases.", most=MOST_CASES)
        raise InvalidContent(sentence, code="too_many_cases")
    return chosen


def check_known(chosen: set[int], found: Sequence[Case]) -> None:
    """Refuse a selection with cases that a study does not have.

    Raises
    ------
    InvalidContent
        `unknown_case`.
    """
    if len(found) < len(chosen):
        raise InvalidContent(message("A selected case does not exist in this study."), code="unknown_case")


def split_cases(*, study: Study, cases: Sequence[int], actor: User) -> int:
    """Assign cases to all adjudicators of a study in turn, so that their numbers differ by at most one.

    Parameters
    ----------
    study : Study
        Study of the cases.
    cases : sequence of int
        Their keys in the order of the queue, 1 to 5,000.
    actor : User
        User who assigns them.

    Returns
    -------
    int
        The number of cases whose adjudicator changed.

    Raises
    ------
    InvalidContent
        As `assign_cases`; `no_adjudicator` also if no member has the role.
    """
    people = list(
        User.objects.filter(memberships__study=study, memberships__role=Role.ADJUDICATOR).order_by("email")
    )
    if not people:
        raise _no_adjudicator()
    if not cases:
        return assign_cases(study=study, cases=cases, adjudicator=people[0], actor=actor)
    parts = [(person, cases[place :: len(people)]) for place, person in enumerate(people)]
    with transaction.atomic():
        return sum(
            assign_cases(study=study, cases=part, adjudicator=person, actor=actor)
            for person, part in parts
            if part
        )


def _no_adjudicator() -> InvalidContent:
    sentence = message("Choose a member with the role of an adjudicator.")
    return InvalidContent(sentence, code="no_adjudicator", fields={"adjudicator": sentence})
