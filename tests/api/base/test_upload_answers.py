"""The answer to a sent file takes no thread of the web server longer than a few seconds."""

from __future__ import annotations

import threading
import time
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from annotation.api.base import uploads
from annotation.models import Upload, WorkerProcess
from annotation.tasks import run_job
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db(transaction=True)
FILE = "item,simile\ni1,like rain\n"


@pytest.fixture
def cast(settings: Any, tmp_path: Any) -> Cast:
    settings.MEDIA_ROOT = tmp_path
    return make_cast(opened=False)


def worker(queue: str = "groundwork.short", silent: timedelta = timedelta(0)) -> None:
    now = timezone.now()
    WorkerProcess.objects.create(
        key=uuid.uuid4(),
        name="a",
        host="b",
        pid=1,
        version="1",
        queues=[queue],
        started_at=now,
        seen_at=now - silent,
    )


def send(cast: Cast) -> tuple[Any, float]:
    client, begun = cast.client("owner"), time.monotonic()
    file = SimpleUploadedFile("my.csv", FILE.encode())
    answer = client.post(f"{cast.base}/items/", {"file": file}, format="multipart")
    return answer, time.monotonic() - begun


@pytest.mark.parametrize(
    "there",
    [{}, {"queue": "groundwork.models"}, {"silent": timedelta(seconds=60)}],
    ids=["none", "of another queue", "silent"],
)
def test_without_a_worker_that_would_read_it_the_answer_waits_for_nothing(
    cast: Cast, there: dict[str, Any]
) -> None:
    if there:
        worker(**there)
    answer, seconds = send(cast)
    assert answer.status_code == 202
    assert seconds < uploads.SECONDS_OF_ANSWER / 2
    assert answer.json()["state"] == "queued"
    assert answer["Location"] == answer.json()["url"]
    run_job(Upload.objects.get().job_id or 0)
    upload = cast.client("owner").get(answer["Location"]).json()
    assert (upload["state"], upload["outcome"]) == ("done", {"stored": 1})


def test_a_worker_that_is_busy_is_waited_for_five_seconds_and_no_longer(cast: Cast) -> None:
    worker()
    answer, seconds = send(cast)
    assert answer.status_code == 202
    assert uploads.SECONDS_OF_ANSWER == 5
    assert 5 <= seconds < 8


def test_a_file_that_is_read_within_these_seconds_is_answered_as_it_was_stored(cast: Cast) -> None:
    worker()
    reading = threading.Thread(target=read_what_comes)
    reading.start()
    answer, _ = send(cast)
    reading.join()
    assert (answer.status_code, answer.json()) == (201, {"stored": 1})


def read_what_comes() -> None:
    try:
        while (upload := Upload.objects.filter(job__isnull=False).first()) is None:
            time.sleep(0.05)
        run_job(upload.job_id or 0)
    finally:
        connection.close()


def test_what_came_of_a_file_is_shown_to_its_sender_alone(cast: Cast) -> None:
    answer, _ = send(cast)
    assert answer.status_code == 202
    assert cast.client("owner").get(answer["Location"]).status_code == 200
    for other in ("admin", "researcher", "stranger", "superuser"):
        assert cast.client(other).get(answer["Location"]).status_code == 404, other
