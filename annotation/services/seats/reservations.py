"""Seats under lock: which are free, reserving, renewing and filling them.

PostgreSQL locks the chosen rows and skips those that others hold; SQLite ignores row locks, but
its transactions begin with the write lock, so the same code is serial there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import BigIntegerField, DateTimeField, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.states import Purpose, SeatState
from annotation.models import Assignment, Form, Rater, Response, Seat, Study
from annotation.selectors.base.prepared_queries import CompiledUpdate, Placeholder
from annotation.selectors.seats.last_slots import are_few

CHUNK_SIZE = 1000
_reserve_one = CompiledUpdate(
    lambda seat, rater, until: (
        Seat.objects.filter(pk=seat),
        {"state": SeatState.RESERVED, "rater": rater, "until": until},
    ),
    seat=BigIntegerField(),
    rater=BigIntegerField(),
    until=DateTimeField(),
)
_fill_own = CompiledUpdate(
    lambda seat, rater: (
        Seat.objects.filter(pk=seat, rater=rater),
        {"state": SeatState.FILLED, "until": None},
    ),
    seat=BigIntegerField(),
    rater=BigIntegerField(),
)


def free_seats(form: Form | Placeholder) -> QuerySet[Seat]:
    """Free rating slots of a form.

    Parameters
    ----------
    form : Form or Placeholder
        A form, or its place in a prepared query.
    """
    return Seat.objects.filter(form=form, state=SeatState.FREE)


def expired_seats(form: Form | Placeholder, now: datetime | Placeholder) -> QuerySet[Seat]:
    """Seats of a form whose holder has let them run out.

    Parameters
    ----------
    form, now
        A form and the present time, or their places in a prepared query.
    """
    return Seat.objects.filter(form=form, state=SeatState.RESERVED, until__lt=now)


def is_available(now: datetime) -> Q:
    """The condition that a slot is free or its reservation has run out."""
    return Q(state=SeatState.FREE) | Q(state=SeatState.RESERVED, until__lt=now)


def lock_seats(seats: QuerySet[Seat], *, skip_locked: bool = False) -> QuerySet[Seat]:
    """Lock the seats' own rows.

    Parameters
    ----------
    seats : QuerySet of Seat
        Seats in the order in which they are locked.
    skip_locked : bool
        Leave out seats that other transactions lock, instead of waiting for them.
    """
    return seats.select_for_update(skip_locked=skip_locked, of=("self",))


def lock_available_seat(form: Form, item_id: int) -> Seat | None:
    """Any seat of one item that is free or has run out, locked.

    Parameters
    ----------
    form, item_id
        A form, and the primary key of the item.

    Returns
    -------
    Seat or None
        A free seat before an expired one; None where there is neither.
    """
    for candidates in (free_seats(form), expired_seats(form, timezone.now())):
        seat = lock_seats(candidates.filter(item_id=item_id).order_by("slot")).first()
        if seat is not None:
            return seat
    return None


def reserve(seats: Sequence[Seat], rater: Rater) -> None:
    """Give locked seats to a rater, until their time runs out.

    Parameters
    ----------
    seats : sequence of Seat
        Available seats, locked by the caller's transaction.
    rater : Rater
        A rater with the `study`, whose `seat_minutes` or `last_seat_minutes` apply.
    """
    end = reservation_end(rater.study, seats[0].form_id)
    for seat in seats:
        seat.state, seat.rater, seat.until = SeatState.RESERVED.value, rater, end
    if len(seats) == 1:
        _reserve_one(seat=seats[0].pk, rater=rater.pk, until=end)
        return
    chosen = Seat.objects.filter(pk__in=[seat.pk for seat in seats])
    chosen.update(state=SeatState.RESERVED, rater=rater, until=end)


def renew(assignment: Assignment, now: datetime) -> None:
    """Extend a reservation that is about to end, with those of the same batch.

    Parameters
    ----------
    assignment : Assignment
        Whose page is shown; only a seat of its own rater is renewed, and a check as if it had one.
    now : datetime
        Present time; a reservation is renewed in the second half of its minutes.
    """
    study, end = assignment.rater.study, _held_until(assignment)
    if end is None or end - now >= timedelta(minutes=study.seat_minutes) / 2:
        return
    minutes, seat = reservation_minutes(study, assignment.form_id, now), assignment.seat
    if end - now >= timedelta(minutes=minutes) / 2:
        return
    end = now + timedelta(minutes=minutes)
    held = Seat.objects.filter(rater=assignment.rater, state=SeatState.RESERVED)
    if seat is None:
        assignment.held_until = end
        held.filter(batch__isnull=False).update(until=end)
    else:
        seat.until = end
        own = held.filter(pk=seat.pk) if seat.batch_id is None else held.filter(batch=seat.batch_id)
        own.update(until=end)
    if seat is None or seat.batch_id is not None:
        _waiting_checks([assignment.rater_id]).update(held_until=end)


def _held_until(assignment: Assignment) -> datetime | None:
    seat = assignment.seat
    if assignment.purpose == Purpose.CHECK:
        return None if assignment.submitted_at else assignment.held_until
    return None if seat is None or seat.rater_id != assignment.rater_id else seat.until


def _waiting_checks(raters: Collection[int]) -> QuerySet[Assignment]:
    waiting = Assignment.objects.filter(rater__in=raters, submitted_at__isnull=True, purpose=Purpose.CHECK)
    return waiting.filter(held_until__isnull=False)


def release(*, raters: Collection[int]) -> int:
    """Give back the seats that raters hold without having answered; returns how many.

    Parameters
    ----------
    raters : collection of int
        Primary keys of raters.
    """
    _waiting_checks(raters).update(held_until=None)
    return Seat.objects.filter(rater__in=raters, state=SeatState.RESERVED).update(
        state=SeatState.FREE, rater=None, until=None
    )


def reopen(*, rater: Rater) -> int:
    """Free the seats a rater has filled, because the answers no longer count; returns how many.

    Those of retired items are deleted.

    Parameters
    ----------
    rater : Rater
        A rater who is withdrawing.
    """
    freed = Seat.objects.filter(rater=rater, state=SeatState.FILLED).update(
        state=SeatState.FREE, rater=None, until=None
    )
    # Asked after the update: an item that was retired while it waited for the lock is retired now.
    retired = Seat.objects.filter(form__study=rater.study_id, item__retired_at__isnull=False)
    retired.filter(state=SeatState.FREE).delete()
    return freed


def fill(*, assignment: Assignment) -> bool:
    """Mark the slot of an answered main assignment, locked by the caller's transaction, as filled.

    Parameters
    ----------
    assignment : Assignment
        Of purpose `main`, locked by the caller's transaction.

    Returns
    -------
    bool
        False: the seat had run out and was given away, and the item has no other: the answer is late.
    """
    if assignment.seat_id is not None and _fill_own(seat=assignment.seat_id, rater=assignment.rater_id):
        return True
    seat = lock_available_seat(assignment.form, assignment.item_id)
    if seat is None:
        return False
    seat.state, seat.rater_id, seat.until = SeatState.FILLED, assignment.rater_id, None
    seat.save(update_fields=["state", "rater", "until"])
    assignment.seat = seat
    assignment.save(update_fields=["seat"])
    return True


def is_late_check(assignment: Assignment, now: datetime) -> bool:
    """Whether a check is late, as are the items that its rater had reserved with it.

    Parameters
    ----------
    assignment : Assignment
        Its slot cannot be given away: after `held_until` it is late where another rater has taken one of
        those items. Of another purpose it never is.
    now : datetime
        Present time.
    """
    end, rater = assignment.held_until, assignment.rater_id
    if assignment.purpose != Purpose.CHECK or end is None or end > now:
        return False
    own = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN)
    lost = own.filter(submitted_at=None, seat__rater__isnull=False).exclude(seat__rater=rater)
    # Slots lost before then were reserved with an earlier page.
    others = Assignment.objects.filter(seat__in=lost.values("seat"), created_at__gte=end)
    taken = others.exclude(rater=rater)
    late = Response.objects.filter(assignment__in=own, late=True, submitted_at__gte=end)
    return taken.exists() or late.exists()


def fill_replacement_seats(*, assignments: QuerySet[Assignment]) -> int:
    """Fill free slots, or expired ones, for answered main assignments whose own went to others.

    Parameters
    ----------
    assignments : QuerySet of Assignment
        Each of another item or rater, whose raters hold no slot of the item.

    Returns
    -------
    int
        How many slots were filled; an assignment whose item has none left stays without.
    """
    answered, open_seats = list(assignments), _lock_available_by_item(assignments)
    filled = []
    for one in answered:
        if seats := open_seats.get((one.form_id, one.item_id)):
            one.seat = seats.pop(0)
            one.seat.state, one.seat.rater_id, one.seat.until = SeatState.FILLED.value, one.rater_id, None
            filled.append((one, one.seat))
    Seat.objects.bulk_update([seat for _, seat in filled], ["state", "rater", "until"], batch_size=CHUNK_SIZE)
    Assignment.objects.bulk_update([one for one, _ in filled], ["seat"], batch_size=CHUNK_SIZE)
    return len(filled)


def _lock_available_by_item(answered: QuerySet[Assignment]) -> dict[tuple[int, int], list[Seat]]:
    """Available seats by form and item, locked: free ones first, then expired ones, each by slot."""
    candidates = Seat.objects.filter(
        is_available(timezone.now()), form__in=answered.values("form"), item__in=answered.values("item")
    )
    open_seats: dict[tuple[int, int], list[Seat]] = {}
    for seat in sorted(
        lock_seats(candidates.order_by("pk")), key=lambda seat: (seat.rater_id is not None, seat.slot)
    ):
        open_seats.setdefault((seat.form_id, seat.item_id), []).append(seat)
    return open_seats


def reservation_end(study: Study, form_id: int) -> datetime:
    """When a seat of a form that is taken now runs out.

    Parameters
    ----------
    study, form_id
        The study, and the primary key of the form.
    """
    now = timezone.now()
    return now + timedelta(minutes=reservation_minutes(study, form_id, now))


def reservation_minutes(study: Study, form_id: int, now: datetime) -> int:
    """For how many minutes an item is reserved: fewer where slots are few, if the study says so.

    Parameters
    ----------
    study, form_id, now
        The study, the primary key of the form, and the present time.
    """
    shorter = study.last_seat_minutes
    if shorter is None or shorter >= study.seat_minutes or not are_few(study, form_id, now):
        return study.seat_minutes
    return shorter
