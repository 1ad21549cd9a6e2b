"""The database of the tests is the one the product uses."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from config.settings.database import REPEATED, database

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")


def pragma(name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return cursor.fetchone()[0]


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_the_tests_run_on_a_wal_file_of_their_own_process_not_in_shared_memory():
    path = Path(connection.settings_dict["NAME"])
    assert path.is_file()
    assert os.environ.get("PYTEST_XDIST_WORKER", "main") in path.name
    assert path.is_relative_to(os.environ["GROUNDWORK_TEST_ROOT"])
    assert pragma("journal_mode") == "wal"
    assert path.with_name(path.name + "-wal").exists()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_write_waits_for_the_lock_at_its_beginning_and_is_durable_and_checked():
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert pragma("busy_timeout") == 30_000
    assert pragma("synchronous") == 2
    assert pragma("foreign_keys") == 1


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_another_connection_reads_while_one_writes():
    from django.db import transaction

    with sqlite3.connect(connection.settings_dict["NAME"]) as reader, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'nobody'")
        assert reader.execute("SELECT count(*) FROM django_migrations").fetchone()[0] > 0
    reader.close()


@pytest.mark.parametrize(("word", "threshold"), [("", REPEATED), ("true", REPEATED), ("no", None)])
def test_postgresql_prepares_statements_unless_configured_otherwise(monkeypatch, tmp_path, word, threshold):
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody@localhost:5432/ratings")
    monkeypatch.setenv("DATABASE_PREPARED", word)
    found = database(default_file=tmp_path / "unused", sqlite_options={})
    assert (found["ENGINE"], found["OPTIONS"]["prepare_threshold"]) == ("config.postgresql", threshold)
