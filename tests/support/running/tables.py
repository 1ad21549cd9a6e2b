"""The product's tables, made once for a run: each database that begins with them is a copy."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.support import postgres
from tests.support.installation import Installation

DATABASE = "groundwork.sqlite3"


def copy_to(path: Path) -> None:
    """A new SQLite file that has the tables."""
    made = _root() / "tables.sqlite3"
    with _one_process_at_a_time():
        if not made.exists():
            installation = Installation(_root() / "tables" / "var", {})
            _migrate(installation)
            (installation.var / DATABASE).rename(made)
    shutil.copyfile(made, path)


def template_on(server: str) -> str:
    """The name of a database on this PostgreSQL server that has the tables; `drop_template` removes it."""
    name = _template_name()
    with _one_process_at_a_time():
        if not postgres.exists(server, name):
            url = postgres.create(server, name)
            _migrate(Installation(_root() / "tables" / "var", {"DATABASE_URL": url}))
    return name


def drop_template(server: str) -> None:
    postgres.drop(server, _template_name())


def _migrate(installation: Installation) -> None:
    installation.var.parent.mkdir(exist_ok=True)
    done = installation.manage("migrate", "--skip-checks", "-v", "0")
    assert done.returncode == 0, done.stderr


def _root() -> Path:
    """The folder that all processes of this run share."""
    return Path(os.environ["GROUNDWORK_TEST_ROOT"])


def _template_name() -> str:
    """Another name in each run: several may use one server."""
    return f"groundwork_tables_{_root().name.rpartition('-')[2]}"


@contextlib.contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    with (_root() / "tables.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
