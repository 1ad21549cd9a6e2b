"""How long a job still takes, in words and as a number, and only where it can be estimated."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import JobState, Role
from annotation.models import Job, Membership, Study, User
from annotation.services.base.jobs import claim, enqueue
from annotation.templatetags.audit_words import left_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    study = Study.objects.create(slug="lamps", title="Lamps")
    asked = enqueue(kind="reliability", study=study, params={}, created_by=None, announce=False)
    lease = claim(job_id=asked.pk)
    assert lease is not None
    return lease.job


@pytest.fixture
def member(client: Client, job: Job) -> Client:
    """Of a user who may see the study."""
    user = User.objects.create_user("one@example.org", "simile-and-metaphor-42")
    assert job.study is not None
    Membership.objects.create(study=job.study, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def shown(client: Client, job: Job) -> tuple[str, str, int | None]:
    """The page of the job, that of all jobs, and the number of the API."""
    one = client.get(reverse("job", args=[job.pk])).content.decode()
    every = client.get(reverse("study-jobs", args=["lamps"])).content.decode()
    return one, every, client.get(reverse("api_job", args=[job.pk])).json()["seconds_left"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "less than a minute left"),
        (70, "about 1 minute left"),
        (600, "about 10 minutes left"),
        (7000, "about 2 hours left"),
    ],
)
def test_the_time_left_is_shown_in_words(seconds: int, words: str) -> None:
    assert left_words(seconds) == words


def test_pages_and_the_api_say_how_long_a_steady_job_still_takes(member: Client, job: Job) -> None:
    Job.objects.update(done=1, total=4, expected_end=timezone.now() + timedelta(minutes=10))
    one, every, left = shown(member, job)
    assert "about 10 minutes left" in one
    assert "about 10 minutes left" in every
    assert left is not None
    assert 590 <= left <= 600


@pytest.mark.parametrize(
    ("state", "minutes"), [(JobState.RUNNING, None), (JobState.RUNNING, -1), (JobState.DONE, 10)]
)
def test_nothing_is_shown_where_the_time_is_unknown_or_the_job_is_over(
    member: Client, job: Job, state: JobState, minutes: int | None
) -> None:
    end = None if minutes is None else timezone.now() + timedelta(minutes=minutes)
    Job.objects.update(done=1, total=4, state=state, expected_end=end)
    one, every, left = shown(member, job)
    assert " left" not in one + every
    assert left is None


def test_another_attempt_begins_without_an_expectation(job: Job) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.update(expected_end=timezone.now() + timedelta(hours=1), lease_until=past)
    lease = claim(job_id=job.pk)
    assert lease is not None
    assert lease.job.seconds_left is None
