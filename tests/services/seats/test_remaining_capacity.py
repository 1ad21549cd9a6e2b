"""The number of items a new rater can expect: exact in a study of ordinary size, recent in a large one."""

from __future__ import annotations

import pytest
from django.core.cache import caches

from annotation.models import Seat
from annotation.selectors.seats import remaining_capacity
from annotation.selectors.seats.remaining_capacity import items_with_free_slots
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    caches["fragments"].clear()
    return make_cast(items=4, overlap=1)


def take_one(cast: Cast) -> None:
    next_assignment(rater=consent(invitation=cast.invitation))


def test_an_item_whose_seats_are_taken_is_not_counted(cast):
    form = cast.study.forms.get()
    assert items_with_free_slots(form) == 4
    take_one(cast)
    assert items_with_free_slots(form) == 3


def test_no_more_are_counted_than_one_rater_is_given(cast):
    form = cast.study.forms.get()
    form.per_rater = 2
    assert items_with_free_slots(form) == 2


def test_of_many_items_the_number_is_counted_once_for_a_while(cast, monkeypatch):
    monkeypatch.setattr(remaining_capacity, "MANY", 3)
    form = cast.study.forms.get()
    assert items_with_free_slots(form) == 4
    take_one(cast)
    assert items_with_free_slots(form) == 4
    caches["fragments"].clear()
    assert items_with_free_slots(form) == 3
    assert Seat.objects.filter(form=form, state="free").count() == 3
