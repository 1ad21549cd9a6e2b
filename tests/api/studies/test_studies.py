"""Studies, items, raters, jobs and the shape of refusals."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from annotation.models import AuditEntry, Study
from tests.support.people import ROLES, Cast, join, make_cast


def test_the_user_who_makes_a_study_owns_it(cast: Cast) -> None:
    client = cast.client("stranger")
    made = client.post("/api/v1/studies/", {"slug": "moons", "title": "Moons"}, format="json")
    assert (made.status_code, made.json()["role"], made.json()["state"]) == (201, "owner", "draft")
    taken = client.post("/api/v1/studies/", {"slug": "moons", "title": "Again"}, format="json")
    assert (taken.status_code, list(taken.json()["fields"])) == (400, ["slug"])
    assert Study.objects.get(slug="moons").title == "Moons"


def test_a_draft_can_be_changed_and_an_open_study_cannot(db: None) -> None:
    cast = make_cast(opened=False)
    client = cast.client("researcher")
    changed = client.patch(
        f"{cast.base}/", {"consent": "New words.", "title": cast.study.title}, format="json"
    )
    assert (changed.status_code, changed.json()["consent"]) == (200, "New words.")
    entry = AuditEntry.objects.get(study=cast.study, act="edit_study")
    assert entry.detail == {"fields": ["consent"]}
    cast.client("admin").post(f"{cast.base}/state/", {"state": "open"}, format="json")
    late = client.patch(f"{cast.base}/", {"consent": "Other words."}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "not_a_draft")
    assert Study.objects.get().consent == "New words."


def test_only_the_owner_reopens_a_closed_study(cast: Cast) -> None:
    state = f"{cast.base}/state/"
    assert cast.client("researcher").post(state, {"state": "closed"}, format="json").status_code == 403
    assert cast.client("admin").post(state, {"state": "closed"}, format="json").status_code == 200
    again = cast.client("admin").post(state, {"state": "closed"}, format="json").json()
    assert (again["code"], again["message"]) == ("no_such_move", "The study is already closed.")
    assert cast.client("admin").post(state, {"state": "open"}, format="json").status_code == 403
    assert cast.client("owner").post(state, {"state": "open"}, format="json").json() == {"state": "open"}
    impossible = cast.client("owner").post(state, {"state": "draft"}, format="json")
    assert (impossible.status_code, impossible.json()["code"]) == (409, "no_such_move")


@pytest.mark.parametrize(
    "place", ["", "items/", "items/L00/", "raters/", "reports/", "reports/1/", "scores/"]
)
def test_a_study_of_others_answers_as_one_that_does_not_exist(cast: Cast, place: str) -> None:
    client = cast.client("stranger")
    there, nowhere = client.get(f"{cast.base}/{place}"), client.get(f"/api/v1/studies/none/{place}")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert there.content == nowhere.content


def test_items_come_in_order_and_in_pages(cast: Cast) -> None:
    page = cast.client("researcher").get(f"{cast.base}/items/", {"page_size": 3}).json()
    assert (page["count"], [item["item"] for item in page["results"]]) == (4, ["L00", "L01", "L02"])
    rest = cast.client("researcher").get(page["next"]).json()
    assert [item["item"] for item in rest["results"]] == ["L03"]
    one = cast.client("researcher").get(f"{cast.base}/items/L03/").json()
    assert one == rest["results"][0]


def test_raters_are_seen_under_pseudonyms_only(cast: Cast) -> None:
    join(cast.invitation)
    for role in ROLES:
        answer = cast.client(role).get(f"{cast.base}/raters/")
        assert [rater["rater"] for rater in answer.json()["results"]] == ["R-001", "R-002"]
        assert "@" not in answer.content.decode()
        assert "user" not in answer.json()["results"][0]


def test_an_invitation_made_here_can_be_followed(cast: Cast) -> None:
    body = {"label": "by mail", "personal": True}
    made = cast.client("admin").post(f"{cast.base}/invitations/", body, format="json").json()
    joined = APIClient().post(f"/api/v1/join/{made['token']}/", {"agree": True}, format="json").json()
    assert joined["rater"] == made["rater"]


@pytest.mark.parametrize(
    ("method", "path", "body", "number", "code"),
    [
        ("get", "/api/v1/studies/", None, 200, ""),
        ("delete", "/api/v1/studies/", None, 405, "method_not_allowed"),
        ("get", "/api/v1/studies/?page=99", None, 404, "not_found"),
        ("get", "/api/v1/nothing/of/this/sort/", None, 404, "not_found"),
        ("post", "/api/v1/studies/", "{not json", 400, "parse_error"),
        ("post", "/api/v1/studies/", "[]", 400, "invalid"),
        ("post", "/api/v1/studies/", "{}", 400, "invalid"),
    ],
)
def test_every_refusal_has_code_message_and_fields(
    cast: Cast, method: str, path: str, body: str | None, number: int, code: str
) -> None:
    answer = cast.client("researcher").generic(method.upper(), path, body or "", "application/json")
    assert answer.status_code == number
    if number != 200:
        assert sorted(answer.json()) == ["code", "fields", "message"]
        assert answer.json()["code"] == code


def test_a_content_type_that_is_not_understood_is_named(cast: Cast) -> None:
    answer = cast.client("researcher").generic("POST", "/api/v1/studies/", "slug: x", "application/yaml")
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


def test_a_body_beyond_the_limit_is_refused_before_it_is_read(cast: Cast, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 50
    body = {"slug": "long", "title": "A title", "description": "word " * 20}
    answer = cast.client("researcher").post("/api/v1/studies/", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_session_changes_nothing_without_its_csrf_token(cast: Cast) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(cast.users["admin"])
    refused = client.post(f"{cast.base}/state/", {"state": "closed"}, format="json")
    assert (refused.status_code, sorted(refused.json())) == (403, ["code", "fields", "message"])
    assert Study.objects.get(slug=cast.slug).state == "open"


def test_a_field_that_does_not_exist_is_refused_and_nothing_is_changed(db: None) -> None:
    cast = make_cast(slug="draft", opened=False)
    sent = {"title": "New", "instrutions": "Read."}
    refused = cast.client("owner").patch(f"{cast.base}/", sent, format="json")
    assert refused.status_code == 400
    assert list(refused.json()["fields"]) == ["instrutions"]
    assert cast.client("owner").get(f"{cast.base}/").json()["title"] == cast.study.title


def test_a_list_refuses_a_parameter_that_does_not_exist(db: None) -> None:
    cast = make_cast(slug="listed")
    refused = cast.client("owner").get(f"{cast.base}/items/?page_sise=2")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["page_sise"])
    assert len(cast.client("owner").get(f"{cast.base}/items/?page_size=2").json()["results"]) == 2


def test_the_criteria_of_a_protocol_can_be_asked_separately(cast: Cast) -> None:
    body = {"slug": "apart", "title": "Apart", "protocol": "hauser", "criteria_apart": True}
    made = cast.client("stranger").post("/api/v1/studies/", body, format="json")
    assert made.status_code == 201, made.json()
    asked = [[criterion["key"] for criterion in form["criteria"]] for form in made.json()["forms"]]
    assert asked == [["quality"], ["creativity"], ["informativeness"]]


@pytest.mark.parametrize("wrong", [{"protocol": "cmdag"}, {"protocol": "hauser", "demo_items": True}, {}])
def test_criteria_that_cannot_be_asked_separately_make_no_study(cast: Cast, wrong: dict[str, Any]) -> None:
    body = {"slug": "apart", "title": "Apart", "criteria_apart": True, **wrong}
    assert cast.client("stranger").post("/api/v1/studies/", body, format="json").status_code in {400, 422}
    assert not Study.objects.filter(slug="apart").exists()
