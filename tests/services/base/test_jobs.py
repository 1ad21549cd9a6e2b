"""A job is held by one worker at a time; who has lost it writes nothing; nothing waits for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import LeaseLost, NotAllowedNow
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState
from annotation.models import AuditEntry, Job, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, cancel, claim, enqueue, sweep
from annotation.services.base.queues.turns import claim_next

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return Study.objects.create(slug="lamps", title="Lamps")


def new_job(study: Study) -> Job:
    return enqueue(kind="reliability", study=study, params={}, created_by=None, announce=False)


def held(job: Job) -> Lease:
    lease = claim(job_id=job.pk)
    assert lease is not None
    return lease


def run_out(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_two_workers_that_want_the_same_job_get_one_lease(study):
    job = new_job(study)
    assert claim(job_id=job.pk) is not None
    assert claim(job_id=job.pk) is None


def test_the_same_work_is_not_under_way_twice_in_a_study(study):
    first = new_job(study)
    assert new_job(study) == first
    held(first).complete(lambda: None)
    assert new_job(study) != first


def test_other_work_of_the_same_kind_is_work_of_its_own(study):
    first = new_job(study)
    other = enqueue(
        kind="reliability", study=study, params={"pool_versions": True}, created_by=None, announce=False
    )
    assert other != first
    assert (claim(job_id=first.pk) is not None, claim(job_id=other.pk) is not None) == (True, True)


def test_who_has_lost_the_lease_neither_beats_nor_writes(study):
    job = new_job(study)
    slow = held(job)
    run_out(job)
    quick = held(job)
    with pytest.raises(LeaseLost):
        slow.beat(1, 2)
    with pytest.raises(LeaseLost):
        slow.complete(lambda: audit.record(study=study, actor=None, act="written by the slow one"))
    slow.fail(code="fault", message="too late")
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.RUNNING, 2)
    quick.complete(lambda: audit.record(study=study, actor=None, act="written by the quick one"))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["written by the quick one"]


def test_a_lease_given_before_the_clock_was_set_back_is_over(study):
    job = new_job(study)
    slow = held(job)
    soon = timezone.now() + timedelta(seconds=2 * settings.JOB_LEASE_SECONDS)
    Job.objects.filter(pk=job.pk).update(lease_until=soon)
    assert (sweep(), claim(job_id=job.pk), claim_next(queue=Queue.REPORTS)) == (0, None, None)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() + timedelta(hours=1))
    assert sweep() == 1
    quick = claim_next(queue=Queue.REPORTS)
    assert quick is not None
    with pytest.raises(LeaseLost):
        slow.beat(1, 2)


def test_who_lives_when_the_clock_is_set_back_holds_the_job_on(study):
    job = new_job(study)
    lease = held(job)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() + timedelta(hours=1))
    lease.beat(1, 2)
    assert claim(job_id=job.pk) is None


def test_a_result_that_cannot_be_written_leaves_the_job_to_be_done_again(study):
    job = new_job(study)
    lease = held(job)

    def write() -> None:
        raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="disk"):
        lease.complete(write)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_a_cancelled_job_stops_its_worker_at_the_next_heartbeat(study):
    job = new_job(study)
    lease = held(job)
    assert cancel(job=job).state == JobState.CANCELLED
    with pytest.raises(LeaseLost):
        lease.beat(1, 2)
    with pytest.raises(NotAllowedNow):
        cancel(job=job)


def test_the_sweep_publishes_what_no_one_holds_and_leaves_the_rest(study):
    job = new_job(study)
    assert sweep() == 1
    assert sweep() == 0
    assert sweep(starting=True) == 1
    held(job)
    assert sweep(starting=True) == 0
    run_out(job)
    assert sweep() == 1


def test_a_job_that_is_interrupted_again_and_again_fails_with_a_reason(study, caplog):
    job = new_job(study)
    for _ in range(settings.JOB_MAX_ATTEMPTS):
        held(job)
        run_out(job)
    assert claim(job_id=job.pk) is None
    assert sweep() == 0
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.FAILED, "too_many_attempts")
    assert f"Job {job.pk} failed: too_many_attempts: The job was interrupted" in caplog.text


def test_the_log_that_the_system_page_names_has_the_reason_of_a_failed_job(study, caplog, client):
    job = new_job(study)
    held(job).fail(code="unknown_model", message="There is no model “m”.")
    held_before = held(new_job(study))
    held_before.complete(lambda: None)
    held_before.fail(code="late", message="It has ended.")
    client.force_login(User.objects.create_user("site@example.org", is_site_administrator=True))
    page = " ".join(client.get(reverse("site-system")).content.decode().split())
    assert f"in a line that begins with “Job {job.pk} failed”" in page
    assert "<code>unknown_model</code>" in page
    lines = [one for one in caplog.messages if "failed" in one]
    assert lines == [f"Job {job.pk} failed: unknown_model: There is no model “m”."]
