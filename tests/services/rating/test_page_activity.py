"""Seconds in front, time away and pastes are stored with an answer, and reach the rater's profile."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.page_activity import Presence
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Response
from annotation.selectors.quality.rater_profile import profile_of
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast, join, make_cast
from tests.support.studies.answers import answer_for

pytestmark = pytest.mark.django_db
PRESENCE = Presence(active_seconds=20.0, away_seconds=10.0, times_away=2, pastes=1)


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=6, overlap=2)


def page_for(rater: Rater, *, ago: float = 60) -> Assignment:
    """A page that was shown so many seconds ago."""
    page = open_assignment(assignment=next_assignment(rater=rater))
    return shown(page, ago)


def shown(page: Assignment, ago: float) -> Assignment:
    page.opened_at = timezone.now() - timedelta(seconds=ago)
    page.save(update_fields=["opened_at"])
    return page


def answer(page: Assignment, presence: Presence | None, quality: int = 4) -> Response:
    answers = {"quality": str(quality), "creativity": "3"}
    submission = Submission(page_key=uuid.uuid4(), answers=answers, presence=presence)
    return submit(assignment=page, version=page.version, submission=submission).response


def stored_presence(response: Response) -> tuple[float | int | None, ...]:
    response.refresh_from_db()
    return response.active_seconds, response.away_seconds, response.times_away, response.pastes


def test_what_the_page_sent_is_stored_with_the_answer(cast):
    assert stored_presence(answer(page_for(consent(invitation=cast.invitation)), PRESENCE)) == (
        20.0,
        10.0,
        2,
        1,
    )


def test_a_forged_time_is_cut_to_the_servers_own(cast):
    stored = answer(
        page_for(consent(invitation=cast.invitation), ago=5), Presence(9000.0, 9000.0, 10**6, 10**6)
    )
    assert stored.seconds == pytest.approx(5, abs=1)
    active, away, times, pastes = stored_presence(stored)
    assert active == pytest.approx(stored.seconds, abs=0.2)
    assert away == pytest.approx(0, abs=0.2)
    assert (times, pastes) == (1000, 1000)


def test_without_scripts_or_without_a_shown_page_nothing_is_known(cast):
    rater = consent(invitation=cast.invitation)
    assert stored_presence(answer(page_for(rater), None)) == (None, None, None, None)
    assert stored_presence(answer(next_assignment(rater=rater), PRESENCE)) == (None, None, None, None)


def test_a_correction_adds_to_what_its_answer_took(cast):
    page = page_for(consent(invitation=cast.invitation))
    answer(page, PRESENCE)
    second = answer(shown(page, 30), Presence(5.0, 1.0, 1, 0), quality=2)
    assert stored_presence(second) == (25.0, 11.0, 3, 1)


def test_a_correction_that_tells_nothing_hides_no_paste(cast):
    page = page_for(consent(invitation=cast.invitation))
    answer(page, PRESENCE)
    assert stored_presence(answer(shown(page, 30), None, quality=2)) == (None, None, 2, 1)


def test_the_profile_counts_and_takes_the_seconds_in_front(cast):
    rater = consent(invitation=cast.invitation)
    for _ in range(5):
        answer(page_for(rater, ago=300), Presence(0.5, 200.0, 2, 1))
    made = profile_of(rater)
    assert (made["pasted"].value, made["tab_away"].value) == (5, 10)
    assert made["too_fast"].flagged
    assert made["too_fast"].detail["median_seconds"] == 0.5


def test_the_raters_page_shows_it(cast):
    rater = consent(invitation=cast.invitation)
    answer(page_for(rater), Presence(21.0, 13.0, 7, 3))
    client = Client()
    client.force_login(cast.users["researcher"])
    page = client.get(reverse("study-rater", args=[cast.slug, rater.code])).content.decode()
    assert "7 ×, 13 s" in " ".join(page.split())
    assert "21 s" in page


def test_the_api_takes_it_along(cast):
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    shown(Assignment.objects.get(pk=page["assignment"]), 60)
    body = {**answer_for(page), "presence": vars(PRESENCE)}
    assert client.post(f"/api/v1/rate/{cast.slug}/next/", body, format="json").status_code == 201
    assert stored_presence(Response.objects.get()) == (20.0, 10.0, 2, 1)
    refused = {**answer_for(page), "presence": {**vars(PRESENCE), "pastes": -1}}
    assert client.post(f"/api/v1/rate/{cast.slug}/next/", refused, format="json").status_code == 400


PAGE = {"answer-quality": "4", "answer-creativity": "3", "seen_revision": "0"}


def reading(cast: Cast, rater: Rater, *, ago: float) -> tuple[Client, Assignment]:
    """A browser without scripts in which the rater was shown a page so many seconds ago."""
    client = Client()
    client.get(reverse("join", args=[rater.invitation.token]))
    earlier(client, "raters_came", rater, ago + 60)
    client.get(reverse("rate", args=[cast.slug]), follow=True)
    return client, shown(Assignment.objects.get(rater=rater), ago)


def earlier(client: Client, key: str, rater: Rater, ago: float) -> None:
    session = client.session
    session[key] = {str(rater.pk): (timezone.now() - timedelta(seconds=ago)).isoformat()}
    session.save()


def pause(client: Client, cast: Cast, rater: Rater, *, ago: float) -> None:
    client.get(reverse("rate-pause", args=[cast.slug]))
    assert str(rater.pk) in client.session["raters_paused"]
    earlier(client, "raters_paused", rater, ago)


def saved(client: Client, page: Assignment, **sent: str) -> Response:
    posted = {**PAGE, "version": page.version_id, "submission_key": uuid.uuid4(), **sent}
    address = reverse("rate-assignment", args=[page.rater.study.slug, page.pk])
    assert client.post(address, posted).status_code == 303
    return Response.objects.get(assignment=page)


def test_a_pause_is_no_time_of_the_page_that_was_left_for_it(cast):
    rater = consent(invitation=cast.invitation)
    client, page = reading(cast, rater, ago=600)
    pause(client, cast, rater, ago=580)
    client.get(reverse("rate-pause", args=[cast.slug]))
    client.get(reverse("rate-assignment", args=[cast.slug, page.pk]))
    assert saved(client, page).seconds == pytest.approx(20, abs=5)
    client.get(reverse("rate", args=[cast.slug]), follow=True)
    following = shown(Assignment.objects.get(rater=rater, submitted_at=None), 50)
    assert saved(client, following).seconds == pytest.approx(50, abs=5)


def test_a_pause_after_an_answer_leaves_the_time_of_that_answer_alone(cast):
    rater = consent(invitation=cast.invitation)
    client, page = reading(cast, rater, ago=600)
    saved(client, page)
    pause(client, cast, rater, ago=300)
    before = Assignment.objects.get(pk=page.pk).opened_at
    client.get(reverse("rate", args=[cast.slug]), follow=True)
    assert Assignment.objects.get(pk=page.pk).opened_at == before


def test_where_a_page_is_not_opened_again_after_a_pause_only_the_page_knows_its_time(cast):
    rater = consent(invitation=cast.invitation)
    client, page = reading(cast, rater, ago=600)
    pause(client, cast, rater, ago=580)
    assert saved(client, page).seconds is None
    other = consent(invitation=cast.invitation)
    client, page = reading(cast, other, ago=600)
    pause(client, cast, other, ago=580)
    sent = {name: str(value) for name, value in vars(PRESENCE).items()}
    assert saved(client, page, **sent).active_seconds == 20.0


def test_the_time_of_a_page_that_was_begun_in_another_browser_is_not_known(cast):
    rater = consent(invitation=cast.invitation)
    _, page = reading(cast, rater, ago=600)
    another = Client()
    another.get(reverse("join", args=[rater.invitation.token]))
    another.get(reverse("rate-assignment", args=[cast.slug, page.pk]))
    assert saved(another, page).seconds is None
