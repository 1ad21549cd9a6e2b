"""“Item 3 of 5” names the items that are really left, also after items were added to an open study."""

from __future__ import annotations

import pytest

from annotation.models import Rater, Seat, Study
from annotation.selectors.rating.rating_page import progress
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.added_items import give_slots
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, overlap=2)


def add_lamps(cast: Cast, number: int) -> None:
    rows = [
        NewItem(key=f"N{place}", fields={"simile": f"A lamp like rain {place}."}) for place in range(number)
    ]
    add_items(study=Study.objects.get(pk=cast.study.pk), rows=rows, give_slots=give_slots)


def others(cast: Cast) -> list[Rater]:
    return [consent(invitation=cast.invitation) for _ in range(2)]


def shown(rater: Rater) -> tuple[int, int]:
    """The number of the next item, and how many there are."""
    page = next_assignment(rater=Rater.objects.get(pk=rater.pk))
    return page.position, progress(Rater.objects.get(pk=rater.pk), position=page.position).total


@pytest.mark.parametrize("finished", [False, True])
def test_items_that_were_added_are_in_the_number(cast, finished):
    rater = worked(cast, 30, 30)
    if finished:
        Rater.objects.filter(pk=rater.pk).update(state="finished")
    add_lamps(cast, 3)
    assert shown(rater) == (3, 5)
    worked(cast, 30, rater=Rater.objects.get(pk=rater.pk))
    assert shown(rater) == (4, 5)


def test_no_more_are_named_than_the_limit_per_rater_allows(cast):
    cast.study.forms.update(per_rater=3)
    rater = worked(cast, 30, 30)
    add_lamps(cast, 3)
    assert shown(rater) == (3, 3)


def test_items_that_others_have_filled_are_not_named(cast):
    """Of three new items the others fill one, so that two are left."""
    first = worked(cast, 30, 30)
    add_lamps(cast, 3)
    for seat, rater in zip(Seat.objects.filter(item__key="N0"), others(cast), strict=True):
        Seat.objects.filter(pk=seat.pk).update(state="filled", rater=rater)
    assert shown(first) == (3, 4)
