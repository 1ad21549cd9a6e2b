"""Creation of rating slots: as many per item as its form needs raters, in batches if the design has them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from django.db import transaction

from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import IN_BATCHES, DesignKind, Purpose, SeatState
from annotation.domain.seats.batches import make_batches
from annotation.models import Assignment, Batch, Form, Item, Seat, Study
from annotation.selectors.questions.counting import FILLING, counted
from annotation.services.base.analyze_tables import analyze_tables

CHUNK_SIZE = 1000


def make_seats(*, study: Study) -> int:
    """Create the missing slots: for each form and item as many as the form's overlap; returns how many.

    The study's seed orders items that are equally served. A form that an earlier stage feeds is left out:
    `annotation.services.seats.stages` creates its slots; so is one with adaptive pairs, whose slots
    `annotation.services.seats.pair_rounds` creates. Imported answers take the first slots of an item.

    Parameters
    ----------
    study : Study
        Its seed orders items that are equally served.
    """
    wanted = []
    with transaction.atomic():
        asked = study.items.filter(retired_at=None)
        items = list(asked.order_by("position", "pk").only("study", "key"))
        for form in study.forms.filter(fed_by=None, pairing=None):
            taken = set(form.seats.values_list("item_id", "slot"))
            for item, slot in product(items, range(1, form.overlap + 1)):
                if (item.pk, slot) not in taken:
                    wanted.append(new_seat(study, form, item, slot))
        Seat.objects.bulk_create(wanted, batch_size=CHUNK_SIZE)
        if study.design in IN_BATCHES:
            put_into_batches(study)
        seat_imported(study)
        analyze_tables(len(wanted), Seat)
    return len(wanted)


def make_seats_of_new_items(*, study: Study, items: Sequence[Item]) -> int:
    """Create the slots of items that were just added to an open study; returns how many.

    Existing batches stay as they are: the new items come in batches of their own.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction.
    items : sequence of Item
        Without slots and answers.
    """
    wanted = [
        new_seat(study, form, item, slot)
        for form in study.forms.filter(fed_by=None, pairing=None)
        for item, slot in product(items, range(1, form.overlap + 1))
    ]
    Seat.objects.bulk_create(wanted, batch_size=CHUNK_SIZE)
    if study.design in IN_BATCHES:
        put_into_batches(study)
    analyze_tables(len(wanted), Seat)
    return len(wanted)


def seats_up_to(study: Study, form: Form, items: Sequence[Item], to: int) -> list[Seat]:
    """Create slots up to the number `to` for items that have fewer, in the batch of their other slots.

    Parameters
    ----------
    study, form
        Where.
    items : sequence of Item
        Which are to have as many.
    to : int
        How many each is to have.
    """
    existing: dict[int, dict[int, int | None]] = {}
    seats = form.seats.filter(item__in=items) if len(items) <= CHUNK_SIZE else form.seats
    for item_id, slot, batch in seats.values_list("item_id", "slot", "batch"):
        existing.setdefault(item_id, {})[slot] = batch
    wanted = [
        new_seat(study, form, item, slot, batch_id=next(iter(existing.get(item.pk, {}).values()), None))
        for item in items
        for slot in range(1, to + 1)
        if slot not in existing.get(item.pk, {})
    ]
    return Seat.objects.bulk_create(wanted, batch_size=CHUNK_SIZE)


def new_seat(study: Study, form: Form, item: Item, slot: int, batch_id: int | None = None) -> Seat:
    """An unsaved slot, with its place in the random order in which slots of the form are assigned."""
    drawn = random.Random(f"{study.seed}/{form.key}/{item.key}/{slot}").randrange(2**31)
    return Seat(form=form, item=item, slot=slot, shuffle=drawn, batch_id=batch_id)


def put_into_batches(study: Study) -> None:
    """Put the seats that have none into batches of their own: fixed sets of pages, made once.

    Parameters
    ----------
    study : Study
        Of a design with batches.
    """
    unbatched = Seat.objects.filter(form__study=study, batch=None)
    pages = list(
        unbatched.order_by("form__position", "item__position").values_list("form", "item", "item__group")
    )
    stacks: dict[int, dict[tuple[int, int], str]] = {}
    everything = study.mixed or study.design == DesignKind.ALL
    for form, item, group in pages:
        stacks.setdefault(0 if everything else form, {})[form, item] = group
    number = study.batches.count()
    for stack in stacks.values():
        size = len(stack) if study.design == DesignKind.ALL else study.batch_size or len(stack)
        cut = make_batches(
            list(stack),
            list(stack.values()),
            size=size,
            seed=study.seed,
            keep_groups=GroupPlacement.FREE
            if study.design == DesignKind.ALL
            else GroupPlacement(study.keep_groups),
        )
        for keys in cut:
            number += 1
            batch = Batch.objects.create(study=study, number=number)
            for form in {form for form, _ in keys}:
                own = [item for of_form, item in keys if of_form == form]
                unbatched.filter(form=form, item__in=own).update(batch=batch)


def seat_imported(study: Study, *, form: Form | None = None) -> None:
    """Fill free slots, of one form or of all, with counted answers that have none, in their order.

    These are imported answers, and answers whose slot was deleted. Answers of raters who were excluded or
    have withdrawn take no slot: others are asked for them.

    Parameters
    ----------
    study : Study
        Study of the rating slots.
    form : Form or None
        The one form of which seats were made; all of them where None.
    """
    unseated = Assignment.objects.filter(
        item__study=study,
        purpose=Purpose.MAIN,
        seat=None,
        responses__in=counted(study, FILLING).order_by(),
    )
    if form is not None:
        unseated = unseated.filter(form=form)
    free: dict[tuple[int, int], list[Seat]] = {}
    if unseated.exists():
        for seat in Seat.objects.filter(form__study=study, state=SeatState.FREE).order_by("-slot"):
            free.setdefault((seat.form_id, seat.item_id), []).append(seat)
    placed = []
    for assignment in unseated.order_by("pk"):
        seats = free.get((assignment.form_id, assignment.item_id))
        if seats:
            assignment.seat = seats.pop()
            assignment.seat.state, assignment.seat.rater_id = SeatState.FILLED, assignment.rater_id
            placed.append(assignment)
    Seat.objects.bulk_update(
        [assignment.seat for assignment in placed if assignment.seat],
        ["state", "rater"],
        batch_size=CHUNK_SIZE,
    )
    Assignment.objects.bulk_update(placed, ["seat"], batch_size=CHUNK_SIZE)
