"""Whether a main study is analysed together with its pilot: declared by a member, logged, and reversible."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import Role
from annotation.domain.base.text_validation import validated_text
from annotation.models import Membership, PilotMatch, Study, User
from annotation.selectors.questions.pilots.pilot_answers import match
from annotation.services.base import audit
from annotation.services.base.archives import delete_archives
from annotation.services.people.identity import store_matches

NAMED = 5
LEADERS = (Role.ADMIN, Role.OWNER)


class PoolingAct(StrEnum):
    """What members declare: that both are pooled, or separate again."""

    POOL = "pool"
    SEPARATE = "separate"


def change_pooling(*, study: Study, act: PoolingAct, reason: str, actor: User) -> Study:
    """Pool a main study with its pilot, or separate both again: `pool_pilot` or `separate_pilot`.

    Parameters
    ----------
    study, act, reason, actor
        As there.
    """
    change = pool_pilot if act is PoolingAct.POOL else separate_pilot
    return change(study=study, reason=reason, actor=actor)


def pool_pilot(*, study: Study, reason: str, actor: User) -> Study:
    """Analyse a main study together with the answers of its pilot to the same forms about the same items.

    Responses stay where they were given; reports computed before are marked as out of date. Progress, pay,
    quality control and adjudication stay those of each study.

    Parameters
    ----------
    study : Study
        A main study in any state.
    reason : str
        Why the answers mean the same; needed.
    actor : User
        The member who declares it: an admin or owner of both studies.

    Raises
    ------
    NotAllowedNow
        The study has no pilot (`no_pilot`) or is pooled with it already (`pilot_pooled`), the member does not
        manage the pilot (`pilot_not_managed`), its deletion was requested (`pilot_leaves`), the raters of
        only one study are identified (`raters_differ`), or no form of both has the same questions and words
        (`no_same_version`) or no item the same ID (`no_same_item`).
    InvalidContent
        The reason is empty (`reason_needed`), or items with the same ID have other texts (`texts_differ`).
    """
    with transaction.atomic():
        study, pilot = _locked(study)
        if study.pilot_pooled_at is not None:
            raise NotAllowedNow(message("The pilot is already pooled with this study."), code="pilot_pooled")
        if not Membership.objects.filter(study=pilot, user=actor, role__in=LEADERS).exists():
            raise NotAllowedNow(
                message("Only an admin or owner of both studies can pool them."), code="pilot_not_managed"
            )
        if pilot.deleted_after is not None:
            raise NotAllowedNow(
                message("The pilot is to be deleted. Cancel the deletion before you pool it."),
                code="pilot_leaves",
            )
        why = _reason(reason)
        _refuse_differing(study, pilot)
        study.pilot_pooled_at, study.pilot_pooled_because = timezone.now(), why
        study.save(update_fields=["pilot_pooled_at", "pilot_pooled_because"])
        store_matches(study=study, pilot=pilot)
        audit.record(study=study, actor=actor, act="pool_pilot", pilot=pilot.slug, reason=why)
        audit.record(study=pilot, actor=actor, act="pooled_in_main", main_study=study.slug, reason=why)
    return study


def separate_pilot(*, study: Study, reason: str, actor: User) -> Study:
    """Analyse a main study without the answers of its pilot again; its bundles, which have them, are deleted.

    Who rates in both is no longer stored.

    Parameters
    ----------
    study : Study
        A main study that is pooled with its pilot.
    reason : str
        Why the declaration is withdrawn; needed.
    actor : User
        The member who withdraws it.

    Raises
    ------
    NotAllowedNow
        The study has no pilot (`no_pilot`), or is not pooled with it (`pilot_separate`).
    InvalidContent
        The reason is empty (`reason_needed`).
    """
    with transaction.atomic():
        study, pilot = _locked(study)
        if study.pilot_pooled_at is None:
            raise NotAllowedNow(message("The pilot is not pooled with this study."), code="pilot_separate")
        why = _reason(reason)
        study.pilot_pooled_at, study.pilot_pooled_because = None, ""
        study.save(update_fields=["pilot_pooled_at", "pilot_pooled_because"])
        PilotMatch.objects.filter(main_rater__study=study).delete()
        audit.record(study=study, actor=actor, act="separate_pilot", pilot=pilot.slug, reason=why)
        audit.record(study=pilot, actor=actor, act="separated_from_main", main_study=study.slug, reason=why)
        transaction.on_commit(partial(delete_archives, study))
    return study


def _locked(study: Study) -> tuple[Study, Study]:
    """The study and its pilot as they are now; the pilot first, as where its deletion is requested."""
    if study.pilot_id is not None:
        Study.objects.select_for_update(no_key=True).filter(pk=study.pilot_id).first()
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    return study, pilot_of(study)


def pilot_of(study: Study) -> Study:
    """The pilot of a main study.

    Parameters
    ----------
    study : Study
        Any study.

    Raises
    ------
    NotAllowedNow
        The study has no pilot (`no_pilot`).
    """
    if study.pilot is None:
        raise NotAllowedNow(message("This study has no pilot study."), code="no_pilot")
    return study.pilot


def _reason(reason: str) -> str:
    why = validated_text(reason)
    if not why:
        needed = message("Enter a reason. It is saved in the audit log.")
        raise InvalidContent(needed, code="reason_needed", fields={"reason": needed})
    return why


def _refuse_differing(study: Study, pilot: Study) -> None:
    """Refuse two studies whose answers are not about the same items in the same words."""
    if study.identified != pilot.identified:
        raise NotAllowedNow(
            message("The raters of one study are identified, those of the other are anonymous."),
            code="raters_differ",
        )
    found = match(study, pilot)
    if found.differing:
        raise InvalidContent(
            message(
                "Items of the pilot and of this study have the same ID and different texts: %(items)s. "
                "Answers about them do not mean the same.",
                items=", ".join(found.differing[:NAMED]) + ("…" if found.differing[NAMED:] else ""),
            ),
            code="texts_differ",
        )
    if not found.versions:
        raise NotAllowedNow(
            message("No form version that raters of the pilot answered is in this study word for word."),
            code="no_same_version",
        )
    if not found.items:
        raise NotAllowedNow(message("No item of the pilot is in this study."), code="no_same_item")
