"""A person’s own files are listed until something of them is stored: what waits, is read, or was refused."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import JobState, Role
from annotation.models import Job, Membership, Study, Upload, User
from annotation.services.base.uploads.receiving import RETENTION, forget_uploads, receive_upload
from annotation.services.studies.lifecycle import create_study
from annotation.tasks import run_job

pytestmark = pytest.mark.django_db
GOOD = b"item,literal,simile\na,It rained.,It rained like drums.\n"
BAD = b"item,literal,simile\na,It rained.,\nb\nc\n"
LISTS = ("home", "study-new")


@pytest.fixture
def sender(settings: Any, tmp_path: Path) -> User:
    settings.MEDIA_ROOT = tmp_path
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def left(sender: User, content: bytes, page: str = "/studies/new/") -> Upload:
    """A file for a new study whose sender has left the waiting page."""
    asked = {"title": "Lamps", "protocol": "hauser", "overlap": None, "demo": False, "apart": False}
    file = SimpleUploadedFile("similes.csv", content)
    return receive_upload(act="new_study", file=file, actor=sender, options=asked, page=page)


def visitor(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def shown(user: User, name: str) -> str:
    return visitor(user).get(reverse(name)).content.decode()


def read(upload: Upload) -> Upload:
    run_job(upload.job_id or 0)
    upload.refresh_from_db()
    return upload


@pytest.mark.parametrize("name", LISTS)
def test_a_file_that_waits_is_listed_with_what_keeps_it_waiting_and_stopped(sender: User, name: str) -> None:
    upload = left(sender, GOOD)
    page = shown(sender, name)
    assert "similes.csv" in page
    assert "for “<bdi>Lamps</bdi>”" in page
    assert "Waiting for a worker. No worker is running. Jobs wait until a worker starts." in page
    assert f"/studies/new/?upload={upload.pk}" in page
    stop = reverse("upload-stop", args=[upload.pk])
    assert stop in page
    after = visitor(sender).post(stop, {"next": reverse(name)}, follow=True)
    assert after.redirect_chain == [(reverse(name), 302)]
    assert "Stopped reading similes.csv. Nothing was saved." in after.content.decode()
    assert stop not in after.content.decode()
    assert Job.objects.get().state == JobState.CANCELLED
    assert not Study.objects.exists()


def test_a_file_that_is_read_is_listed_with_its_step(sender: User) -> None:
    upload = left(sender, GOOD)
    now = timezone.now()
    Job.objects.filter(pk=upload.job_id or 0).update(
        state=JobState.RUNNING, step="Reading the file, 3.1 MB read", heartbeat=now, started_at=now
    )
    page = shown(sender, "study-new")
    assert "Reading the file, 3.1 MB read." in page
    assert "Waiting for a worker." not in page


@pytest.mark.parametrize("name", LISTS)
def test_a_refused_file_is_listed_with_where_and_why_until_it_is_dismissed(sender: User, name: str) -> None:
    upload = read(left(sender, BAD))
    page = shown(sender, name)
    assert "File rejected. Nothing was saved." in page
    assert "similes.csv, row 3: " in page
    assert "1 more problem is listed on the page of this file." in page
    assert "Correct the file, then upload it again." in page
    dismiss = reverse("upload-dismiss", args=[upload.pk])
    after = visitor(sender).post(dismiss, {"next": reverse(name)}, follow=True).content.decode()
    assert "similes.csv" not in after
    assert not Upload.objects.exists()


def test_a_refused_file_vanishes_by_itself_after_a_day(sender: User) -> None:
    upload = read(left(sender, BAD))
    Job.objects.filter(pk=upload.job_id or 0).update(
        finished_at=timezone.now() - RETENTION - timedelta(minutes=1)
    )
    forget_uploads()
    assert "similes.csv" not in shown(sender, "home")


def test_a_file_that_failed_without_a_refusal_is_listed_with_what_its_job_says(sender: User) -> None:
    upload = left(sender, GOOD)
    Job.objects.filter(pk=upload.job_id or 0).update(
        state=JobState.FAILED, error_code="fault", error="The work failed; see the worker's log."
    )
    page = shown(sender, "home")
    assert "Reading failed. Nothing was saved." in page
    assert "The work failed; see the worker&#x27;s log." in page
    assert "Correct the file" not in page


def test_a_file_that_is_stored_or_was_sent_to_the_api_is_not_listed(sender: User) -> None:
    read(left(sender, GOOD))
    left(sender, GOOD, page="")
    for name in LISTS:
        assert "similes.csv" not in shown(sender, name)


def test_no_one_else_sees_stops_or_dismisses_a_file(sender: User) -> None:
    waits, refused = left(sender, GOOD), read(left(sender, BAD))
    other = User.objects.create_user("other@example.org", "simile-and-metaphor-42")
    assert "similes.csv" not in shown(other, "home")
    for name, upload in (("upload-stop", waits), ("upload-dismiss", refused)):
        assert visitor(other).post(reverse(name, args=[upload.pk])).status_code == 404
    assert Upload.objects.count() == 2


def test_a_file_that_is_still_read_is_not_dismissed(sender: User) -> None:
    upload = left(sender, GOOD)
    answer = visitor(sender).post(reverse("upload-dismiss", args=[upload.pk]), {"next": "/"}, follow=True)
    assert "similes.csv is still being read. Stop reading it first." in answer.content.decode()
    assert Upload.objects.exists()


def test_a_file_refused_in_the_answer_to_its_sending_is_not_listed_again(sender: User) -> None:
    sent = {"title": "Lamps", "protocol": "hauser", "items": SimpleUploadedFile("similes.csv", BAD)}
    answer = visitor(sender).post(reverse("study-new"), sent)
    assert answer.status_code == 422
    assert "cells, but the header has 3" in answer.content.decode()
    assert "similes.csv" not in shown(sender, "home")


def test_who_stops_on_the_waiting_page_stays_on_its_page(sender: User) -> None:
    upload = left(sender, GOOD)
    client = visitor(sender)
    waiting = client.get(f"/studies/new/?upload={upload.pk}").content.decode()
    stop = reverse("upload-stop", args=[upload.pk])
    assert stop in waiting
    page = client.post(stop, follow=True)
    assert "Reading the file was stopped. Nothing was saved." in page.content.decode()
    assert 'value="Lamps"' in page.content.decode()


def test_who_left_a_study_still_sees_the_own_file_and_no_more_what_the_study_is_called(sender: User) -> None:
    owner = User.objects.create_user("other@example.org", "simile-and-metaphor-42")
    study = create_study(slug="lamps", title="Lamps", owner=owner)
    Membership.objects.create(study=study, user=sender, role=Role.ADMIN)
    file = SimpleUploadedFile("similes.csv", GOOD)
    page = reverse("study-import", args=[study.slug])
    receive_upload(act="items", file=file, actor=sender, study=study, options={}, page=page)
    assert "for “<bdi>Lamps</bdi>”" in shown(sender, "home")
    Membership.objects.filter(user=sender).delete()
    listed = shown(sender, "home")
    assert "similes.csv" in listed
    assert "Lamps" not in listed
