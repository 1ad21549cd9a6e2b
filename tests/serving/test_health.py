"""What the health addresses say."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.models import Job, User, WorkerProcess

PARTS = {"static_files", "database", "migrations", "broker", "disk", "workers"}
SECRET = "s3cret-passw0rd"
QUEUES = [queue.broker_name for queue in Queue]
MODELS = Queue.MODELS.broker_name
OTHERS = [name for name in QUEUES if name != MODELS]


def worker(*, silent: float = 0, stopped: int = 0, **given: Any) -> WorkerProcess:
    """A worker that was last heard of so many seconds ago, with so many stopped processes of two."""
    now = timezone.now()
    beats = [(now - timedelta(seconds=3600 if n < stopped else 0)).timestamp() for n in range(2)]
    fields = {"name": f"celery@{uuid.uuid4().hex}", "host": "here", "pid": 1, "version": "1", "slots": 2}
    fields |= {"queues": QUEUES, "slot_beats": beats}
    fields["started_at"] = now - timedelta(hours=1)
    return WorkerProcess.objects.create(seen_at=now - timedelta(seconds=silent), **(fields | given))


def ready(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get(reverse("health_ready"))
    body = answer.json()
    assert set(body["checks"]) == PARTS
    assert {name for part in body["checks"].values() for name in part} == {"state", "code", "message"}
    return answer.status_code, body


def workers_after(client: Client) -> tuple[int, str, str]:
    status, body = ready(client)
    return status, body["checks"]["workers"]["state"], body["checks"]["workers"]["message"]


def test_live_needs_no_database(client: Client, settings):
    assert client.get(reverse("health_live")).content == b"ok"


@pytest.mark.django_db
def test_ready_when_every_part_is_in_order(client: Client):
    worker()
    status, body = ready(client)
    assert (status, body["code"]) == (200, "ready")
    assert {part["state"] for part in body["checks"].values()} == {"ok"}


@pytest.mark.django_db
def test_not_ready_when_a_migration_is_missing(client: Client):
    newest = MigrationRecorder.Migration.objects.filter(app="scoring").order_by("name").last()
    assert newest is not None
    newest.delete()
    status, body = ready(client)
    assert (status, body["code"]) == (503, "migrations_missing")
    assert "manage.py migrate" in body["message"]


@pytest.mark.django_db
def test_not_ready_below_the_least_room_on_the_disk(client: Client, settings):
    worker()
    settings.DISK_FLOOR_BYTES = 2**60
    status, body = ready(client)
    assert (status, body["code"]) == (503, "disk_full")
    assert "GROUNDWORK_DISK_FLOOR_MB" in body["message"]


@pytest.mark.django_db
@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_not_ready_without_its_broker_and_no_password_is_shown(client: Client, settings, scheme):
    worker()
    settings.CELERY_BROKER_URL = f"{scheme}://user:{SECRET}@127.0.0.1:1//"
    del settings.CELERY_BROKER_TRANSPORT_OPTIONS
    answer = client.get(reverse("health_ready"))
    assert (answer.status_code, answer.json()["code"]) == (503, "broker_unreachable")
    assert "CELERY_BROKER_URL" in answer.json()["message"]
    assert SECRET not in answer.content.decode()
    assert "127.0.0.1" not in answer.content.decode()


@pytest.mark.django_db
def test_not_ready_without_its_database_and_what_hangs_on_it_is_not_known(client: Client, monkeypatch):
    def refused(*_: Any) -> None:
        raise OperationalError(f"could not connect to user:{SECRET}@db")

    with monkeypatch.context() as away:
        away.setattr(connection, "cursor", refused)
        status, body = ready(client)
    assert (status, body["code"]) == (503, "database_unreachable")
    assert body["checks"]["workers"]["code"] == "workers_unknown"
    assert SECRET not in str(body)


@pytest.mark.django_db
class TestWorkers:
    def test_without_a_worker_it_is_not_ready(self, client: Client):
        status, state, message = workers_after(client)
        assert (status, state) == (503, "failed")
        assert message.startswith("No worker is running.")

    def test_the_only_worker_is_silent(self, client: Client):
        worker(silent=70)
        assert workers_after(client)[:2] == (503, "failed")

    def test_one_of_two_is_silent_and_the_other_does_the_same_work(self, client: Client):
        worker()
        worker(silent=70)
        status, state, message = workers_after(client)
        assert (status, state) == (200, "warning")
        assert message == "1 of 2 workers has not responded for 70 seconds."

    def test_the_only_worker_of_a_queue_is_silent(self, client: Client):
        worker(queues=OTHERS)
        worker(silent=70, queues=[MODELS])
        status, state, message = workers_after(client)
        assert (status, state) == (503, "failed")
        assert f"No responding worker serves these queues: {MODELS}." in message

    def test_no_worker_was_started_for_a_queue(self, client: Client):
        worker(queues=OTHERS)
        status, body = ready(client)
        assert (status, body["checks"]["workers"]["code"]) == (503, "queue_without_worker")
        message = f"No worker serves these queues: {MODELS}."
        assert body["checks"]["workers"]["message"] == message
        client.force_login(User.objects.create_user("site@example.org", is_site_administrator=True))
        assert message in client.get(reverse("site-system")).content.decode()

    def test_one_process_of_a_pool_is_stopped_or_all_are(self, client: Client):
        only = worker(stopped=1)
        assert workers_after(client)[:2] == (200, "warning")
        only.delete()
        worker(stopped=2)
        assert workers_after(client)[:2] == (503, "failed")

    def test_a_running_job_whose_heartbeat_stops(self, client: Client):
        job = self._job(heartbeat_before=70)
        one = worker(slots=1, jobs=[job.pk], slot_beats=[timezone.now().timestamp()])
        status, state, message = workers_after(client)
        assert (status, state) == (503, "failed")
        assert f"The worker of job {job.pk} does not respond" in message
        one.delete()
        worker()
        assert workers_after(client)[:2] == (200, "warning")

    def test_a_worker_whose_main_loop_does_the_job_is_heard_of_by_its_job(self, client: Client):
        job = self._job(heartbeat_before=1)
        worker(silent=70, slots=1, jobs=[job.pk], slot_beats=[])
        assert workers_after(client)[:2] == (200, "ok")

    @staticmethod
    def _job(*, heartbeat_before: float) -> Job:
        now = timezone.now()
        heartbeat = now - timedelta(seconds=heartbeat_before)
        return Job.objects.create(
            kind="reliability", state="running", started_at=heartbeat, heartbeat=heartbeat
        )
