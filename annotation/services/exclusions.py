"""Taking a rater out of the analysis, and lifting that again: rows beside the data, never a deletion."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.errors import InvalidContent, NotAllowedNow
from annotation.models import Exclusion, ExclusionLift, Rater, User
from annotation.services import audit, seats

WITHDRAWN = "withdrawn"


def exclude_rater(*, rater: Rater, reason: str, actor: User) -> Exclusion:
    """Leave a rater's answers out of the figures, from now on; held seats go to others.

    Parameters
    ----------
    rater : Rater
        Whose answers; they stay where they are.
    reason : str
        Why; needed.
    actor : User
        Who decides.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        The rater is excluded already (`excluded_already`).
    """
    if not reason.strip():
        raise InvalidContent("Say why: the reason is kept with the exclusion.", code="no_reason")
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).get(pk=rater.pk)
        if rater.exclusions.filter(lift__isnull=True).exists():
            raise NotAllowedNow(f"{rater.code} is excluded already.", code="excluded_already")
        made = Exclusion.objects.create(
            study_id=rater.study_id, rater=rater, reason=reason.strip(), author=actor
        )
        seats.release(rater=rater)
        audit.record(
            study=rater.study, actor=actor, act="exclude_rater", rater=rater.code, reason=made.reason
        )
    return made


def lift_exclusion(*, exclusion: Exclusion, reason: str, actor: User) -> ExclusionLift:
    """Let what was excluded count again.

    Parameters
    ----------
    exclusion : Exclusion
        That stands.
    reason : str
        Why; may be empty.
    actor : User
        Who decides.

    Raises
    ------
    NotAllowedNow
        It was lifted before (`lifted_already`), or the rater has withdrawn (`withdrawn_stays`).
    """
    if exclusion.rule == WITHDRAWN:
        raise NotAllowedNow(
            "The rater has withdrawn: by the consent text these answers stay excluded.",
            code="withdrawn_stays",
        )
    with transaction.atomic():
        exclusion = Exclusion.objects.select_for_update(of=("self",)).get(pk=exclusion.pk)
        if ExclusionLift.objects.filter(exclusion=exclusion).exists():
            raise NotAllowedNow("This exclusion was lifted before.", code="lifted_already")
        made = ExclusionLift.objects.create(exclusion=exclusion, reason=reason.strip(), author=actor)
        audit.record(
            study=exclusion.study,
            actor=actor,
            act="lift_exclusion",
            rater=exclusion.rater.code if exclusion.rater else "",
            reason=reason.strip(),
        )
    return made
