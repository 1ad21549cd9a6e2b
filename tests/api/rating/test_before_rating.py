"""The same rules over the API: warning, versions of consent, questions, least time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.models import Assignment, Response, Study
from tests.support.people import Cast, join, make_cast
from tests.support.studies.answers import answer_for

QUESTIONS: list[dict[str, Any]] = [
    {"key": "age", "text": "How old are you?", "kind": "number"},
    {"key": "reads", "text": "Do you read poems?", "kind": "choice", "options": ["often", "seldom"]},
]


@pytest.fixture
def draft(db: None) -> Cast:
    return make_cast(opened=False)


def patch(cast: Cast, **fields: Any):
    return cast.client("researcher").patch(f"{cast.base}/", fields, format="json")


def begin(cast: Cast) -> None:
    opened = cast.client("owner").post(f"{cast.base}/state/", {"state": "open"}, format="json")
    assert opened.status_code == 200


def test_a_draft_takes_them_all_and_shows_them(draft: Cast) -> None:
    sent = {"content_warning": "Lamps fall.", "least_seconds": 20, "exempt_characters": 10}
    found = patch(draft, **sent, questions=QUESTIONS).json()
    assert {name: found[name] for name in sent} == sent
    assert found["questions"] == [{"options": [], **one} for one in QUESTIONS]
    assert found["consent_number"] == 0
    assert patch(draft, title="Other").json()["questions"] == found["questions"]
    assert patch(draft, questions=[]).json()["questions"] == []


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"least_seconds": 3600}, 422, "minimum_too_long"),
        ({"least_seconds": 0}, 400, "invalid"),
        ({"questions": [QUESTIONS[0], QUESTIONS[0]]}, 422, "invalid_questions"),
        ({"questions": [{**QUESTIONS[0], "kind": "colour"}]}, 400, "invalid"),
        ({"questions": [{"key": "age", "kind": "number"}]}, 400, "invalid"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nothing_is_stored(
    draft: Cast, fields: dict[str, Any], status: int, code: str
) -> None:
    refused = patch(draft, title="Changed", **fields)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert Study.objects.get(slug=draft.slug).title == draft.study.title


def test_a_whole_entry_over_the_api(draft: Cast) -> None:
    patch(draft, content_warning="Lamps fall.", questions=QUESTIONS)
    begin(draft)
    read = APIClient().get(f"/api/v1/join/{draft.invitation.token}/").json()
    assert (read["content_warning"], read["consent_number"]) == ("Lamps fall.", 1)
    _, client = join(draft.invitation)
    waiting = client.get(f"/api/v1/rate/{draft.slug}/next/")
    assert (waiting.status_code, waiting.json()["code"]) == (409, "questions_open")
    address = f"/api/v1/rate/{draft.slug}/about-you/"
    assert [one["key"] for one in client.get(address).json()["questions"]] == ["age", "reads"]
    refused = client.post(address, {"answers": {"age": "old", "reads": None}}, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["age"])
    done = client.post(address, {"answers": {"age": "34", "reads": None}}, format="json")
    assert done.json() == {"questions": []}
    assert client.get(f"/api/v1/rate/{draft.slug}/next/").status_code == 200
    what = {"what": "demographics", "format": "csv"}
    file = draft.client("researcher").get(f"{draft.base}/exports/", what)
    assert b",age,number,How old are you?,34,false," in file.getvalue()


def test_after_a_change_of_the_consent_text_the_rater_agrees_again(cast: Cast) -> None:
    rater, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    assert cast.client("researcher").post(f"{cast.base}/consent/", {"text": "More."}).status_code == 403
    changed = cast.client("admin").post(f"{cast.base}/consent/", {"text": "More."}, format="json")
    assert [(one["number"], one["n_raters"]) for one in changed.json()] == [(2, 0), (1, 2)]
    for address in ("next/", f"{page['assignment']}/"):
        asked = client.get(f"/api/v1/rate/{cast.slug}/{address}")
        assert (asked.status_code, asked.json()["code"]) == (409, "consent_changed")
    address = f"/api/v1/rate/{cast.slug}/consent/"
    shown = client.get(address).json()
    assert shown == {
        "consent": "More.",
        "translations": {},
        "consent_number": 2,
        "agreed_number": 1,
        "asked_again": True,
    }
    assert client.post(address, {"agree": False, "consent_number": 2}, format="json").status_code == 400
    unknown = client.post(address, {"agree": True, "consent_number": 9}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "no_such_consent_text")
    agreed = client.post(address, {"agree": True, "consent_number": 2}, format="json").json()
    assert (agreed["agreed_number"], agreed["asked_again"]) == (2, False)
    assert client.get(f"/api/v1/rate/{cast.slug}/next/").status_code == 200
    listed = cast.client("researcher").get(f"{cast.base}/raters/").json()["results"]
    assert {one["rater"]: one["consent_number"] for one in listed}[rater.code] == 2


def test_a_too_fast_answer_is_given_back_whatever_the_client_says(cast: Cast) -> None:
    Study.objects.filter(pk=cast.study.pk).update(least_seconds=30)
    _, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/next/"
    page = client.get(address).json()
    assert page["seconds_left"] == 30
    refused = client.post(address, answer_for(page), format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_fast")
    assert refused.json()["fields"] == {"seconds_left": "30"}
    forged = client.post(address, answer_for(page) | {"seconds": 90}, format="json")
    assert forged.status_code == 400
    assert not Response.objects.exists()
    found = Assignment.objects.get(pk=page["assignment"])
    assert found.opened_at is not None
    Assignment.objects.filter(pk=found.pk).update(opened_at=found.opened_at - timedelta(seconds=31))
    assert client.get(address).json()["seconds_left"] == 0
    assert client.post(address, answer_for(page), format="json").status_code == 201
