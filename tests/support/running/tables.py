"""The product's tables, made once for a run: each database that begins with them is a copy."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.support import postgres
from tests.support.installation import Installation

DATABASE = "groundwork.sqlite3"
COLLECT = """
from annotation.serving.startup_tasks import collect_static_if_stale
collect_static_if_stale()
"""
# Of both passes of `tests.run`.
SHARED_FOLDER = "TEST_TABLES"


def copy_to(path: Path) -> None:
    """A new SQLite file that has the tables."""
    made = _root() / "tables.sqlite3"
    with _one_process_at_a_time():
        if not made.exists():
            installation = Installation(_root() / "tables" / "var", {})
            _migrate(installation)
            (installation.var / DATABASE).rename(made)
    shutil.copyfile(made, path)


def of_an_installation(var: Path) -> None:
    """The folder of an installation on SQLite that has the tables, nothing in them, and the static files."""
    var.mkdir()
    copy_to(var / DATABASE)
    link_static_files(var)


def link_static_files(var: Path) -> None:
    """The static files as a first start collects them, in the folder of an installation."""
    made = _root() / "static"
    with _one_process_at_a_time():
        if not made.exists():
            installation = Installation(_root() / "collecting" / "var", {})
            installation.var.parent.mkdir(exist_ok=True)
            done = installation.manage("shell", "-v", "0", "-c", COLLECT)
            assert done.returncode == 0, done.stderr
            (installation.var / "static").rename(made)
    shutil.copytree(made, var / "static", copy_function=os.link)


def template_on(server: str) -> str:
    """The name of a database on this PostgreSQL server that has the tables; `drop_template` removes it."""
    name = _template_name()
    with _one_process_at_a_time():
        if not postgres.exists(server, name):
            url = postgres.create(server, name)
            _migrate(Installation(_root() / "tables" / "var", {"DATABASE_URL": url}))
    return name


def drop_template(server: str) -> None:
    """Remove it, unless both passes of `tests.run` share it."""
    if SHARED_FOLDER not in os.environ:
        postgres.drop(server, _template_name())


@contextlib.contextmanager
def shared(folder: Path, server: str | None) -> Iterator[None]:
    """All that is started meanwhile makes the tables of each database once."""
    os.environ[SHARED_FOLDER] = str(folder)
    try:
        yield
    finally:
        if server:
            postgres.drop(server, _template_name())
        del os.environ[SHARED_FOLDER]


@contextlib.contextmanager
def rows_of_a_module(blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is made in here is there for each test of a module; what a test changes is gone after it.

    Tests take a copy of the objects, because the services under test change those that they are given.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _migrate(installation: Installation) -> None:
    installation.var.parent.mkdir(exist_ok=True)
    done = installation.manage("migrate", "--skip-checks", "-v", "0")
    assert done.returncode == 0, done.stderr


def _root() -> Path:
    """The folder that all processes of this run share."""
    return Path(os.environ.get(SHARED_FOLDER) or os.environ["GROUNDWORK_TEST_ROOT"])


def _template_name() -> str:
    """Another name in each run: several may use one server."""
    return f"groundwork_tables_{_root().name.rpartition('-')[2]}"


@contextlib.contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    with (_root() / "tables.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
