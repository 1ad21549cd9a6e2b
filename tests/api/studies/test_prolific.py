"""Prolific over the API: drafted, read, and decided by what a caller confirms."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.base.platforms import Platform
from annotation.models import Job, ProlificSubmission
from annotation.services.pay.prolific.connection import connect
from annotation.services.people.invitations import invite
from annotation.tasks import run_job
from tests.support.outside.prolific_server import TOKEN, prolific_server
from tests.support.people import make_cast
from tests.support.studies.pay import came, pay, worked

pytestmark = pytest.mark.django_db
DRAFT: dict[str, Any] = {
    "title": "Similes",
    "description": "Rate.",
    "places": 6,
    "reward": 150,
    "minutes": 9,
}


def test_a_draft_and_decisions_over_the_api(settings: Any) -> None:
    with prolific_server() as server:
        settings.PROLIFIC_ADDRESS, settings.WEBHOOKS_PRIVATE = server.address, True
        cast = make_cast(items=4, overlap=6)
        pay(cast, currency="GBP")
        owner, admin = cast.users["owner"], cast.client("admin")
        cast.invitation = invite(
            study=cast.study, actor=owner, platform=Platform.PROLIFIC, completion_code="D1"
        )
        connect(study=cast.study, actor=owner, token=TOKEN)
        assert admin.get(f"{cast.base}/prolific/").status_code == 404
        refused = admin.post(f"{cast.base}/prolific/", {**DRAFT, "invitation": 0}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_draft")
        body = {**DRAFT, "invitation": cast.invitation.pk}
        made = admin.post(f"{cast.base}/prolific/", body, format="json")
        assert (made.status_code, made.json()["status"]) == (201, "UNPUBLISHED")
        assert admin.get(f"{cast.base}/prolific/").json() == made.json()

        worked(cast, 30, rater=came(cast, "one"))
        number = server.add_submission("one")
        path = f"{cast.base}/prolific/submissions/"
        asked = admin.post(path, {}, format="json")
        run_job(asked.json()["job"])
        (row,) = admin.get(path).json()["results"]
        assert (row["submission"], row["proposal"], row["proposal_reason"]) == (
            number,
            "return",
            "not_finished",
        )
        unknown = {"decisions": [{"submission": "other", "decision": "return"}]}
        assert admin.post(path, unknown, format="json").json()["code"] == "unknown_submission"
        confirmed = {"decisions": [{"submission": number, "decision": "return"}]}
        answer = admin.post(path, confirmed, format="json")
        assert answer.status_code == 202
        run_job(Job.objects.get(pk=answer.json()["job"]).pk)
        assert ProlificSubmission.objects.get().decision_state == "done"
        assert server.asked_to_return == {number: 1}
