"""Manual exclusion of items, raters and answers from the analysis, and lifting of exclusions.

Exclusions are rows in addition to the data, never a deletion.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.models import Exclusion, ExclusionLift, Item, Rater, Response, Study, User
from annotation.services.base import audit
from annotation.services.quality.replacements import restore_seats
from annotation.services.seats import reservations
from annotation.services.seats.locks import lock_items
from annotation.services.seats.pair_rounds import add_due_rounds, lock_raters_of
from annotation.services.seats.stages import decide_all, decide_items, lock_stage_items

WITHDRAWN = "withdrawn"
BY_HAND = "by_hand"
ITEMS_LOGGED = 100


def exclude_rater(*, rater: Rater, reason: str, actor: User) -> Exclusion:
    """Exclude a rater's responses from statistics and release the rater's reserved slots.

    Parameters
    ----------
    rater : Rater
        Whose responses; they stay stored.
    reason : str
        Why; needed.
    actor : User
        User who decides.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        The rater is excluded already (`excluded_already`).
    """
    reason = reason_given(reason)
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.exclusions.filter(lift__isnull=True).exists():
            raise NotAllowedNow(
                message("%(code)s is already excluded.", code=rater.code), code="excluded_already"
            )
        staged = lock_stage_items(rater)
        exclusion = Exclusion.objects.create(
            study_id=rater.study_id, rater=rater, reason=reason, author=actor
        )
        reservations.release(raters=[rater.pk])
        decide_items(study=rater.study, items=staged)
        audit.record(
            study=rater.study, actor=actor, act="exclude_rater", rater=rater.code, reason=exclusion.reason
        )
    return exclusion


def exclude_items(*, study: Study, keys: Sequence[str], reason: str, actor: User) -> int:
    """Exclude manually selected items, by key, from statistics; existing manual exclusions are unchanged.

    Parameters
    ----------
    study : Study
        Theirs.
    keys : sequence of str
        Keys of the items.
    reason : str
        Why; needed.
    actor : User
        User who decides.

    Returns
    -------
    int
        Exclusions made.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`), no item is chosen (`no_item`), or one is not in the study
        (`unknown_item`).
    NotAllowedNow
        All of them are excluded by hand already (`excluded_already`).
    """
    reason = reason_given(reason)
    if not keys:
        raise InvalidContent(message("Select at least one item."), code="no_item")
    with transaction.atomic():
        found = _items_named(study, keys)
        lock_items(Item.objects.filter(pk__in=found.values()))
        active = Exclusion.objects.filter(
            study=study, rule=BY_HAND, lift__isnull=True, item__in=found.values()
        )
        excluded = set(active.values_list("item", flat=True))
        chosen = {key: pk for key, pk in found.items() if pk not in excluded}
        if not chosen:
            raise NotAllowedNow(
                message("All these items are already excluded manually."), code="excluded_already"
            )
        Exclusion.objects.bulk_create(
            Exclusion(study=study, item_id=pk, reason=reason, author=actor) for pk in chosen.values()
        )
        decide_items(study=study, items=list(chosen.values()))
        audit.record(
            study=study,
            actor=actor,
            act="exclude_items",
            items=sorted(chosen)[:ITEMS_LOGGED],
            n=len(chosen),
            reason=reason,
        )
    return len(chosen)


def reason_given(reason: str) -> str:
    """The reason for an exclusion, or for lifting it.

    Parameters
    ----------
    reason : str
        As entered.

    Raises
    ------
    InvalidContent
        It is empty (`no_reason`).
    """
    reason = validated_text(reason)
    if not reason:
        raise InvalidContent(message("Enter a reason. It is saved with the exclusion."), code="no_reason")
    return reason


def _items_named(study: Study, keys: Sequence[str]) -> dict[str, int]:
    possible = [key for key in keys if "\x00" not in key]
    found = dict(Item.objects.filter(study=study, key__in=possible).values_list("key", "pk"))
    unknown = sorted(set(keys) - found.keys())
    if unknown:
        raise InvalidContent(
            message("Nothing was excluded: the study has no item “%(key)s”.", key=unknown[0]),
            code="unknown_item",
        )
    return found


def exclude_response(*, response: Response, reason: str, actor: User) -> Exclusion:
    """Exclude one response from statistics.

    Parameters
    ----------
    response : Response
        The answer; it stays where it is.
    reason : str
        Why; needed.
    actor : User
        User who decides.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        It is excluded already (`excluded_already`).
    """
    reason = reason_given(reason)
    item = response.assignment.item_id
    with transaction.atomic():
        lock_items(Item.objects.filter(pk=item))
        response = (
            Response.objects.select_for_update(of=("self",))
            .select_related("assignment__item__study", "assignment__rater")
            .get(pk=response.pk)
        )
        assignment, study = response.assignment, response.assignment.item.study
        if response.exclusions.filter(lift__isnull=True).exists():
            raise NotAllowedNow(message("This response is already excluded."), code="excluded_already")
        exclusion = Exclusion.objects.create(study=study, response=response, reason=reason, author=actor)
        decide_items(study=study, items=[item])
        audit.record(
            study=study,
            actor=actor,
            act="exclude_response",
            item=assignment.item.key,
            rater=assignment.rater.code,
            reason=exclusion.reason,
        )
    return exclusion


def copy_exclusions(*, answer: Response, correction: Response) -> None:
    """Exclude the next revision of a rater's response like the revision that was current so far.

    Parameters
    ----------
    answer : Response
        That was current so far.
    correction : Response
        Its next revision, by the rater.
    """
    Exclusion.objects.bulk_create(
        Exclusion(
            study_id=one.study_id,
            response=correction,
            rule=one.rule,
            by_rule_id=one.by_rule_id,
            reason=one.reason,
            author_id=one.author_id,
        )
        for one in answer.exclusions.filter(lift__isnull=True)
    )


def lift_exclusion(*, exclusion: Exclusion, reason: str, actor: User) -> ExclusionLift:
    """Include excluded data in statistics again.

    Parameters
    ----------
    exclusion : Exclusion
        An active exclusion.
    reason : str
        Why; needed.
    actor : User
        User who decides.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        It was lifted before (`lifted_already`), or the rater has withdrawn (`withdrawn_stays`).
    """
    if exclusion.rule == WITHDRAWN:
        raise NotAllowedNow(
            message("This exclusion cannot be lifted: the rater has withdrawn from the study."),
            code="withdrawn_stays",
        )
    reason = reason_given(reason)
    with transaction.atomic():
        lock_raters_of(Exclusion.objects.filter(pk=exclusion.pk), exclusion.study)
        exclusion = Exclusion.objects.select_for_update(of=("self",)).get(pk=exclusion.pk)
        if ExclusionLift.objects.filter(exclusion=exclusion).exists():
            raise NotAllowedNow(message("This exclusion has already been lifted."), code="lifted_already")
        lift = ExclusionLift.objects.create(exclusion=exclusion, reason=reason, author=actor)
        decide_all(study=exclusion.study)
        restore_seats(study=exclusion.study, exclusions=Exclusion.objects.filter(pk=exclusion.pk))
        audit.record(
            study=exclusion.study,
            actor=actor,
            act="lift_exclusion",
            rater=exclusion.rater.code if exclusion.rater else "",
            item=exclusion.item.key if exclusion.item else "",
            response=exclusion.response_id,
            reason=reason,
        )
        add_due_rounds(study=exclusion.study)
    return lift
