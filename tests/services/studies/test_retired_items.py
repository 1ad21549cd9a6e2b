"""A study with retired or excluded items can be completed, and its pages name the same numbers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Exclusion, Pay, Rater, Seat, Study
from annotation.selectors.pay.pages_to_come import PagesToCome, pages_to_come
from annotation.selectors.pay.workload_preview import preview_of
from annotation.selectors.seats.unfillable_seats import find_unfillable_seats
from annotation.selectors.studies.progress import coverage, totals
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.seats.retirement import retire_items
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Three lamps for two raters each: one rater has done all, another one lamp."""
    cast = make_cast(items=3, overlap=2)
    Rater.objects.filter(study=cast.study).delete()
    worked(cast, 30, 30, 30)
    return cast


def retire(cast: Cast, key: str) -> None:
    items = cast.study.items.filter(key=key)
    retire_items(study=cast.study, items=items, reason="Misprint", actor=cast.users["owner"])


def page(cast: Cast, name: str, who: str = "owner") -> str:
    client = Client()
    client.force_login(cast.users[who])
    text = client.get(reverse(name, args=[cast.slug])).content.decode()
    return " ".join(text.split())


def test_a_retired_item_needs_what_it_has_and_no_more(cast):
    careless = worked(cast, 30)
    (one,) = careless.assignments.all()
    retire(cast, one.item.key)
    worked(cast, 30, 30)
    exclude_rater(rater=careless, reason="Careless", actor=cast.users["owner"])
    found = totals(cast.study)
    assert (found.placed, found.needed, found.percent) == (5, 5, 100)
    assert [(step.responses, step.needed, step.items) for step in coverage(cast.study)[0].covers] == [
        (2, 2, 2),
        (1, 1, 1),
    ]
    assert "1 of the items is retired: it needs no more responses." in page(cast, "study")


def test_a_retired_item_without_an_included_answer_is_in_no_bar(cast):
    Exclusion.objects.create(
        study=cast.study, rater=cast.study.raters.get(), rule="manual", author=cast.users["owner"]
    )
    retire(cast, cast.study.items.first().key)
    (of_form,) = coverage(cast.study)
    assert [(step.responses, step.needed, step.items) for step in of_form.covers] == [(0, 2, 2)]
    assert (of_form.items, of_form.retired) == (3, 1)


def test_slots_of_excluded_items_wait_for_no_one(cast):
    Rater.objects.filter(study=cast.study).update(state="finished")
    before = find_unfillable_seats(cast.study)
    lamp = cast.study.items.first()
    Exclusion.objects.create(study=cast.study, item=lamp, rule="manual", author=cast.users["owner"])
    after = find_unfillable_seats(cast.study)
    assert before is not None
    assert after is not None
    assert (before.seats, after.seats) == (3, 2)
    assert totals(cast.study).left == 2


def test_the_design_says_how_many_slots_a_changed_study_has_and_leaves_its_costs_to_pay(cast):
    pay(cast)
    assert preview_of(cast.study, pay=Pay.objects.get()).slots is None
    retire(cast, cast.study.items.first().key)
    found = preview_of(Study.objects.get(), pay=Pay.objects.get())
    assert (found.slots, found.plan.seats) == (Seat.objects.count(), 4)
    page_text = page(cast, "study-design")
    assert "it has 5 rating slots" in page_text
    assert "<dt>Cost</dt>" not in page_text
    assert pages_to_come(Study.objects.get()) == PagesToCome(expected=2, most=2)
