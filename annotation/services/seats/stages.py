"""Stages: items that pass one form get rating slots of the next form in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.base.states import Purpose, SeatState
from annotation.models import Assignment, Item, Rater, Seat, StageFeed, Study
from annotation.selectors.seats.stages import Items, admitted, feeds_of
from annotation.services.seats.locks import lock_items
from annotation.services.seats.reservations import lock_seats
from annotation.services.seats.seat_creation import CHUNK_SIZE, seat_imported, seats_up_to


def decide_all(*, study: Study) -> None:
    """Decide about every item of a study that opens, or whose exclusions changed; called in a transaction.

    Parameters
    ----------
    study : Study
        That opens, or with exclusions that were made or lifted.
    """
    lock_study_items(study)
    decide_items(study=study, items=None)


def lock_study_items(study: Study) -> None:
    """Lock the items of a study, where their answers decide about the next stage."""
    if feeds_of(study):
        lock_items(Item.objects.filter(study=study))


def decide_items(*, study: Study, items: Items | None, form_id: int | None = None) -> None:
    """Give the items that pass their slots of the next stage, and remove those of the others.

    An item that passes has as many slots as the next form wants raters. One that does not, or no more,
    retains its filled slots; the rest are removed, and a rater who works on it may still save a late
    response. Called inside a transaction that has locked the items; a draft has no slots, so nothing is
    decided.

    Parameters
    ----------
    study, items
        Keys of the study's items; all where None.
    form_id : int or None
        The form whose answers have changed; any of them where None.
    """
    if study.opened_at is None or (items is not None and not items):
        return
    for feed in feeds_of(study):
        if form_id in {None, feed.source_id}:
            _decide(study, feed, items)


def lock_stage_items(rater: Rater) -> list[int]:
    """Lock the items that a rater was given by forms that feed another, or are fed; returns their keys.

    The caller's transaction holds the rater's row.

    Parameters
    ----------
    rater : Rater
        Whose row the caller's transaction holds.
    """
    forms = {form for feed in feeds_of(rater.study) for form in (feed.source_id, feed.target_id)}
    if not forms:
        return []
    given = Assignment.objects.filter(rater=rater, form__in=forms, purpose=Purpose.MAIN).values("item")
    items = Item.objects.filter(pk__in=given)
    lock_items(items)
    return list(items.values_list("pk", flat=True))


def filter_wanted_seats(study: Study, seats: Sequence[Seat]) -> list[Seat]:
    """Without the slots of retired items, and of those that the stage before does not let through now.

    Parameters
    ----------
    study : Study
        Of the seats.
    seats : sequence of Seat
        With their items, which are locked where the study has stages.
    """
    passing = {
        feed.target_id: admitted(study, feed, {one.item_id for one in seats if one.form_id == feed.target_id})
        for feed in feeds_of(study)
    }
    return [
        one
        for one in seats
        if one.item.retired_at is None and (one.form_id not in passing or one.item_id in passing[one.form_id])
    ]


def _decide(study: Study, feed: StageFeed, items: Items | None) -> None:
    passing = admitted(study, feed, items)
    _remove_slots(feed, items, passing)
    if passing:
        chosen = Item.objects.filter(study=study) if items is None else Item.objects.filter(pk__in=items)
        through = [item for item in chosen.only("pk", "key") if item.pk in passing]
        if seats_up_to(study, feed.target, through, feed.target.overlap):
            seat_imported(study, form=feed.target)


def _remove_slots(feed: StageFeed, items: Items | None, passing: set[int]) -> None:
    """Delete the slots of items that do not pass, except filled ones."""
    unfilled = Seat.objects.filter(form=feed.target_id).exclude(state=SeatState.FILLED)
    if items is not None:
        unfilled = unfilled.filter(item__in=items)
    seats = [
        seat for seat, item in unfilled.values_list("pk", "item_id").order_by("pk") if item not in passing
    ]
    for start in range(0, len(seats), CHUNK_SIZE):
        # One that is filled meanwhile stays.
        locked = lock_seats(unfilled.filter(pk__in=seats[start : start + CHUNK_SIZE]).order_by("pk"))
        Seat.objects.filter(pk__in=[seat.pk for seat in locked]).delete()
