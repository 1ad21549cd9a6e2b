"""Reservation of a batch: all available seats of one of its slots, for one rater, at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement, rater_order
from annotation.domain.base.states import SEQUENCE, Purpose
from annotation.models import Assignment, Batch, FormVersion, Rater, Seat, Study
from annotation.services.seats.reservations import is_available, lock_seats, reserve

MOST_TRIES = 50
Planting = Callable[[Rater, Sequence[Assignment]], list[Assignment]]


class _TakenMeanwhileError(Exception):
    """Other raters took the candidate while its row was waited for."""


def take_batch(rater: Rater, insert_checks: Planting) -> Assignment | None:
    """Reserve the least-served batch that the rater has not had; its first page, or None.

    Of a slot that another rater left unfinished, the remaining pages are taken. The batch's own row is
    locked while its rating slots are reserved, so two raters never share a slot.

    Parameters
    ----------
    rater : Rater
        A rater with the `study`.
    insert_checks : callable
        Gives the pages of the batch with the checks that come among them.

    Raises
    ------
    NotAllowedNow
        `busy`: other raters took every candidate first.
    """
    taken = set(
        Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN)
        .exclude(seat=None)
        .values_list("seat__batch", flat=True)
    )
    most = rater.study.batches_per_rater
    if most is not None and len(taken) >= most + rater.extra:
        return None
    for _ in range(MOST_TRIES):
        candidate = _candidate(rater, taken)
        if candidate is None:
            return None
        with contextlib.suppress(_TakenMeanwhileError), transaction.atomic():
            return _take(candidate, rater, insert_checks)
    raise NotAllowedNow(message("The server is busy. Try again in a moment."), code="busy")


def pages_left(study: Study) -> int:
    """Number of pages of the batch that a new rater would get now; 0 if none is left."""
    now = timezone.now()
    seats = Seat.objects.filter(is_available(now), form__study=study).exclude(batch=None)
    first = seats.order_by("slot", "shuffle", "pk").first()
    return 0 if first is None else seats.filter(batch=first.batch_id, slot=first.slot).count()


def _candidate(rater: Rater, taken: set[int]) -> Seat | None:
    seats = Seat.objects.filter(is_available(timezone.now()), form__study=rater.study, batch__isnull=False)
    return seats.exclude(batch__in=taken).order_by("slot", "shuffle", "pk").first()


def _take(candidate: Seat, rater: Rater, insert_checks: Planting) -> Assignment:
    """Reserve a batch. The lock on a taken one is released: transactions holding two could deadlock."""
    seats = _locked(candidate, rater)
    if not seats:
        raise _TakenMeanwhileError
    reserve(seats, rater)
    return _assign(rater, seats, insert_checks)


def _locked(candidate: Seat, rater: Rater) -> list[Seat]:
    list(Batch.objects.select_for_update(of=("self",)).filter(seats=candidate))
    seen = Assignment.objects.filter(
        rater=rater, form=OuterRef("form"), item=OuterRef("item"), purpose=Purpose.MAIN
    )
    seats = Seat.objects.filter(is_available(timezone.now()), batch=candidate.batch_id, slot=candidate.slot)
    return list(lock_seats(seats.filter(~Exists(seen))).select_related("item", "form").order_by("pk"))


def _assign(rater: Rater, seats: list[Seat], insert_checks: Planting) -> Assignment:
    """Assignments for the seats, in the rater's own order."""
    by_key = {(seat.form_id, seat.item_id): seat for seat in seats}
    order = rater_order(
        list(by_key),
        [seat.item.group for seat in seats],
        seed=rater.study.seed,
        rater_seed=rater.seed,
        keep=GroupPlacement(rater.study.keep_groups),
    )
    newest = {
        version.form_id: version
        for version in FormVersion.objects.filter(form__study=rater.study).order_by("number", "correction")
    }
    pages = [
        Assignment(
            rater=rater,
            item=by_key[key].item,
            form=by_key[key].form,
            version=newest[key[0]],
            seat=by_key[key],
        )
        for key in order
    ]
    sequence = insert_checks(rater, pages)
    first = rater.assignments.filter(purpose__in=SEQUENCE).count() + 1
    for position, page in enumerate(sequence, first):
        page.position = position
        page.held_until = seats[0].until if page.seat is None else None
    known = [page for page in sequence if not page._state.adding]
    Assignment.objects.bulk_update(known, ["position", "held_until"])
    Assignment.objects.bulk_create([page for page in sequence if page._state.adding], batch_size=1000)
    return pages[0]
