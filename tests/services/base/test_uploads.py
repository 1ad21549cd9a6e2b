"""A sent file waits for a worker, is read once, and nothing of it is left but what came of it."""

from __future__ import annotations

import math
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from annotation.domain.base.errors import FileRefused, InvalidContent, LeaseLost, NotAllowedNow
from annotation.io.base.reading_limits import ReadingLimits, read_beforehand
from annotation.models import Item, Job, Upload
from annotation.services.base.jobs import Lease, cancel, claim
from annotation.services.base.uploads.acts import TABLE
from annotation.services.base.uploads.reading import read_upload
from annotation.services.base.uploads.receiving import (
    forget_uploads,
    has_ended,
    outcome_of,
    receive_upload,
    wait_for,
)
from annotation.tasks import run_job
from tests.support.costly_files import workbook_of_shared_strings
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
ITEMS = b"item,simile\ni1,like rain\n"


@pytest.fixture
def cast(settings: Any, tmp_path: Path) -> Cast:
    settings.MEDIA_ROOT = tmp_path
    return make_cast(opened=False)


def sent(cast: Cast, content: bytes = ITEMS, name: str = "my.csv") -> Upload:
    file = SimpleUploadedFile(name, content)
    return receive_upload(act="items", file=file, actor=cast.users["owner"], study=cast.study)


@pytest.mark.parametrize(
    ("names", "code"),
    [(["a.png", "b.png", "a.png"], "name_twice"), (["雨" * 80 + ".png"], "name_too_long")],
)
def test_files_whose_names_cannot_be_stored_are_refused(cast: Cast, names: list[str], code: str) -> None:
    files = [SimpleUploadedFile(name, b"x") for name in names]
    with pytest.raises(InvalidContent) as refused:
        receive_upload(act="media", file=files, actor=cast.users["owner"], study=cast.study)
    assert refused.value.code == code
    assert not Upload.objects.exists()


def leased(upload: Upload) -> Lease:
    lease = claim(job_id=upload.job_id or 0)
    assert lease is not None
    return lease


def test_it_is_read_by_the_job_and_its_file_is_deleted(cast: Cast) -> None:
    upload = sent(cast)
    assert (upload.place / "upload.csv").read_bytes() == ITEMS
    assert not has_ended(upload)
    assert not wait_is_over_without_a_worker(upload)
    run_job(upload.job_id or 0)
    assert has_ended(upload)
    assert outcome_of(upload) == {"stored": 1}
    assert cast.study.items.filter(key="i1").exists()
    assert not upload.place.exists()


def test_what_a_worker_stores_between_two_queries_is_not_taken_for_a_failure(cast: Cast) -> None:
    upload, queries = sent(cast), []

    def then_read(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        queries.append(sql)
        if len(queries) == 1:
            run_job(upload.job_id or 0)
        return found

    with connection.execute_wrapper(then_read):
        ended = has_ended(upload)
    assert not ended or outcome_of(upload) == {"stored": 1}
    assert has_ended(upload)
    assert outcome_of(upload) == {"stored": 1}


def wait_is_over_without_a_worker(upload: Upload) -> bool:
    return upload.job is None or upload.job.state != "queued"


def test_a_refused_file_stores_nothing_says_why_and_is_deleted(cast: Cast) -> None:
    upload = sent(cast, b"item,simile\ni1\n")
    run_job(upload.job_id or 0)
    assert has_ended(upload)
    with pytest.raises(FileRefused) as refusal:
        outcome_of(upload)
    assert [(one.file, one.row, one.code) for one in refusal.value.problems] == [("my.csv", 2, "ragged_row")]
    assert Job.objects.get(upload=upload).error_code == "ragged_row"
    assert not upload.place.exists()


def test_members_read_what_a_refused_file_holds_and_the_log_of_the_worker_has_only_the_code(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    upload = sent(cast, b"item,simile\ni1,Jane Doe\ni1,Jane Doe again\n", "Jane.csv")
    run_job(upload.job_id or 0)
    job = Job.objects.get(upload=upload)
    assert "Jane" in job.error
    assert f"Job {job.pk} failed: {job.error_code}: The “Jobs” page has the reason." in caplog.messages
    assert "Jane" not in caplog.text


def test_a_costly_file_is_refused_by_its_limit_and_nothing_is_stored(cast: Cast, settings: Any) -> None:
    settings.UPLOAD_SECONDS = 1
    before = Item.objects.count()
    upload = sent(cast, workbook_of_shared_strings(1_500_000), "my.xlsx")
    assert wait_for(upload, seconds=0)
    with pytest.raises(FileRefused, match="more than 1 s of processor time"):
        outcome_of(upload)
    assert Job.objects.get(upload=upload).error_code == "file_too_costly"
    assert Item.objects.count() == before
    assert not upload.place.exists()


def test_a_worker_that_lost_the_job_stores_nothing(cast: Cast) -> None:
    upload = sent(cast)
    lease = leased(upload)
    cancel(job=lease.job)
    with pytest.raises(LeaseLost):
        read_upload(lease=lease)
    assert not cast.study.items.filter(key="i1").exists()
    assert has_ended(upload)
    with pytest.raises(NotAllowedNow) as stopped:
        outcome_of(upload)
    assert stopped.value.code == "stopped"


def test_a_message_that_comes_twice_stores_the_items_once(cast: Cast) -> None:
    upload = sent(cast)
    run_job(upload.job_id or 0)
    run_job(upload.job_id or 0)
    upload.refresh_from_db()
    assert outcome_of(upload) == {"stored": 1}


def test_what_a_killed_attempt_left_next_to_the_file_is_not_read_and_goes(cast: Cast) -> None:
    upload = sent(cast)
    leased(upload)
    left = [upload.place / f"upload.csv.{number:032x}.read" for number in range(20)]
    for path in (*left, upload.place / "upload.csv.read", upload.place / "upload.other"):
        path.write_bytes(b"half a row")
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    def seen_by_the_reader(_: int) -> None:
        assert not any(path.exists() for path in left)

    limits = ReadingLimits(60, 512, 1000)
    asked: dict[str, Any] = {"reader": TABLE, "name": "my.csv", "options": {}, "seen": seen_by_the_reader}
    with read_beforehand(upload.place / "upload.csv", limits=limits, **asked):
        assert not any(path.exists() for path in left)
    run_job(upload.job_id or 0)
    assert has_ended(upload)
    assert outcome_of(upload) == {"stored": 1}
    assert not upload.place.exists()


def test_a_long_name_keeps_the_ending_by_which_the_file_is_read(cast: Cast) -> None:
    upload = sent(cast, name=f"{'a' * 240}.csv")
    assert (len(upload.name), upload.name[-5:]) == (200, "a.csv")
    run_job(upload.job_id or 0)
    assert has_ended(upload)
    assert outcome_of(upload) == {"stored": 1}


def test_a_worker_that_lost_the_job_refuses_no_file_that_another_one_reads(cast: Cast) -> None:
    upload = sent(cast, b"item,item\na,b\n")
    first = leased(upload)
    first._beaten = math.inf  # as one that beat just before it was stopped for a while
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = leased(upload)
    with pytest.raises(LeaseLost):
        read_upload(lease=first)
    upload.refresh_from_db()
    assert (upload.refusal, upload.place.exists()) == (None, True)
    with pytest.raises(FileRefused):
        read_upload(lease=second)
    assert not upload.place.exists()


def test_files_that_no_job_will_read_are_forgotten_and_waiting_ones_stay_however_old(cast: Cast) -> None:
    stopped, waiting, running, ended = sent(cast), sent(cast), sent(cast), sent(cast)
    leased(running)
    for upload in (stopped, ended):
        assert upload.job is not None
        cancel(job=upload.job)
    without_row, not_ours = (stopped.place.parent / name for name in ("0" * 32, "lost+found"))
    for place in (without_row, not_ours):
        place.mkdir()
    places = [upload.place for upload in (stopped, waiting, running, ended)]
    for place in (*places, without_row, not_ours):
        os.utime(place, (0, 0))
    long_ago = timezone.now() - timedelta(days=2)
    Upload.objects.update(created_at=long_ago)
    Job.objects.filter(upload=ended).update(finished_at=long_ago)
    forget_uploads()
    assert [place.exists() for place in (*places, without_row, not_ours)] == [
        False, True, True, False, False, True,
    ]  # fmt: skip
    # What came of an upload can be asked for a day after it came, not after the file was sent.
    assert set(Upload.objects.values_list("pk", flat=True)) == {stopped.pk, waiting.pk, running.pk}
