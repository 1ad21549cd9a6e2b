"""Problems with items over the API: a rater reports one, members read and resolve it."""

from __future__ import annotations

import uuid

import pytest

from annotation.models import ProblemReport
from tests.support.people import join, make_cast

pytestmark = pytest.mark.django_db


def test_a_problem_is_reported_listed_and_resolved():
    cast = make_cast(items=2)
    rater, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    address = f"/api/v1/rate/{cast.slug}/{page['assignment']}/problems/"
    sent = {"reason": "wrong_mark", "text": "It marks the verb.", "report_key": str(uuid.uuid4())}
    for _ in range(2):
        answer = client.post(address, sent, format="json")
        assert answer.status_code == 201, answer.json()
    assert ProblemReport.objects.count() == 1

    admin = cast.client("admin")
    (listed,) = admin.get(f"{cast.base}/problems/").json()["results"]
    assert (listed["rater"], listed["reason"], listed["text"], listed["resolved_at"]) == (
        rater.code,
        "wrong_mark",
        "It marks the verb.",
        None,
    )
    resolved = admin.post(f"{cast.base}/problems/{listed['id']}/resolve/").json()
    assert resolved["resolved_at"] is not None


def test_a_report_without_words_for_another_reason_is_refused_with_its_code():
    cast = make_cast(items=2)
    _, client = join(cast.invitation)
    page = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
    address = f"/api/v1/rate/{cast.slug}/{page['assignment']}/problems/"
    answer = client.post(address, {"reason": "other", "report_key": str(uuid.uuid4())}, format="json")
    assert answer.status_code == 422
    assert answer.json()["code"] == "no_words"
    assert not ProblemReport.objects.exists()
