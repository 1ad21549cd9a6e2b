"""Prolific over the API: drafted, read, and decided by what a caller confirms."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from annotation.domain.base.platforms import Platform
from annotation.models import CrowdSubmission, Job
from annotation.services.people.invitations import invite
from annotation.tasks import run_job
from tests.support.outside.crowd_jobs import connect, done, link_study
from tests.support.outside.prolific_server import TOKEN, prolific_server
from tests.support.people import make_cast
from tests.support.studies.pay import approved, came, pay, states, worked

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
        base = f"{cast.base}/prolific"

        def called(method: str, path: str, body: Any) -> None:
            answer = getattr(admin, method)(f"{base}/{path}", body, format="json")
            assert answer.status_code == 202, answer.json()
            done(Job.objects.get(pk=answer.json()["job"]))

        assert admin.get(f"{base}/connection/").status_code == 404
        called("put", "connection/", {"token": TOKEN})
        shown = admin.get(f"{base}/connection/")
        assert shown.json()["account"] == "lab@example.org"
        assert TOKEN not in shown.content.decode()
        assert admin.get(f"{base}/").status_code == 404
        refused = admin.post(f"{base}/drafts/", {**DRAFT, "invitation": 0}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_draft")
        called("post", "drafts/", {**DRAFT, "invitation": cast.invitation.pk})
        assert admin.get(f"{base}/").json()["status"] == "UNPUBLISHED"
        called("patch", "", {"places": 8})
        called("post", "reading/", {})
        assert admin.get(f"{base}/").json()["places"] == 8

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
        both = [{"submission": number, "decision": one} for one in ("return", "approve")]
        refused = admin.post(path, {"decisions": both}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "two_decisions")
        confirmed = {"decisions": [{"submission": number, "decision": "return"}]}
        answer = admin.post(path, confirmed, format="json")
        assert answer.status_code == 202
        run_job(Job.objects.get(pk=answer.json()["job"]).pk)
        assert CrowdSubmission.objects.get().decision_state == "done"
        assert server.asked_to_return == {number: 1}


def test_bonuses_are_paid_over_the_api_for_what_the_caller_has_seen(settings: Any) -> None:
    with prolific_server() as server:
        settings.PROLIFIC_ADDRESS, settings.WEBHOOKS_PRIVATE = server.address, True
        cast = make_cast(items=4, overlap=6)
        pay(cast, currency="GBP", floor=Decimal("12.00"))
        owner, admin = cast.users["owner"], cast.client("admin")
        cast.invitation = invite(
            study=cast.study, actor=owner, platform=Platform.PROLIFIC, completion_code="D1"
        )
        connect(study=cast.study, actor=owner, token=TOKEN)
        server.studies["abc"] = {"id": "abc", "status": "ACTIVE", "total_available_places": 6, "reward": 9}
        link_study(study=cast.study, invitation=cast.invitation, number="abc", actor=owner)
        worked(cast, 90, rater=came(cast, "one"))
        server.add_submission("one")
        path = f"{cast.base}/pay/lists/{approved(cast).number}/sending/"
        wrong = {"payer": "prolific", "payments": 1, "amount": "0.21"}
        refused = admin.post(path, wrong, format="json")
        assert (refused.status_code, refused.json()["code"]) == (409, "changed_elsewhere")
        answer = admin.post(path, {**wrong, "amount": "0.20"}, format="json")
        done(Job.objects.get(pk=answer.json()["job"]))
        done(Job.objects.get(pk=admin.post(path, {"payer": "prolific"}, format="json").json()["job"]))
        assert states(cast.study) == {"approved": 1, "confirmed": 1}
        assert set(server.paid.values()) == {1}
