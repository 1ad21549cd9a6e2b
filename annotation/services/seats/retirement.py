"""Retiring items of an open study, and asking for them again: slots go and come back, responses stay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import IN_BATCHES, TAKING_ANSWERS, SeatState, StudyState
from annotation.domain.base.text_validation import validated_text
from annotation.models import Form, Item, Rater, Seat, Study, User
from annotation.services.base import audit
from annotation.services.seats.locks import lock_items
from annotation.services.seats.pair_rounds import add_due_rounds, lock_pairings
from annotation.services.seats.pairing_setup import refuse_ended_pairs
from annotation.services.seats.reservations import lock_seats
from annotation.services.seats.seat_creation import CHUNK_SIZE, put_into_batches, seats_up_to
from annotation.services.seats.stages import decide_items

MOST_NAMED = 50
MOST_TRIES = 50


@dataclass(frozen=True)
class Change:
    """How many items an act changed, and how many rating slots it removed or created."""

    items: int
    slots: int


class _ReservedMeanwhileError(Exception):
    """A rater whose row is not locked took one of the slots."""


def lock_running(study: Study) -> Study:
    """Lock the row of an open or paused study until the caller's transaction ends.

    Parameters
    ----------
    study : Study
        As it was read before.

    Raises
    ------
    NotAllowedNow
        It is in another state, or its ratings are published ones (`not_running`).
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.state not in TAKING_ANSWERS or study.source:
        reason = message("You can only do this while the study is open or paused.")
        raise NotAllowedNow(joined([StudyState(study.state).sentence, reason]), code="not_running")
    return study


def retire_items(*, study: Study, items: QuerySet[Item], reason: str, actor: User | None) -> Change:
    """Ask for no more ratings of items: their responses stay, every slot that is not filled goes.

    A rater who has such an item on screen may still save it: the response is marked as late.

    Parameters
    ----------
    study : Study
        Open or paused.
    items : QuerySet of Item
        Of the study; those that are retired already are left out.
    reason : str
        For the audit log; may be empty.
    actor : User or None
        User who decides; None on the command line.

    Raises
    ------
    NotAllowedNow
        The study is neither open nor paused (`not_running`), or raters take the slots faster than they can be
        locked (`busy`).
    InvalidContent
        No item is left to retire (`no_items`).
    """
    reason = validated_text(reason)
    with transaction.atomic():
        study = lock_running(study)
        chosen = _chosen(
            items.filter(study=study, retired_at=None),
            message("Nothing was changed. Select at least one item that is not retired."),
        )
        removed = _remove_open_slots(study, [item.pk for item in chosen])
        _record(study, actor, "retire_items", chosen, slots=removed, reason=reason)
        add_due_rounds(study=study)
    return Change(len(chosen), removed)


def restore_items(*, study: Study, items: QuerySet[Item], actor: User | None) -> Change:
    """Ask for ratings of retired items again: each gets the slots that its form's ratings per item need.

    Parameters
    ----------
    study : Study
        Open or paused.
    items : QuerySet of Item
        Of the study; those that are not retired are left out.
    actor : User or None
        User who decides; None on the command line.

    Raises
    ------
    NotAllowedNow
        The study is neither open nor paused (`not_running`), or no rater would be asked about the items
        (`pairs_ended`).
    InvalidContent
        No item is retired (`no_items`).
    """
    with transaction.atomic():
        study = lock_running(study)
        refuse_ended_pairs(study)
        retired = items.filter(study=study, retired_at__isnull=False)
        lock_items(retired)
        chosen = _chosen(retired, message("Nothing was changed. Select at least one retired item."))
        pks = [item.pk for item in chosen]
        for start in range(0, len(pks), CHUNK_SIZE):
            Item.objects.filter(pk__in=pks[start : start + CHUNK_SIZE]).update(retired_at=None)
        created = sum(
            _slots_again(study, form, chosen) for form in study.forms.filter(fed_by=None, pairing=None)
        )
        if study.design in IN_BATCHES:
            put_into_batches(study)
        decide_items(study=study, items=pks)
        _record(study, actor, "restore_items", chosen, slots=created)
    return Change(len(chosen), created)


def _chosen(items: QuerySet[Item], otherwise: str) -> list[Item]:
    chosen = list(items.order_by("position", "pk").only("pk", "key", "study"))
    if not chosen:
        raise InvalidContent(otherwise, code="no_items")
    return chosen


def _record(study: Study, actor: User | None, act: str, items: Sequence[Item], **detail: int | str) -> None:
    keys = [item.key for item in items[:MOST_NAMED]]
    audit.record(study=study, actor=actor, act=act, n=len(items), items=keys, **detail)


def _remove_open_slots(study: Study, items: Sequence[int]) -> int:
    """Mark items as retired and delete their open slots, with the raters locked who have reserved one."""
    for _ in range(MOST_TRIES):
        try:
            with transaction.atomic():
                return _removed(study, items)
        except _ReservedMeanwhileError:
            continue
    raise NotAllowedNow(message("The server is busy. Try again in a moment."), code="busy")


def _removed(study: Study, items: Sequence[int]) -> int:
    chunks = _chunks(items)
    holders = {rater for chunk in chunks for rater in _reserved_by(chunk)}
    # Submitting and withdrawing lock the rater's row first, then the pairs, the item and the slot.
    list(Rater.objects.select_for_update(no_key=True).filter(pk__in=holders).order_by("pk").values_list("pk"))
    # A round that is being added gets its slots before they are looked for; the next one has no such items.
    lock_pairings(study)
    for chunk in chunks:
        lock_items(Item.objects.filter(pk__in=chunk))
    # Filled ones too: an answer that is withdrawn meanwhile frees its slot.
    locked = [
        seat
        for chunk in chunks
        for seat in lock_seats(Seat.objects.filter(item__in=chunk).order_by("pk")).values_list(
            "pk", "state", "rater_id"
        )
    ]
    if not holders.issuperset(rater for _, state, rater in locked if state == SeatState.RESERVED):
        raise _ReservedMeanwhileError
    now = timezone.now()
    for chunk in chunks:
        Item.objects.filter(pk__in=chunk).update(retired_at=now)
    open_seats = [pk for pk, state, _ in locked if state != SeatState.FILLED]
    for chunk in _chunks(open_seats):
        Seat.objects.filter(pk__in=chunk).delete()
    return len(open_seats)


def _reserved_by(items: Sequence[int]) -> QuerySet[Seat, int]:
    reserved = Seat.objects.filter(item__in=items, state=SeatState.RESERVED)
    return reserved.values_list("rater_id", flat=True)


def _chunks(pks: Sequence[int]) -> list[list[int]]:
    """Keys in the order of locking, in chunks that a query can take."""
    ordered = sorted(pks)
    return [ordered[start : start + CHUNK_SIZE] for start in range(0, len(ordered), CHUNK_SIZE)]


def _slots_again(study: Study, form: Form, items: Sequence[Item]) -> int:
    """Create the slots of a form, without a gap before the highest slot that is filled."""
    of_items = Seat.objects.filter(form=form, item__study=study).order_by().values("item")
    highest = dict(of_items.annotate(high=Max("slot"), n=Count("pk")).values_list("item", "high"))
    by_number: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        by_number[max(form.overlap, highest.get(item.pk, 0))].append(item)
    return sum(len(seats_up_to(study, form, some, to)) for to, some in by_number.items())
