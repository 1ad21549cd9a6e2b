"""Members who may start a job may stop it, and no one else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Role
from annotation.models import Job
from annotation.permissions import RIGHTS, acts_to_start
from annotation.services.base.job_kinds import registered_kinds
from tests.support.people import Cast, make_cast

# As the table of rights says of the addresses that start them; nothing of a study starts the others.
STARTED_BY_OWNERS_AND_ADMINS = {
    "notices",
    "flag_search",
    "adjudication",
    "webhook",
    "send_payments",
    "rater_messages",
    "crowd_submissions",
    "crowd_study",
    "release",
}
STARTED_BY_OWNERS = {"upload_release"}
OF_NO_STUDY = {"nightly", "delete_study"}


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


def may_stop(cast: Cast, who: str, kind: str, params: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the page stops a job for this user, and whether the API does."""
    client = Client()
    client.force_login(cast.users[who])
    found = []
    for stop in (
        lambda job: client.post(reverse("job-cancel", args=[job.pk])),
        lambda job: cast.client(who).delete(reverse("api_job", args=[job.pk])),
    ):
        job = Job.objects.create(study=cast.study, kind=kind, params=params)
        answer = stop(job)
        job.refresh_from_db()
        assert (answer.status_code == 403) == (job.state == "queued")
        found.append(job.state == "cancelled")
        job.delete()
    return found[0], found[1]


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("bundle", {"pay": True}),
        ("adjudication", {}),
        ("webhook", {"delivery": 1}),
        ("import_items", {"file": 1, "running": True}),
        ("read_upload", {"upload": 1, "running": True}),
    ],
)
def test_researchers_do_not_stop_what_they_may_not_start(cast, kind, params):
    assert may_stop(cast, "researcher", kind, params) == (False, False)
    assert may_stop(cast, "admin", kind, params) == (True, True)


@pytest.mark.parametrize(
    ("kind", "params"), [("bundle", {"pay": False}), ("reliability", {}), ("import_items", {"file": 1})]
)
def test_researchers_stop_what_they_may_start_also_when_another_member_started_it(cast, kind, params):
    assert may_stop(cast, "researcher", kind, params) == (True, True)


def test_the_page_of_a_job_offers_stopping_only_to_those_who_may(cast):
    job = Job.objects.create(study=cast.study, kind="bundle", params={"pay": True})
    for who, offered in (("researcher", False), ("admin", True)):
        client = Client()
        client.force_login(cast.users[who])
        page = client.get(reverse("job", args=[job.pk])).content.decode()
        assert (reverse("job-cancel", args=[job.pk]) in page) == offered


@pytest.mark.pure
def test_every_kind_of_job_of_a_study_says_who_starts_it():
    for kind in registered_kinds():
        if kind.key in OF_NO_STUDY or kind.key.startswith("trial_"):
            continue
        (act,) = acts_to_start(Job(kind=kind.key))
        roles = {role for role in (Role.RESEARCHER, Role.ADMIN, Role.OWNER) if role in RIGHTS[act]}
        wanted = {Role.OWNER}
        if kind.key not in STARTED_BY_OWNERS:
            wanted.add(Role.ADMIN)
        if kind.key not in STARTED_BY_OWNERS | STARTED_BY_OWNERS_AND_ADMINS:
            wanted.add(Role.RESEARCHER)
        assert roles == wanted, kind.key
