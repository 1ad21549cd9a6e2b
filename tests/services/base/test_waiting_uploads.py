"""One account can have so many files waiting to be read and no more; others go on."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as installation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import Role, StudyState
from annotation.models import Job, Upload, User
from annotation.services.base.jobs import cancel
from annotation.services.base.uploads.receiving import dismiss_upload, forget_uploads, receive_upload
from annotation.services.people.members import add_member
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import qualify

pytestmark = pytest.mark.django_db
ITEMS = b"item,simile\ni1,like rain\n"
CODE = "too_many_waiting_files"


@pytest.fixture
def cast(settings: Any, tmp_path: Path) -> Cast:
    settings.MEDIA_ROOT = tmp_path
    settings.UPLOADS_WAITING = 2
    return make_cast(opened=False)


def sent(cast: Cast, who: str = "owner", content: bytes = ITEMS) -> Upload:
    file = SimpleUploadedFile("my.csv", content)
    return receive_upload(act="items", file=file, actor=cast.users[who], study=cast.study)


def refused(cast: Cast, content: bytes = ITEMS) -> str:
    stored = set(Path(installation.MEDIA_ROOT).glob("uploads/*"))
    before = Upload.objects.count(), Job.objects.count()
    with pytest.raises(NotAllowedNow) as refusal:
        sent(cast, content=content)
    assert refusal.value.code == CODE
    assert (Upload.objects.count(), Job.objects.count()) == before
    assert set(Path(installation.MEDIA_ROOT).glob("uploads/*")) == stored
    assert "has been read, then upload this file again." in refusal.value.message
    return refusal.value.message


def test_one_file_more_than_may_wait_is_refused_until_another_is_read(cast: Cast) -> None:
    first = sent(cast)
    sent(cast)
    assert refused(cast).startswith("2 of your files are waiting to be read, which is the limit.")
    sent(cast, who="admin")
    run_job(first.job_id or 0)
    sent(cast)


def test_a_file_whose_reading_was_stopped_counts_until_it_is_deleted(cast: Cast) -> None:
    for upload in (sent(cast), sent(cast)):
        assert upload.job is not None
        cancel(job=upload.job)
    refused(cast)
    for place in Path(installation.MEDIA_ROOT).glob("uploads/*"):
        os.utime(place, (0, 0))
    forget_uploads()
    sent(cast)


def test_a_file_that_was_stopped_and_dismissed_leaves_nothing_on_the_disk(cast: Cast) -> None:
    for _ in range(4):
        upload = sent(cast)
        assert upload.job is not None
        cancel(job=upload.job)
        dismiss_upload(upload=upload)
    assert list(Path(installation.MEDIA_ROOT).glob("uploads/*")) == []


@pytest.mark.parametrize("how", ["deactivated", "removed"])
def test_a_file_is_not_stored_for_a_sender_who_lost_the_right_while_it_waited(cast: Cast, how: str) -> None:
    before = cast.study.items.count()
    upload = sent(cast, who="admin")
    sender = cast.users["admin"]
    if how == "deactivated":
        User.objects.filter(pk=sender.pk).update(is_active=False)
    else:
        cast.study.memberships.filter(user=sender).delete()
    run_job(upload.job_id or 0)
    upload.refresh_from_db()
    assert upload.refusal is not None
    assert upload.refusal["code"] == "sender_without_role"
    assert cast.study.items.count() == before
    assert not upload.place.exists()


@pytest.mark.parametrize("act", ["items", "mapped"])
def test_a_researchers_file_that_waited_while_the_study_opened_changes_no_item(cast: Cast, act: str) -> None:
    before = list(cast.study.items.values_list("key", "fields"))
    upload = receive_upload(
        act=act,
        file=SimpleUploadedFile("my.csv", ITEMS),
        actor=cast.users["researcher"],
        study=cast.study,
        options={"mapping": None, "update": True, "skip": False} if act == "mapped" else {},
    )
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    run_job(upload.job_id or 0)
    upload.refresh_from_db()
    assert (upload.refusal or {}).get("code") == "sender_without_role"
    assert list(cast.study.items.values_list("key", "fields")) == before
    assert not Job.objects.filter(kind="import_items").exists()


def test_an_import_of_who_managed_the_study_when_it_was_asked_for_is_checked_again(cast: Cast) -> None:
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    cast.study.refresh_from_db()
    file = SimpleUploadedFile("my.csv", ITEMS)
    options = {"mapping": None, "update": True, "skip": False}
    admin = cast.users["admin"]
    upload = receive_upload(act="mapped", file=file, actor=admin, study=cast.study, options=options)
    run_job(upload.job_id or 0)
    job = Job.objects.get(kind="import_items")
    assert all(one.params["running"] for one in Job.objects.filter(study=cast.study))
    add_member(study=cast.study, user=admin, role=Role.RESEARCHER, actor=cast.users["owner"])
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "sender_without_role")
    assert not cast.study.items.filter(key="i1").exists()


def test_the_files_of_a_draft_are_deleted_with_it(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    upload = sent(cast)
    assert upload.place.exists()
    with django_capture_on_commit_callbacks(execute=True):
        delete_draft(study=cast.study, actor=cast.users["owner"])
    assert not upload.place.exists()


def test_files_that_wait_are_no_larger_together_than_the_limit(cast: Cast, settings: Any) -> None:
    settings.UPLOADS_WAITING, settings.UPLOADS_WAITING_BYTES = 10, 3 << 20
    first = sent(cast, content=b"i" * (2 << 20))
    refused_for = refused(cast, content=b"i" * ((1 << 20) + 1))
    assert refused_for.startswith("This file and your files that are waiting to be read are larger than 3 MB")
    sent(cast, content=b"i" * (1 << 20))
    refused(cast)
    run_job(first.job_id or 0)
    sent(cast)


def test_the_installation_allows_ten_and_three_times_the_largest_file() -> None:
    assert installation.UPLOADS_WAITING == 10
    assert installation.UPLOADS_WAITING_BYTES == 3 * installation.UPLOAD_MAX_BYTES


def test_the_api_and_the_pages_say_so_and_store_nothing(cast: Cast) -> None:
    qualify(cast, opened=False)
    sent(cast)
    sent(cast)
    file = {"file": SimpleUploadedFile("my.csv", ITEMS)}
    answer = cast.client("owner").post(f"{cast.base}/items/", file, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (409, CODE)
    page = Client()
    page.force_login(cast.users["owner"])
    form = cast.study.forms.latest("pk").pk
    for name, fields in (
        ("study-import", {"what": "items"}),
        ("study-qualification", {"act": "file", "form": form}),
    ):
        file = {"file": SimpleUploadedFile("my.csv", ITEMS)}
        shown = page.post(reverse(name, args=[cast.study.slug]), {**fields, **file})
        assert shown.status_code == 409, name
        assert "2 of your files are waiting to be read" in shown.content.decode(), name
    assert Upload.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_files_that_come_at_once_are_counted_one_by_one(cast: Cast, settings: Any) -> None:
    settings.UPLOADS_WAITING = 1

    def send(_: int) -> str:
        try:
            sent(cast)
        except NotAllowedNow as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "stored"

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(send, range(6)))
    assert answers == ["stored", *[CODE] * 5]
    assert Upload.objects.count() == len(list(Path(installation.MEDIA_ROOT).glob("uploads/*"))) == 1
