"""Admins see who holds rating slots and release them, on pages and by the API."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import RaterState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Response, Seat
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


@pytest.fixture
def rater(cast: Cast) -> Rater:
    """A rater who has answered one item and holds another."""
    found = consent(invitation=cast.invitation)
    page = next_assignment(rater=found)
    answers = {"quality": "3", "creativity": "4"}
    submit(
        assignment=page,
        version=page.version,
        submission=Submission(page_key=uuid.uuid4(), answers=answers),
    )
    next_assignment(rater=found)
    return found


def client(cast: Cast, who: str) -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found


def words(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", client.get(address).content.decode()).split())


def test_the_page_of_a_rater_releases_after_a_confirmation_and_says_what_happened(
    cast: Cast, rater: Rater
) -> None:
    admin, address = client(cast, "admin"), reverse("study-rater", args=[cast.slug, rater.code])
    assert "1 rating slot is reserved, until" in words(admin, address)
    assert '<details class="confirm">' in admin.get(address).content.decode()
    sent = {"rater": rater.code, "next": address}
    shown = admin.post(reverse("study-release-slots", args=[cast.slug]), sent, follow=True)
    assert shown.redirect_chain == [(address, 302)]
    assert "1 rating slot released." in shown.content.decode()
    assert "Reserved rating slots" not in words(admin, address)


def test_the_list_of_raters_releases_those_that_are_selected(cast: Cast, rater: Rater) -> None:
    other = consent(invitation=cast.invitation)
    next_assignment(rater=other)
    admin, address = client(cast, "admin"), reverse("study-raters", args=[cast.slug])
    assert "Reserved rating slots of 2 raters" in words(admin, address)
    admin.post(reverse("study-release-slots", args=[cast.slug]), {"rater": [other.code]})
    assert "Reserved rating slots of 1 rater " in words(admin, address)
    assert Seat.objects.filter(rater=rater, state="reserved").exists()


def test_researchers_see_that_slots_are_reserved_and_cannot_release_them(cast: Cast, rater: Rater) -> None:
    researcher = client(cast, "researcher")
    page = words(researcher, reverse("study-rater", args=[cast.slug, rater.code]))
    assert "1 rating slot is reserved" in page
    assert "Release reserved slots" not in page
    assert "Reserved rating slots" not in words(researcher, reverse("study-raters", args=[cast.slug]))


def test_the_overview_offers_it_for_an_inactive_rater_who_holds_slots(cast: Cast, rater: Rater) -> None:
    long_ago = timezone.now() - timedelta(days=9)
    Assignment.objects.filter(rater=rater, submitted_at__isnull=False).update(submitted_at=long_ago)
    Response.objects.filter(assignment__rater=rater).update(submitted_at=long_ago)
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.ACTIVE, last_seen_at=long_ago)
    offer, address = f"Release slots of {rater.code} …", reverse("study", args=[cast.slug])
    assert offer in words(client(cast, "admin"), address)
    assert offer not in words(client(cast, "researcher"), address)
    client(cast, "admin").post(reverse("study-release-slots", args=[cast.slug]), {"rater": rater.code})
    assert offer not in words(client(cast, "admin"), address)


def test_the_api_lists_holders_and_releases_their_slots(cast: Cast, rater: Rater) -> None:
    admin, address = cast.client("admin"), f"{cast.base}/reserved-slots/"
    (listed,) = admin.get(address).json()["results"]
    assert (listed["rater"], listed["n_reserved"]) == (rater.code, 1)
    answer = admin.post(address, {"raters": [rater.code]}, format="json")
    assert (answer.status_code, answer.json()) == (200, {"released": 1})
    again = admin.post(address, {"raters": [rater.code]}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "nothing_reserved")
    unknown = admin.post(address, {"raters": ["R-404"]}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_rater")
