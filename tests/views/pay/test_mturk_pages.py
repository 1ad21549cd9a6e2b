"""Mechanical Turk on pages: connected, a HIT published when a member confirms it, assignments decided."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.platforms import Platform
from annotation.models import CrowdSubmission, Job
from annotation.services.people.invitations import invite
from annotation.tasks import run_job
from tests.support.outside.mturk_server import KEY, SECRET, MturkServer, mturk_server
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay

pytestmark = pytest.mark.django_db
HIT = {
    "title": "Similes",
    "description": "Rate.",
    "keywords": "similes",
    "places": "6",
    "reward": "0.40",
    "minutes": "60",
    "days": "7",
    "approval_days": "7",
    "countries": "us gb",
}


@pytest.fixture
def server(settings: Any) -> Iterator[MturkServer]:
    with mturk_server() as running:
        settings.MTURK_ADDRESS, settings.WEBHOOKS_PRIVATE = running.address, True
        yield running


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=4, overlap=6)
    pay(cast, currency="USD", floor=Decimal("12.00"), page_seconds=45)
    cast.invitation = invite(study=cast.study, actor=cast.users["owner"], platform=Platform.MTURK)
    return cast


def posted(cast: Cast, name: str, **fields: Any) -> str:
    """The page after the worker has done what a member asked for."""
    client = Client()
    client.force_login(cast.users["admin"])
    path = reverse(name, args=[cast.slug])
    page = client.post(path, fields, follow=True, secure=True).content.decode()
    waiting = list(Job.objects.filter(state="queued").order_by("pk"))
    for job in waiting:
        run_job(job.pk)
    return client.get(path, secure=True).content.decode() if waiting else page


def test_a_hit_is_published_when_a_member_confirms_it_and_assignments_are_decided(cast, server):
    page = posted(cast, "study-mturk", act="connect", key=KEY, token=SECRET)
    assert "AKIA…1234" in page
    assert SECRET not in page
    for value in ("Lamps and moons", "6", "60"):
        assert f'value="{value}"' in page, value
    link = cast.invitation.pk
    assert "This field is required." in posted(cast, "study-mturk", act="draft", invitation=link, **HIT)
    assert not server.hits
    page = posted(cast, "study-mturk", act="draft", invitation=link, confirmed="on", **HIT)
    assert "<code>HIT0</code>" in page
    assert "workers can accept it" in page
    assert f"/join/{cast.invitation.token}/" in server.hits["HIT0"]["Question"]
    number = server.add_assignment("A1WORKER")
    assert number in posted(cast, "study-mturk-submissions", act="read")
    row = CrowdSubmission.objects.get()
    chosen = {"act": "decide", "submission": [row.pk], f"decision-{row.pk}": "reject"}
    assert "Enter the reason" in posted(cast, "study-mturk-submissions", **chosen)
    posted(cast, "study-mturk-submissions", **chosen, reason="Nothing was rated.")
    assert server.assignments[number]["AssignmentStatus"] == "Rejected"


def test_a_hit_over_the_api_and_a_key_that_is_never_given(cast, server):
    admin, base = cast.client("admin"), f"{cast.base}/mturk"

    def asked(method: str, path: str, body: Any) -> None:
        answer = getattr(admin, method)(f"{base}/{path}", body, format="json", secure=True)
        assert answer.status_code == 202, answer.json()
        run_job(answer.json()["job"])

    asked("put", "connection/", {"token": f"{KEY}:{SECRET}"})
    shown = admin.get(f"{base}/connection/")
    assert shown.json()["account"] == "AKIA…1234"
    assert SECRET not in shown.content.decode()
    hit = {**HIT, "places": 6, "reward": 40, "countries": ["US"], "invitation": cast.invitation.pk}
    asked("post", "hits/", hit)
    asked("patch", "", {"places": 8})
    assert admin.get(f"{base}/").json()["places"] == 8
    refused = admin.post(f"{base}/submissions/", {"decisions": []}, format="json")
    assert refused.status_code == 400
    asked("post", "submissions/", {})
