"""The pages of a paused study: what was shown can be finished, what was only fetched ahead is not shown."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import Assignment
from annotation.services.people.consent import change_text
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import reserve_ahead
from annotation.services.studies.lifecycle import change_state
from tests.services.rating.ahead_sitting import first_page
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=12, overlap=2)


@pytest.fixture
def pages(cast: Cast) -> list[Assignment]:
    """What the rater is shown, and what was fetched ahead."""
    page = first_page(consent(invitation=cast.invitation))
    following = reserve_ahead(assignment=page)
    assert following is not None
    return [page, following]


def browser_of(page: Assignment) -> Client:
    client = Client()
    client.get(reverse("join", args=[page.rater.invitation.token]))
    return client


def test_an_item_that_was_fetched_ahead_is_not_shown_by_its_address_in_a_paused_study(cast, pages):
    client = browser_of(pages[0])
    change_state(study=cast.study, to=StudyState.PAUSED, actor=cast.users["owner"])
    shown, ahead = (client.get(reverse("rate-assignment", args=[cast.slug, one.pk])) for one in pages)
    assert (shown.status_code, ahead.status_code) == (200, 409)
    assert "This study is paused. Please come back later." in ahead.content.decode()
    pages[1].refresh_from_db()
    assert pages[1].opened_at is None
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert client.get(reverse("rate-assignment", args=[cast.slug, pages[1].pk])).status_code == 200


def test_a_refused_answer_says_to_the_script_that_the_consent_text_has_changed(cast, pages):
    client = browser_of(pages[0])
    change_text(study=cast.study, actor=cast.users["owner"], text="You agree to more.")
    fields = {"submission_key": "9f9b0c3e-4a8b-4d0e-8a53-5d3c4f6f0a01", "version": pages[1].version_id}
    sent = {**fields, "answer-quality": "3", "answer-creativity": "4", "shown_seconds": "0.0"}
    refused = client.post(reverse("rate-assignment", args=[cast.slug, pages[1].pk]), sent)
    assert refused.status_code == 409
    assert 'data-reason="consent_changed"' in refused.content.decode()
    assert '<meta name="application-name" content="Groundwork">' in refused.content.decode()
