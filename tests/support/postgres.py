"""A PostgreSQL for the tests: the one that answers, or one of our own in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.support.installation import descendants, still_running
from tests.support.ports import answers, free_port

USUAL_URL = "postgres://postgres@127.0.0.1:5432/postgres"
BINARIES = Path("/usr/lib/postgresql")
OTHER_OWNER: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []}
START_SECONDS = 60.0


@contextlib.contextmanager
def running() -> Iterator[str | None]:
    """The address of a server on which we may make databases; None where there is none."""
    given = os.environ.get("TEST_POSTGRES_URL", "")
    if given or (answers(5432) and _lets_us_in(USUAL_URL)):
        yield given or USUAL_URL
        return
    with own_cluster() as cluster:
        yield cluster.url if cluster else None


@contextlib.contextmanager
def scratch_database(url: str, name: str, template: str = "template1") -> Iterator[str]:
    """A database of that name on the server of the address, empty or a copy, dropped afterwards."""
    drop(url, name)
    try:
        yield create(url, name, template)
    finally:
        drop(url, name)


def create(url: str, name: str, template: str = "template1") -> str:
    """Make a database on the server of the address, as a copy of the template; its address."""
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


class Cluster:
    """A throw-away server, which can be killed and started again with its data.

    It refuses to run as root, so root runs it as `postgres`.
    """

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._folder, self._data, port = folder, folder / "data", free_port()
        self._owner = OTHER_OWNER if os.geteuid() == 0 else {}
        if self._owner:
            shutil.chown(folder, "postgres", "postgres")
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"
        initdb = [str(binaries / "initdb"), "-D", str(self._data), "-U", "postgres", "-A", "trust"]
        self._popen([*initdb, "-E", "UTF8", "--locale=C.UTF-8"]).wait()
        self._command = [str(binaries / "postgres"), "-D", str(self._data), "-p", str(port)]
        own = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(folder), "fsync": "off"}
        self._command += [f"--{name}={value}" for name, value in own.items()]
        self.start()

    def start(self) -> None:
        self._process = self._popen(self._command)
        until = time.monotonic() + START_SECONDS
        while not _lets_us_in(self.url):
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError((self._folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.1)

    def kill(self) -> None:
        """End all its processes at once, without a word to any of them."""
        pids = [self._process.pid, *descendants(self._process.pid)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait(timeout=10)
        assert still_running(pids) == []

    def stop(self) -> None:
        """At once, without writing down what is still in memory."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=30)

    def _popen(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, **self._owner)


@contextlib.contextmanager
def own_cluster() -> Iterator[Cluster | None]:
    """A server for one test alone, which it may kill; None where PostgreSQL is not installed."""
    binaries = _newest_binaries()
    if binaries is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="groundwork-postgres-"))
    try:
        cluster = Cluster(binaries, folder)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
