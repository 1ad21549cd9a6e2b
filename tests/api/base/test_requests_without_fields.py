"""A request that takes no fields refuses what is sent, instead of doing something else than was asked."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Job
from tests.support.people import join, make_cast

pytestmark = pytest.mark.django_db

STARTING = (
    "multiverse/",
    "mixed-model/",
    "generalisability/",
    "new-raters/",
    "disagreement/figures/",
    "reports/",
)


@pytest.mark.parametrize("body", [{"rules": [1]}, ["rules"], "rules"])
@pytest.mark.parametrize("path", STARTING)
def test_no_job_starts_when_a_field_was_sent(path: str, body: Any) -> None:
    cast = make_cast()
    answer = cast.client("owner").post(f"{cast.base}/{path}", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid"), answer.content
    assert not Job.objects.exists()


def test_the_refusal_names_the_field() -> None:
    cast = make_cast()
    answer = cast.client("owner").post(f"{cast.base}/multiverse/", {"rules": [1]}, format="json")
    sentence = "Unknown field; this request has no fields."
    assert answer.json()["fields"] == {"rules": sentence}


def test_a_rater_withdraws_by_a_request_without_fields_alone() -> None:
    cast = make_cast()
    rater, client = join(cast.invitation)
    address = f"/api/v1/rate/{cast.slug}/withdraw/"
    assert client.post(address, {"erase": True}, format="json").status_code == 400
    assert client.post(address, {}, format="json").status_code == 200
    rater.refresh_from_db()
    assert rater.state == "withdrawn"
