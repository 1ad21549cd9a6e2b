"""`verify` names each rating slot that has not exactly one rater with one page or answer.

The database itself refuses two slots of one number, two slots of one item for one rater, and a state that
does not fit (`one_seat_per_slot`, `one_seat_per_rater`, `seat_state_fits`); `test_verify` tests that
rows which break such a constraint are named too.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.domain.base.states import DesignKind, Purpose, RaterState, SeatState
from annotation.models import Assignment, Batch, Item, Rater, Response, Seat, Study
from scoring.services.reports.verification import verify
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
FREE = {"state": SeatState.FREE, "rater": None, "until": None}


def seats_of(study: Study, place: int) -> list[Seat]:
    item = study.items.order_by("position")[place]
    return list(Seat.objects.filter(form__study=study, item=item).order_by("slot"))


def idle(study: Study) -> Rater:
    return study.raters.get(assignments=None)


def page(of: Seat, rater: Rater, **fields: Any) -> Assignment:
    version = of.form.versions.get()
    given = {"item": of.item, "seat": of} | fields
    return Assignment.objects.create(rater=rater, form=of.form, version=version, **given)


def reserved(study: Study, place: int, rater: Rater) -> Seat:
    first = seats_of(study, place)[0]
    until = timezone.now() + timedelta(hours=1)
    return Seat.objects.create(
        form=first.form, item=first.item, slot=3, state=SeatState.RESERVED, rater=rater, until=until
    )


def two_on_one(study: Study) -> str:
    one, other = seats_of(study, 0)
    Assignment.objects.filter(seat=other).update(seat=one)
    Seat.objects.filter(pk=other.pk).update(**FREE)
    return f"annotation_seat {one.pk} seat_filled_twice"


def three_for_two_slots(study: Study) -> str:
    """More answers count than the item has slots."""
    third = page(seats_of(study, 0)[0], idle(study), seat=None, submitted_at=timezone.now())
    Response.objects.create(
        assignment=third, submission_key=third.page_key, version=third.version, cannot_rate="other"
    )
    return f"annotation_assignment {third.pk} answer_without_seat"


def freed(study: Study) -> str:
    seat = seats_of(study, 1)[0]
    Seat.objects.filter(pk=seat.pk).update(**FREE)
    return f"annotation_assignment {seat.assignments.get().pk} answer_without_seat"


def filled_without_answer(study: Study) -> str:
    seat = reserved(study, 1, idle(study))
    Seat.objects.filter(pk=seat.pk).update(state=SeatState.FILLED, until=None)
    return f"annotation_seat {seat.pk} seat_without_answer"


def of_another_item(study: Study) -> str:
    found = page(seats_of(study, 0)[0], idle(study), item=study.items.get(position=3))
    return f"annotation_assignment {found.pk} seat_elsewhere"


def of_a_trial(study: Study) -> str:
    found = page(seats_of(study, 2)[0], idle(study), purpose=Purpose.TRIAL)
    return f"annotation_assignment {found.pk} seat_for_another_purpose"


def without_page(study: Study) -> str:
    return f"annotation_seat {reserved(study, 2, idle(study)).pk} reservation_without_page"


def of_a_withdrawn_rater(study: Study) -> str:
    gone = Rater.objects.create(study=study, code="R-9", state=RaterState.WITHDRAWN)
    return f"annotation_seat {reserved(study, 2, gone).pk} reservation_of_nobody"


def running_out(study: Study) -> str:
    seat = seats_of(study, 2)[1]
    Seat.objects.filter(pk=seat.pk).update(until=timezone.now())
    return f"annotation_seat {seat.pk} filled_seat_runs_out"


def of_another_study(study: Study) -> str:
    batch = Batch.objects.create(study=make_cast(slug="others", opened=False).study, number=1)
    seat = seats_of(study, 3)[0]
    Seat.objects.filter(pk=seat.pk).update(batch=batch)
    return f"annotation_seat {seat.pk} seat_studies_mixed"


def without_slots(study: Study) -> str:
    item = Item.objects.create(study=study, key="N", position=9, fields={})
    return f"annotation_item {item.pk} seats_missing"


def with_a_gap(study: Study) -> str:
    first = seats_of(study, 3)[0]
    Seat.objects.create(form=first.form, item=first.item, slot=4)
    return f"annotation_item {first.item_id} seats_missing"


def fewer_than_wanted(study: Study) -> str:
    study.forms.update(overlap=3)
    for seat in [seats_of(study, place)[0] for place in (0, 1, 2)]:
        Seat.objects.create(form=seat.form, item=seat.item, slot=3)
    return f"annotation_item {seats_of(study, 3)[0].item_id} seats_missing"


@pytest.mark.parametrize(
    "broken",
    [
        two_on_one,
        three_for_two_slots,
        freed,
        filled_without_answer,
        of_another_item,
        of_a_trial,
        without_page,
        of_a_withdrawn_rater,
        running_out,
        of_another_study,
        without_slots,
        with_a_gap,
        fewer_than_wanted,
    ],
)
def test_a_slot_that_is_broken_by_hand_is_named_and_nothing_else(
    study: Study, broken: Callable[[Study], str]
) -> None:
    assert verify() == []
    expected = broken(study)
    found = verify()
    assert [f"{breach.row} {breach.code}" for breach in found] == [expected]
    assert found[0].study == study.slug
    assert found[0].mend


def test_a_slot_without_its_batch_and_an_item_in_two_batches_are_named(study: Study) -> None:
    first, second = (Batch.objects.create(study=study, number=number) for number in (1, 2))
    Seat.objects.filter(form__study=study).update(batch=first)
    Study.objects.filter(pk=study.pk).update(design=DesignKind.BATCHES)
    assert verify() == []
    alone, split = seats_of(study, 0)[0], seats_of(study, 1)[0]
    Seat.objects.filter(pk=alone.pk).update(batch=None)
    Seat.objects.filter(pk=split.pk).update(batch=second)
    found = {f"{breach.row} {breach.code}" for breach in verify()}
    assert found == {
        f"annotation_seat {alone.pk} seat_without_batch",
        f"annotation_item {split.item_id} seats_in_two_batches",
    }
