"""The last items of a small study are reserved for a shorter time, so one absent rater does not block it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import SeatState
from annotation.models import Assignment, AuditEntry, Rater, Response, Seat, Study
from annotation.selectors.pay.paid_work import time_of_rater
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.seats.last_items import set_last_seat_minutes
from annotation.services.studies.lifecycle import edit_study
from tests.support.people import Cast, join, make_cast
from tests.support.studies.answers import answer_for

pytestmark = pytest.mark.django_db


def small_study(last: int | None = 5) -> Cast:
    """Three items, one rating each; 60 minutes for an item, and fewer for the last ones."""
    cast = make_cast(items=3, overlap=1)
    set_last_seat_minutes(study=cast.study, actor=cast.users["admin"], minutes=last)
    return cast


def minutes_pass(minutes: float) -> None:
    """Every moment that is stored lies so much further back."""
    ago = timedelta(minutes=minutes)
    Seat.objects.filter(until__isnull=False).update(until=F("until") - ago)
    Rater.objects.update(last_seen_at=F("last_seen_at") - ago, consented_at=F("consented_at") - ago)


def asks(cast: Cast, client: APIClient) -> dict[str, Any]:
    return dict(client.get(f"/api/v1/rate/{cast.slug}/next/").json())


def answers(cast: Cast, client: APIClient, page: dict[str, Any]) -> int:
    return client.post(f"/api/v1/rate/{cast.slug}/next/", answer_for(page), format="json").status_code


def held_for(rater: Rater) -> float:
    until = Seat.objects.get(rater=rater, state=SeatState.RESERVED).until
    assert until is not None
    return (until - timezone.now()) / timedelta(minutes=1)


def one_silent_one_waiting(cast: Cast) -> tuple[APIClient, dict[str, Any], APIClient]:
    """Of two raters, one opens an item and goes silent, the other rates the other two."""
    (_, silent), (_, diligent) = join(cast.invitation), join(cast.invitation)
    opened = asks(cast, silent)
    for _ in range(2):
        assert answers(cast, diligent, asks(cast, diligent)) == 201
    return silent, opened, diligent


@pytest.mark.parametrize(("last", "comes"), [(5, True), (None, False)])
def test_an_absent_rater_blocks_the_last_item_only_without_the_setting(last: int | None, comes: bool) -> None:
    cast = small_study(last)
    _, opened, diligent = one_silent_one_waiting(cast)
    assert asks(cast, diligent)["code"] == "no_seat_left"
    minutes_pass(6)
    found = asks(cast, diligent)
    given = Assignment.objects.filter(pk=found.get("assignment", 0), item__assignments=opened["assignment"])
    assert given.exists() == comes
    assert (found.get("code") == "no_seat_left") != comes


def test_the_late_answer_of_the_absent_rater_is_stored_marked_and_paid() -> None:
    cast = small_study()
    silent, opened, diligent = one_silent_one_waiting(cast)
    minutes_pass(6)
    assert answers(cast, diligent, asks(cast, diligent)) == 201
    assert answers(cast, silent, opened) in {200, 201}
    late = Response.objects.get(late=True)
    assert late.assignment_id == opened["assignment"]
    paid = time_of_rater(late.assignment.rater)
    assert paid is not None
    assert sum(sitting.pages for sitting in paid.sittings) == 1
    assert Seat.objects.filter(state=SeatState.FILLED).count() == 3


def test_reservations_are_usual_while_there_is_more_to_do_than_raters_can_take() -> None:
    cast = small_study()
    Rater.objects.update(target=2)
    first, _ = join(cast.invitation)
    Rater.objects.update(target=2, finished_at=timezone.now())
    Rater.objects.filter(pk=first.pk).update(finished_at=None)
    next_assignment(rater=Rater.objects.get(pk=first.pk))
    assert 59 < held_for(first) <= 60


def test_who_has_finished_or_left_long_ago_does_not_shorten_reservations() -> None:
    cast = small_study()
    rater, _ = join(cast.invitation)
    Rater.objects.filter(pk=rater.pk).update(target=3)
    gone = Rater.objects.exclude(pk=rater.pk)
    gone.update(consented_at=timezone.now() - timedelta(minutes=61), target=100)
    next_assignment(rater=Rater.objects.get(pk=rater.pk))
    assert 59 < held_for(rater) <= 60
    gone.update(consented_at=timezone.now())
    minutes_pass(58)
    gone.update(consented_at=timezone.now())
    page = Assignment.objects.select_related("rater__study", "seat", "form").get(rater=rater)
    open_assignment(assignment=page)
    # It ends in two minutes: the renewal is a short one, and three free slots are few for two raters.
    assert 4 < held_for(rater) <= 5


def test_a_short_reservation_is_renewed_when_its_page_is_opened_again() -> None:
    cast = small_study()
    rater, client = join(cast.invitation)
    asks(cast, client)
    assert 4 < held_for(rater) <= 5
    minutes_pass(1)
    asks(cast, client)
    assert 3 < held_for(rater) <= 4
    minutes_pass(2)
    asks(cast, client)
    assert 4 < held_for(rater) <= 5


@pytest.mark.parametrize("minutes", [0, 61, -1])
def test_a_time_that_is_no_shorter_is_refused(minutes: int) -> None:
    cast = small_study(None)
    with pytest.raises(InvalidContent) as refused:
        set_last_seat_minutes(study=cast.study, actor=cast.users["admin"], minutes=minutes)
    assert (refused.value.code, Study.objects.get().last_seat_minutes) == ("bad_minutes", None)


def test_it_is_longer_than_the_minimum_page_time_also_in_a_draft() -> None:
    cast = make_cast(opened=False)
    with pytest.raises(InvalidContent) as refused:
        edit_study(study=cast.study, actor=cast.users["owner"], least_seconds=120, last_seat_minutes=2)
    assert refused.value.code == "minimum_too_long"


def test_a_closed_study_keeps_its_setting() -> None:
    cast = small_study()
    Study.objects.update(state="closed")
    with pytest.raises(NotAllowedNow) as refused:
        set_last_seat_minutes(study=cast.study, actor=cast.users["admin"], minutes=9)
    assert refused.value.code == "study_closed"


@pytest.mark.parametrize(("sent", "stored"), [("7", 7), ("", None), ("x", 5), ("0", 5), ("9" * 30, 5)])
def test_admins_change_it_on_the_settings_page_while_the_study_is_open(sent: str, stored: int | None) -> None:
    cast = small_study()
    admin = Client()
    admin.force_login(cast.users["admin"])
    admin.post(reverse("study-last-items", args=[cast.slug]), {"minutes": sent})
    assert Study.objects.get().last_seat_minutes == stored
    entries = AuditEntry.objects.filter(act="set_last_seat_minutes")
    assert entries.count() == (1 if stored == 5 else 2)
    assert (
        "Reservation time of the last items"
        in admin.get(reverse("study-settings", args=[cast.slug])).content.decode()
    )
