"""On SQLite transactions begin in turn, and a process that has ended has no turn any more."""

from __future__ import annotations

import fcntl
import threading
from pathlib import Path

import pytest
from django.db import connection, transaction

from annotation.models import User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows"),
]


def queue_is_free() -> bool:
    with Path(f"{connection.settings_dict['NAME']}-queue").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_the_turn_lasts_until_the_commit():
    with transaction.atomic():
        assert not queue_is_free()
        with transaction.atomic():
            User.objects.create(email="one@example.org")
        assert not queue_is_free()
    assert queue_is_free()


def test_the_turn_ends_with_a_rollback():
    with transaction.atomic():
        User.objects.create(email="one@example.org")
        transaction.set_rollback(True)
    assert queue_is_free()
    assert not User.objects.exists()


def test_the_turn_ends_with_the_connection():
    def begin_and_close() -> None:
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        connection.close()

    other = threading.Thread(target=begin_and_close)
    other.start()
    other.join()
    assert queue_is_free()


def test_a_writer_begins_only_when_the_one_before_has_committed():
    seen: list[str] = []
    asks = threading.Event()

    def write_second() -> None:
        asks.set()
        with transaction.atomic():
            seen.append("second begins")
            User.objects.create(email="two@example.org")
        connection.close()

    second = threading.Thread(target=write_second)
    with transaction.atomic():
        User.objects.create(email="one@example.org")
        second.start()
        asks.wait()
        second.join(timeout=0.3)
        seen.append("first ends")
    second.join()
    assert seen == ["first ends", "second begins"]
    assert User.objects.count() == 2


def test_who_waits_too_long_goes_on_without_the_turn(monkeypatch):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
    with Path(f"{connection.settings_dict['NAME']}-queue").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with transaction.atomic():
            User.objects.create(email="one@example.org")
    assert User.objects.count() == 1


def test_a_queue_that_cannot_be_opened_stops_no_writer():
    queue = Path(f"{connection.settings_dict['NAME']}-queue")
    queue.unlink(missing_ok=True)
    queue.mkdir()
    try:
        with transaction.atomic():
            User.objects.create(email="one@example.org")
    finally:
        queue.rmdir()
    assert User.objects.count() == 1
