"""Programmes see the queue, decide and comment as people do, by the same rules."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.models import Job, Study, Verdict
from annotation.services.adjudication.decisions import show_names
from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    study = make_case_study()
    look_for(study, "spread", "quality", bound="4")
    return study


@pytest.fixture
def client(study: Study) -> APIClient:
    client = APIClient()
    client.force_authenticate(owner_of(study))
    return client


def address(study: Study, rest: str = "") -> str:
    return f"/api/v1/studies/{study.slug}/adjudication/{rest}"


def decision(**more: Any) -> dict[str, Any]:
    return {"page_key": str(uuid.uuid4()), "seen_revision": 0, **more}


def test_the_queue_is_filtered(study: Study, client: APIClient) -> None:
    found = client.get(address(study) + "?rule=spread&criterion=quality").json()
    assert [one["item"] for one in found["results"]] == ["I-0", "I-3"]
    assert found["results"][0]["disputes"][0]["detail"] == {"raters": 3, "least": 4.0, "found": 4}
    assert client.get(address(study) + "?state=decided").json()["count"] == 0
    assert client.get(address(study) + "?stage=decided").status_code == 400


def test_a_case_is_decided_once_by_an_annotation(study: Study, client: APIClient) -> None:
    case = cases_of(study)["I-0"]
    shown = client.get(address(study, f"{case.pk}/")).json()
    assert [one["rater"] for one in shown["annotations"]] == ["", "", ""]
    chosen = next(one for one in shown["annotations"] if one["letter"] == "B")
    sent = decision(choose=chosen["annotation"], note="The middle.")
    answers = [client.post(address(study, f"{case.pk}/decision/"), sent, format="json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    decided = {one["criterion"]: one["answer"] for one in answers[0].json()["answers"]}
    assert decided == chosen["answers"]
    late = client.post(
        address(study, f"{case.pk}/decision/"), decision(version=1, answers={"quality": 2}), format="json"
    )
    assert (late.status_code, late.json()["code"]) == (409, "decided_elsewhere")


def test_what_is_missing_is_named(study: Study, client: APIClient) -> None:
    case = cases_of(study)["I-0"]
    refused = client.post(
        address(study, f"{case.pk}/decision/"), decision(version=1, answers={"quality": 9}), format="json"
    )
    assert refused.status_code == 422
    assert refused.json()["fields"].keys() == {"quality"}
    neither = client.post(address(study, f"{case.pk}/decision/"), decision(), format="json")
    assert neither.status_code == 400
    assert not Verdict.objects.exists()


def test_pseudonyms_are_shown_where_the_study_says_so(study: Study, client: APIClient) -> None:
    show_names(study=study, named=True, actor=owner_of(study))
    shown = client.get(address(study, f"{cases_of(study)['I-0'].pk}/")).json()
    assert {one["rater"] for one in shown["annotations"]} == {"R-001", "R-002", "R-003"}


def test_items_are_sent_and_rules_looked_for(study: Study, client: APIClient) -> None:
    done = client.post(address(study), {"items": ["I-1", "I-3"], "criterion": "quality"}, format="json")
    assert (done.status_code, done.json()) == (201, {"new": 1, "there": 1, "without": 0, "back": 0})
    asked = {"rule": "overlap", "form": "all", "criterion": "tuples", "bound": 0.5}
    job = client.post(address(study, "search/"), asked, format="json")
    assert job.status_code == 202
    assert Job.objects.get(pk=job.json()["job"]).params["rule"] == "overlap"
    refused = client.post(address(study, "search/"), {**asked, "bound": 2}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_search")


def test_a_comment_is_shown_with_its_author(study: Study, client: APIClient) -> None:
    case = cases_of(study)["I-3"]
    made = client.post(address(study, f"{case.pk}/comments/"), {"text": "Literal?"}, format="json")
    assert made.status_code == 201
    shown = client.get(address(study, f"{case.pk}/")).json()
    assert [(one["author"], one["text"]) for one in shown["comments"]] == [(str(owner_of(study)), "Literal?")]
    assert shown["state"] == "discussed"


def test_a_case_is_taken_off_the_queue_and_put_back(study: Study, client: APIClient) -> None:
    case = cases_of(study)["I-0"]
    lacking = client.post(address(study, f"{case.pk}/withdraw/"), {}, format="json")
    assert lacking.status_code == 400
    taken = client.post(address(study, f"{case.pk}/withdraw/"), {"reason": "A caption."}, format="json")
    assert (taken.status_code, taken.json()["state"]) == (200, "withdrawn")
    found = client.get(address(study) + "?state=withdrawn").json()
    assert [one["item"] for one in found["results"]] == ["I-0"]
    refused = client.post(
        address(study, f"{case.pk}/decision/"), decision(version=1, cannot_rate="other"), format="json"
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "case_withdrawn")
    back = client.post(address(study, f"{case.pk}/put-back/"))
    assert (back.status_code, back.json()["state"]) == (200, "open")
    moves = client.get(address(study, f"{case.pk}/")).json()["moves"]
    assert [(one["withdrawn"], one["reason"]) for one in moves] == [(False, ""), (True, "A caption.")]
