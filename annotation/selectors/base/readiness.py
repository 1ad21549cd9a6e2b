"""Whether this installation is ready: each part with a state and a sentence.

The sentences are public, so none of them contains an address, a host or a secret.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import translation
from kombu import Connection
from kombu.exceptions import KombuError, OperationalError

from annotation.selectors.base.worker_words import troubles
from annotation.selectors.base.workers import workforce
from config.command_line import command
from config.operations.recent_answer import RecentAnswer, StillComputing
from config.static_files import manifest_is_missing, missing_manifest

OK, WARNING, FAILED = "ok", "warning", "failed"
BROKER_SECONDS = 2
# How old an answer may be that is given while the next check runs.
WHILE_CHECKING = 10
CHECKS_HANG = (
    f"A check has not finished for {WHILE_CHECKING} seconds: the database or the disk does not respond. "
    "Check both, then restart the server."
)
BROKER_ERRORS = (OperationalError, KombuError, OSError)
BROKERS = {
    "redis": "Redis",
    "rediss": "Redis",
    "amqp": "RabbitMQ",
    "amqps": "RabbitMQ",
    "filesystem": "files",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One part: its name, how it is, a stable code and a sentence."""

    part: str
    state: str
    code: str
    message: str


def readiness() -> list[Check]:
    """The static files, the database, its tables, the broker, the disk and the workers, in this order.

    In English. One check runs in a process at a time, and what it found is the answer for some seconds: a
    broker that does not answer holds one thread of the web server, however many ask. Where the check itself
    hangs, that is the answer.
    """
    try:
        return _recent.get(settings.READINESS_SECONDS)
    except StillComputing:
        return [Check("checks", FAILED, "checks_hang", CHECKS_HANG)]


def _check() -> list[Check]:
    with translation.override("en"):
        return _each_part()


_recent = RecentAnswer(_check, while_computing=WHILE_CHECKING)


def _each_part() -> list[Check]:
    database = _database()
    checks = [_static_files(), database]
    if database.state == OK:
        checks.append(_after_database("migrations", _migrations))
    else:
        checks.append(_unknown("migrations"))
    checks += [_broker(), _disk()]
    if all(check.state == OK for check in checks if check.part in {"database", "migrations"}):
        checks.append(_after_database("workers", _workers))
    else:
        checks.append(_unknown("workers"))
    return checks


def broker_name() -> str:
    """The name of the broker."""
    scheme = str(settings.CELERY_BROKER_URL).partition(":")[0].partition("+")[0]
    return BROKERS.get(scheme, scheme)


@contextmanager
def broker_connection() -> Iterator[Connection]:
    """A connection to the broker, made within seconds or given up with one of `BROKER_ERRORS`."""
    options = {
        **getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {}),
        "socket_connect_timeout": BROKER_SECONDS,
        "socket_timeout": BROKER_SECONDS,
    }
    with current_app.connection_for_write(
        url=settings.CELERY_BROKER_URL, connect_timeout=BROKER_SECONDS, transport_options=options
    ) as asked:
        asked.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
        yield asked


def free_bytes() -> int:
    """Free bytes on the disk of the installation's files and, on SQLite, of its database."""
    return min(shutil.disk_usage(folder).free for folder in _folders())


def _folders() -> set[Path]:
    folders = {Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(str(connection.settings_dict["NAME"])).parent)
    return {folder for folder in folders if folder.is_dir()}


def _static_files() -> Check:
    if manifest_is_missing():
        return Check("static_files", FAILED, "static_files_missing", missing_manifest())
    return Check("static_files", OK, "static_files", "The static files are collected.")


def _database() -> Check:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        sentence = "The database does not answer: check DATABASE_URL."
        return Check("database", FAILED, "database_unreachable", sentence)
    return Check("database", OK, "database", f"The database answers ({connection.display_name}).")


def _after_database(part: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except DatabaseError:
        return _unknown(part)


def _unknown(part: str) -> Check:
    sentence = "Unknown: the database does not answer or is not up to date."
    return Check(part, FAILED, f"{part}_unknown", sentence)


def _migrations() -> Check:
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        sentence = f"Migrations that are not applied: {missing}. Run: {command('migrate')}"
        return Check("migrations", FAILED, "migrations_missing", sentence)
    return Check("migrations", OK, "migrations", "Every migration is applied.")


def _broker() -> Check:
    failed = Check(
        "broker",
        FAILED,
        "broker_unreachable",
        f"The broker ({broker_name()}) does not answer: check CELERY_BROKER_URL.",
    )
    if broker_name() == "files":
        folder = Path(str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return failed
    else:
        try:
            with broker_connection():
                pass
        except BROKER_ERRORS:
            return failed
    return Check("broker", OK, "broker", f"The broker answers ({broker_name()}).")


def _disk() -> Check:
    free, floor = (number // 1024**2 for number in (free_bytes(), settings.DISK_FLOOR_BYTES))
    if free < floor:
        sentence = (
            f"{free} MB are free on the disk with Groundwork’s files, less than GROUNDWORK_DISK_FLOOR_MB "
            f"({floor}). Free some space."
        )
        return Check("disk", FAILED, "disk_full", sentence)
    return Check("disk", OK, "disk", f"{free} MB are free on the disk with Groundwork’s files.")


def _workers() -> Check:
    force = workforce()
    found = troubles(force)
    if not found:
        return Check("workers", OK, "workers", "Every worker answers.")
    if not force.workers:
        state, code = FAILED, "no_worker"
    elif force.queues_without_worker:
        state, code = FAILED, "queue_without_worker"
    else:
        state, code = FAILED if force.idle_queues else WARNING, "workers_silent"
    return Check("workers", state, code, " ".join(found))
