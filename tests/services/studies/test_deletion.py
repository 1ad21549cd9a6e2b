"""A study is deleted after its period, completely, once, and whatever happens to the worker meanwhile."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, LeaseLost, NotAllowedNow
from annotation.domain.base.states import JobState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Job, Rating, Study, Upload
from annotation.selectors.base.archives import archive_path, part_path
from annotation.selectors.studies.rows_of_study import owned_models
from annotation.services.base.jobs import Lease, claim
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies import deletion
from annotation.services.studies.deletion import (
    cancel_deletion,
    request_deletion,
    request_due_deletions,
    run_deletion,
)
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from scoring.services.reports.verification import verify
from tests.support.people import Cast, make_cast
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=3, overlap=2)
    for _ in range(2):
        rater = consent(invitation=cast.invitation)
        page = next_assignment(rater=rater)
        given = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=given)
    cast.study = change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    return cast


def asked(cast: Cast) -> Study:
    return request_deletion(study=cast.study, title=cast.study.title, actor=cast.users["owner"])


def due(cast: Cast) -> Job:
    asked(cast)
    return due_now(cast.study)


def due_now(study: Study) -> Job:
    Study.objects.filter(pk=study.pk).update(deleted_after=timezone.now() - timedelta(seconds=1))
    request_due_deletions()
    return Job.objects.get(kind="delete_study")


def rows_left(study_id: int) -> dict[str, int]:
    counts = {one.model._meta.label: one.rows(study_id).count() for one in owned_models()}
    return {label: n for label, n in counts.items() if n}


def test_only_a_closed_study_and_only_with_its_title(cast: Cast, settings: Any) -> None:
    with pytest.raises(InvalidContent) as wrong:
        request_deletion(study=cast.study, title="lamps", actor=cast.users["owner"])
    assert wrong.value.code == "other_title"
    open_study = make_cast(slug="open").study
    with pytest.raises(NotAllowedNow) as running:
        request_deletion(study=open_study, title=open_study.title, actor=None)
    assert running.value.code == "not_closed"
    settings.STUDY_DELETION_DAYS = 10
    study = asked(cast)
    assert study.deleted_after is not None
    assert timedelta(days=9) < study.deleted_after - timezone.now() <= timedelta(days=10)
    assert asked(cast).deleted_after == study.deleted_after
    assert AuditEntry.objects.filter(act="request_deletion").count() == 1
    assert AuditEntry.objects.get(act="request_study_deletion").detail["study"] == "lamps"


def test_until_its_day_a_deletion_can_be_cancelled_and_the_study_cannot_reopen(cast: Cast) -> None:
    asked(cast)
    with pytest.raises(NotAllowedNow) as caught:
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert caught.value.code == "deletion_pending"
    request_due_deletions()
    assert not Job.objects.filter(kind="delete_study").exists()
    cancel_deletion(study=cast.study, actor=cast.users["owner"])
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow):
        cancel_deletion(study=cast.study, actor=cast.users["owner"])


def test_one_that_was_cancelled_after_its_job_was_queued_stays(cast: Cast) -> None:
    job = due(cast)
    cancel_deletion(study=cast.study, actor=cast.users["owner"])
    run_job(job.pk)
    assert Study.objects.filter(pk=cast.study.pk).exists()
    assert Rating.objects.count() == 4


def test_nothing_of_the_study_stays_and_nothing_of_another_goes() -> None:
    study, other = rated_study(), make_cast(slug="other").study
    Study.objects.filter(pk=study.pk).update(state="closed")
    rows_of_other = rows_left(other.pk)
    bundle = Job.objects.create(study=study, kind="bundle", state=JobState.DONE)
    upload = Upload(study=study, act="items", name="x.csv", created_by=study.memberships.earliest("pk").user)
    upload.place.mkdir(parents=True)
    upload.save()
    files = [archive_path(bundle), part_path(bundle, uuid.uuid4())]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"data")
    job = due_now(study)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert not Study.objects.filter(pk=study.pk).exists()
    assert rows_left(study.pk) == {}
    assert not any(map(Path.exists, [*files, upload.place]))
    assert rows_left(other.pk) == rows_of_other
    assert AuditEntry.objects.get(act="delete_study").detail == {"study": study.slug}
    assert verify() == []


def test_a_worker_that_dies_after_any_step_is_followed_by_one_that_ends_the_deletion(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "CHUNK_SIZE", 2)
    job, steps, deaths = due(cast), 0, 0
    beat = Lease.beat

    def dies_soon(self: Lease, done: int, total: int, step: str = "") -> None:
        nonlocal steps
        steps += 1
        if steps % 3 == 0:
            raise LeaseLost("killed")
        beat(self, done, total, step)

    monkeypatch.setattr(Lease, "beat", dies_soon)
    for _ in range(100):
        lease = claim(job_id=job.pk)
        assert lease is not None
        try:
            run_deletion(lease=lease)
        except LeaseLost:
            with pytest.raises(NotAllowedNow):
                cancel_deletion(study=cast.study, actor=cast.users["owner"])
            Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, attempt=0)
            deaths += 1
        else:
            break
    assert deaths > 5
    assert not Study.objects.filter(pk=cast.study.pk).exists()
    assert rows_left(cast.study.pk) == {}
    assert AuditEntry.objects.filter(act="delete_study").count() == 1


def test_a_deletion_that_another_job_has_ended_meanwhile_ends_without_an_error(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    slower = due(cast)
    faster = Job.objects.create(kind="delete_study", params=slower.params)
    beat = Lease.beat

    def overtaken(self: Lease, done: int, total: int, step: str = "") -> None:
        monkeypatch.setattr(Lease, "beat", beat)
        run_job(faster.pk)

    monkeypatch.setattr(Lease, "beat", overtaken)
    run_job(slower.pk)
    assert set(Job.objects.filter(kind="delete_study").values_list("state", flat=True)) == {JobState.DONE}
    assert AuditEntry.objects.filter(act="delete_study").count() == 1


def test_from_the_first_step_on_no_member_reaches_the_study(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Job.objects.create(
        study=cast.study,
        kind="report",
        state=JobState.RUNNING,
        lease=uuid.uuid4(),
        lease_until=timezone.now(),
    )

    def dies(*_: object) -> None:
        raise LeaseLost("killed")

    monkeypatch.setattr(Lease, "beat", dies)
    run_job(due(cast).pk)
    assert cast.client("owner").get(cast.base + "/").status_code == 404
    running.refresh_from_db()
    assert running.state == JobState.CANCELLED


def test_every_model_that_points_to_a_study_is_known_and_in_an_order_that_no_reference_forbids() -> None:
    order = [one.model for one in owned_models()]
    assert {"Rating", "Report", "AuditEntry", "ScoreRun", "PlatformIdentity", "WebhookDelivery"} <= {
        model.__name__ for model in order
    }
    for model in apps.get_models():
        # A study that names its pilot does not go with it.
        if model is Study:
            continue
        if any(field.related_model is Study for field in model._meta.fields if field.is_relation):
            assert model in order
