"""Over the API a rater qualifies as in the browser."""

from __future__ import annotations

import pytest

from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.models import Seat
from annotation.services.people.invitations import invite
from annotation.services.quality.approval import release_notes, start_all
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, invited, join, make_cast
from tests.support.studies.qualification_study import REFERENCES, attempt, qualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, overlap=2, opened=False)


def answer(client, cast: Cast, quality: int):
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    sent = {
        "assignment": page["assignment"],
        "page_key": page["page_key"],
        "version": page["form"]["version"],
        "answers": {"quality": quality, "creativity": 3},
    }
    return page, client.post(f"/api/v1/rate/{cast.slug}/next/", sent, format="json").json()


def test_reading_answering_failing_and_passing(cast):
    qualify(cast, pages=2, attempts=2)
    _, client = join(cast.invitation)
    base = f"/api/v1/rate/{cast.slug}"
    refused = client.get(f"{base}/next/")
    assert (refused.status_code, refused.json()["code"]) == (409, "background_unread")
    for number in (1, 2):
        pages = client.post(f"{base}/background/", {"number": number}, format="json").json()
    assert [(page["title"], page["read"]) for page in pages] == [("Page 1", True), ("Page 2", True)]
    page, receipt = answer(client, cast, 3)
    assert (page["calibration"], page["progress"], page["feedback"]) == (
        True,
        {"done": 0, "target": 4},
        None,
    )
    assert receipt["feedback"] == {
        "compared": [{"criterion": "quality", "given": "3", "reference": "5", "within": False}],
        "reason": "It is a 5.",
        "translations": {},
    }
    for _ in range(3):
        answer(client, cast, 5)
    refused = client.get(f"{base}/next/")
    assert (refused.status_code, refused.json()["code"]) == (409, "attempt_failed")
    again = client.post(f"{base}/qualification/")
    assert (again.status_code, again.json()["attempt"]["number"], again.json()["attempts_left"]) == (
        201,
        2,
        0,
    )
    for value in REFERENCES:
        answer(client, cast, value)
    enrolment = client.get(f"{base}/").json()
    assert (enrolment["state"], enrolment["qualification"]["step"]) == ("qualified", "passed")
    assert enrolment["qualification"]["attempt"]["figure"] == 1
    assert enrolment["progress"] == {"done": 0, "target": 2}
    assert not Seat.objects.filter(rater__isnull=False).exists()
    page, receipt = answer(client, cast, 3)
    assert (page["calibration"], page["position"], receipt["feedback"]) == (False, 1, None)


def test_background_pages_are_read_after_the_consent_text_only(cast):
    qualify(cast, pages=1)
    link = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    client, address = invited(link.token), f"/api/v1/rate/{cast.slug}/background/"
    for refused in (client.get(address), client.post(address, {"number": 1}, format="json")):
        assert (refused.status_code, refused.json()["code"]) == (409, "no_consent")
    client.post(f"/api/v1/join/{link.token}/", {"agree": True}, format="json")
    assert [page["title"] for page in client.get(address).json()] == ["Page 1"]


def test_waiting_and_the_notes(cast):
    made = qualify(cast, RuleKind.HAND)
    rater, client = join(cast.invitation)
    attempt(rater)
    base = f"/api/v1/rate/{cast.slug}"
    assert client.get(f"{base}/next/").json()["code"] == "waiting_for_approval"
    assert client.get(f"{base}/qualification/notes/").json()["code"] == "notes_not_released"
    start_all(study=cast.study, actor=cast.users["owner"], reason="")
    release_notes(qualification=made, released=True, actor=cast.users["owner"])
    notes = client.get(f"{base}/qualification/notes/").json()
    assert [note["compared"][0]["given"] for note in notes] == ["5", "1", "3", "4"]
    assert client.get(f"{base}/next/").status_code == 200


def test_a_study_without_a_qualification_says_so(cast):
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    _, client = join(cast.invitation)
    base = f"/api/v1/rate/{cast.slug}"
    assert client.get(f"{base}/").json()["qualification"] is None
    assert client.get(f"{base}/qualification/").status_code == 404
    assert client.get(f"{base}/background/").json() == []
