"""A worker that is killed while a platform creates a study: no second one is created, the first is found."""

from __future__ import annotations

import json
import time

import pytest

from tests.faults.workers import kill, worker
from tests.support.installation import Installation
from tests.support.outside.prolific_server import TOKEN, prolific_server

pytestmark = [pytest.mark.processes]

ASK = f"""
from annotation.domain.base.platforms import Platform
from annotation.services.pay.prolific.draft_content import Draft
from annotation.services.pay.prolific.drafts import request_draft
from annotation.services.people.invitations import invite
from tests.support.people import make_cast
from tests.support.outside.crowd_jobs import connect
from tests.support.studies.pay import pay
cast = make_cast(items=4, overlap=4)
pay(cast, currency="GBP")
owner = cast.users["owner"]
link = invite(study=cast.study, actor=owner, platform=Platform.PROLIFIC, completion_code="DONE1")
connect(study=cast.study, actor=owner, token="{TOKEN}")
draft = Draft(title="Similes", description="Rate.", places=6, reward=150, minutes=9)
request_draft(
    study=cast.study, invitation=link, address="https://x.example/join/a/", draft=draft, actor=owner
)
"""
LOOK = """
import json
from annotation.models import CrowdStudy, Job
job = Job.objects.filter(kind="crowd_study").latest("pk")
print(json.dumps([job.state, job.attempt, job.error_code, [one.number for one in CrowdStudy.objects.all()]]))
"""
FIND = """
from datetime import timedelta
from annotation.domain.base.platforms import Platform
from annotation.models import CrowdStudy
from annotation.services.pay.crowd.creation import request_finding
row = CrowdStudy.objects.get()
CrowdStudy.objects.update(asked_at=row.asked_at - timedelta(minutes=3))
request_finding(study=row.study, platform=Platform.PROLIFIC, actor=row.made_by)
"""


def look(installation: Installation, state: str, seconds: float = 120) -> list[object]:
    deadline = time.monotonic() + seconds
    while True:
        found: list[object] = json.loads(installation.run_script(LOOK))
        if found[0] == state:
            return found[1:]
        assert time.monotonic() < deadline, found
        time.sleep(0.3)


def test_a_draft_is_created_once_though_the_worker_dies_in_the_call(migrated: Installation) -> None:
    with prolific_server() as server:
        own = {"GROUNDWORK_PROLIFIC_ADDRESS": server.address, "GROUNDWORK_WEBHOOKS_PRIVATE": "1"}
        installation = Installation(migrated.var, {**migrated.settings, **own})
        try:
            server.manners["studies/"] = "late"
            installation.run_script(ASK)
            server.called.clear()
            first = worker(installation)
            try:
                assert server.called.wait(120)
            finally:
                kill(first)
            server.manners.clear()
            second = worker(installation)
            try:
                assert look(installation, "failed") == [2, "prolific_no_answer", [""]]
                assert len(server.studies) == 1
                installation.run_script(FIND)
                assert look(installation, "done")[-1] == ["study0"]
            finally:
                kill(second)
            assert server.calls.count(("POST", "studies/")) == 1
        finally:
            installation.close()
