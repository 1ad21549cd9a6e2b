"""Prolific on pages: connected, drafted, reviewed and paid, and nothing sent before a member confirms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.platforms import Platform
from annotation.models import CrowdConnection, CrowdStudy, CrowdSubmission, Job, PaymentBatch
from annotation.services.people.invitations import invite
from annotation.tasks import run_job
from tests.support.outside.prolific_server import TOKEN, ProlificServer, prolific_server
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, came, pay, states, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[ProlificServer]:
    with prolific_server() as running:
        settings.PROLIFIC_ADDRESS, settings.WEBHOOKS_PRIVATE = running.address, True
        yield running


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=4, overlap=6)
    pay(cast, currency="GBP", floor=Decimal("12.00"), page_seconds=45)
    cast.invitation = invite(
        study=cast.study,
        actor=cast.users["owner"],
        platform=Platform.PROLIFIC,
        completion_code="DONE1",
    )
    return cast


def shown(cast: Cast, name: str, *arguments: Any) -> str:
    client = Client()
    client.force_login(cast.users["admin"])
    return client.get(reverse(name, args=[cast.slug, *arguments])).content.decode()


def posted(cast: Cast, name: str, *arguments: Any, **fields: Any) -> str:
    client = Client()
    client.force_login(cast.users["admin"])
    return client.post(reverse(name, args=[cast.slug, *arguments]), fields, follow=True).content.decode()


def called(cast: Cast, **fields: Any) -> str:
    """The page after the worker has called Prolific."""
    refused = posted(cast, "study-prolific", **fields)
    if not Job.objects.filter(state="queued").exists():
        return refused
    work(cast)
    return shown(cast, "study-prolific")


def drafted(cast: Cast, **fields: Any) -> str:
    called(cast, act="connect", token=TOKEN)
    plain = {"title": "Similes", "description": "Rate.", "places": "6", "minutes": "3", "reward": "0.40"}
    return called(cast, act="draft", invitation=cast.invitation.pk, **{**plain, **fields})


def work(cast: Cast) -> None:
    """The worker does the jobs that wait."""
    for job in Job.objects.filter(state="queued").order_by("pk"):
        run_job(job.pk)


def test_a_token_is_tested_and_never_shown(cast, server):
    refused = called(cast, act="connect", token="wrong-token")
    assert "does not accept the token" in refused
    assert "<code>prolific_token</code>" in refused
    assert not CrowdConnection.objects.exists()
    assert "lab@example.org" in called(cast, act="connect", token=TOKEN)
    page = shown(cast, "study-prolific")
    assert TOKEN not in page
    assert "untested against the real platform" in page
    assert "Token removed." in posted(cast, "study-prolific", act="disconnect")


def test_a_longer_title_is_suggested_whole_and_refused_in_words(cast, server):
    cast.study.title = "Lamps and moons " * 10
    cast.study.save()
    called(cast, act="connect", token=TOKEN)
    field = re.search(r'<input[^>]*name="title"[^>]*>', shown(cast, "study-prolific"))
    assert field
    assert cast.study.title.strip() in field[0]
    assert "maxlength" not in field[0]
    assert "at most 120 characters (it has 159)" in drafted(cast, title=cast.study.title)
    assert not CrowdStudy.objects.exists()


def test_the_draft_suggests_what_the_study_says(cast, server):
    called(cast, act="connect", token=TOKEN)
    page = shown(cast, "study-prolific")
    for value in ("Lamps and moons", "6", "3", "0.40"):
        assert f'value="{value}"' in page, value
    assert "draft, not published" in drafted(cast)
    assert CrowdStudy.objects.get().reward == 40
    assert "draft, not published" in shown(cast, "study-prolific")
    assert "https://app.prolific.com/researcher/workspaces/studies/study0" in shown(cast, "study-prolific")


def test_mistakes_are_shown_at_their_fields_and_create_nothing(cast, server):
    assert "below the reward" in drafted(cast, screen_out_reward="0.50", screen_out_places="3")
    assert not server.studies


def test_an_unknown_result_is_a_warning_with_one_way_on(cast, server):
    server.manners["studies/"] = "lost"
    drafted(cast)
    server.manners.clear()
    page = shown(cast, "study-prolific")
    assert "It is not known whether it exists." in page
    assert "<code>prolific_no_answer</code>" in page
    assert "Create draft" not in page
    assert "Try again in two minutes." in posted(cast, "study-prolific", act="find")
    CrowdStudy.objects.update(asked_at=timezone.now() - timedelta(minutes=3))
    assert "draft, not published" in called(cast, act="find")
    assert len(server.studies) == 1


def test_places_are_raised_and_the_state_is_read(cast, server):
    drafted(cast)
    server.studies["study0"]["status"] = "ACTIVE"
    assert "ACTIVE" in called(cast, act="refresh")
    assert "Enter a total above 6" in posted(cast, "study-prolific", act="places", places="6")
    assert '<dd class="num">9</dd>' in called(cast, act="places", places="9")


def test_no_page_calls_prolific_and_each_shows_the_job_that_does(cast, server):
    """A page that waited for Prolific would hold a process of the web server for as long."""
    page = posted(cast, "study-prolific", act="connect", token=TOKEN)
    assert not server.calls
    assert "Waiting for a worker." in page
    job = Job.objects.get(kind="crowd_study")
    assert reverse("job", args=[job.pk]) in page


def test_only_selected_submissions_are_decided(cast, server):
    drafted(cast)
    for person in ("one", "two"):
        worked(cast, 30, 30, 30, 30, rater=came(cast, person))
        server.add_submission(person, code="DONE1")
    cast.study.raters.filter(identity__isnull=False).update(state="finished")
    posted(cast, "study-prolific-submissions", act="read")
    work(cast)
    page = shown(cast, "study-prolific-submissions")
    assert page.count("Finished here, with the completion code of the link.") == 2
    assert "Choose at least one submission." in posted(cast, "study-prolific-submissions", act="decide")
    first = CrowdSubmission.objects.earliest("pk")
    chosen = {"submission": [first.pk], f"decision-{first.pk}": "approve"}
    assert "1 decision is being sent." in posted(cast, "study-prolific-submissions", act="decide", **chosen)
    work(cast)
    assert [one["status"] for one in server.submissions.values()] == ["APPROVED", "AWAITING REVIEW"]


def test_bonuses_are_paid_for_the_amount_that_was_typed(cast, server):
    drafted(cast)
    worked(cast, 90, rater=came(cast, "one"))
    server.add_submission("one")
    listed = approved(cast)
    page = shown(cast, "study-payment-list", listed.number)
    assert "1 approved top-up or bonus of 0.20 GBP" in page
    for wrong in ({"total": "0.21", "count": "1"}, {"total": "0.20", "count": "2"}):
        refused = posted(cast, "study-payment-list", listed.number, act="prolific_send", **wrong)
        assert "Enter the amount that the page shows." in refused
    assert not PaymentBatch.objects.exists()
    posted(cast, "study-payment-list", listed.number, act="prolific_send", total="0.20", count="1")
    assert Job.objects.get(kind="send_payments").params["seen"] == [1, "0.20"]
    work(cast)
    posted(cast, "study-payment-list", listed.number, act="prolific_read")
    work(cast)
    assert states(cast.study) == {"approved": 1, "confirmed": 1}
    assert set(server.paid.values()) == {1}


def test_a_list_offers_prolific_only_where_the_study_is_connected(cast, server):
    worked(cast, 90, rater=came(cast, "one"))
    listed = approved(cast)
    assert "Pay by Prolific" not in shown(cast, "study-payment-list", listed.number)
