"""A PostgreSQL for the tests: the one that answers, or one of our own in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql

from tests.support.ports import answers, free_port

USUAL_URL = "postgres://postgres@127.0.0.1:5432/postgres"
BINARIES = Path("/usr/lib/postgresql")


@contextlib.contextmanager
def running() -> Iterator[str | None]:
    """The address of a server on which we may make databases; None where there is none."""
    given = os.environ.get("TEST_POSTGRES_URL", "")
    if given or (answers(5432) and _lets_us_in(USUAL_URL)):
        yield given or USUAL_URL
        return
    binaries = _newest_binaries()
    if binaries is None:
        yield None
        return
    with _cluster(binaries) as url:
        yield url


@contextlib.contextmanager
def scratch_database(url: str, name: str, template: str = "template1") -> Iterator[str]:
    """A database of that name beside the one in the address, empty or a copy, dropped afterwards."""
    drop(url, name)
    try:
        yield create(url, name, template)
    finally:
        drop(url, name)


def create(url: str, name: str, template: str = "template1") -> str:
    """Make a database beside the one in the address, as a copy of the template; its address."""
    order = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    _execute(url, order)
    return f"{url.rpartition('/')[0]}/{name}"


def drop(url: str, name: str) -> None:
    _execute(url, sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def exists(url: str, name: str) -> bool:
    with psycopg.connect(url) as server:
        found = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        return found.fetchone() is not None


def _execute(url: str, order: sql.Composed) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(order)


def _lets_us_in(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=3):
            return True
    except psycopg.OperationalError:
        return False


def _newest_binaries() -> Path | None:
    found = sorted(BINARIES.glob("*/bin/initdb"), key=lambda path: int(path.parents[1].name))
    return found[-1].parent if found else None


@contextlib.contextmanager
def _cluster(binaries: Path) -> Iterator[str]:
    """A throw-away server; it refuses to run as root, so root runs it as `postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="groundwork-postgres-"))
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres", "postgres")
    port, data = free_port(), str(folder / "data")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    control = [*user, str(binaries / "pg_ctl"), "-D", data]
    initdb = [*user, str(binaries / "initdb"), "-D", data, "-U", "postgres", "-A", "trust"]
    try:
        _run([*initdb, "-E", "UTF8", "--locale=C.UTF-8"], folder)
        _run([*control, "-w", "-l", str(folder / "log"), "-o", options, "start"], folder)
        try:
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
