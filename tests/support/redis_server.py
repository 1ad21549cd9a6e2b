"""A Redis for the tests: the one that answers, or one of our own that keeps nothing."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator

import redis

from tests.support.ports import free_port

USUAL_URL = "redis://127.0.0.1:6379"
FIRST_DATABASE = 8
QUEUE_KEYS = (
    "groundwork",
    *(f"groundwork.{queue}" for queue in ("short", "reports", "models", "messages")),
    "unacked",
    "unacked_index",
)


@contextlib.contextmanager
def running() -> Iterator[str | None]:
    """The address of a Redis, without the number of a database; None where there is none."""
    url = find()
    if url:
        yield url
        return
    with own_server() as server:
        yield server.url if server else None


class Server:
    """A Redis of our own that forgets everything when it ends; it can be killed and started again."""

    def __init__(self, program: str) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}"
        self._command = [program, "--port", str(port), "--bind", "127.0.0.1"]
        self._command += ["--save", "", "--appendonly", "no"]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        for _ in range(100):
            if _answers(self.url):
                return
            time.sleep(0.1)
        raise AssertionError(f"{self._command[0]} does not answer at {self.url}")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=10)

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=10)


@contextlib.contextmanager
def own_server() -> Iterator[Server | None]:
    """A Redis for one test alone, which it may kill; None where Redis is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    server = Server(program)
    try:
        yield server
    finally:
        server.stop()


def find() -> str | None:
    """`TEST_REDIS_URL`, or the usual port where a Redis answers there."""
    given = os.environ.get("TEST_REDIS_URL", "")
    if given:
        return given
    return USUAL_URL if _answers(USUAL_URL) else None


@contextlib.contextmanager
def empty_queue() -> Iterator[str | None]:
    """A database of the Redis for this test process alone, without messages of earlier tests."""
    url = find()
    if url is None:
        yield None
        return
    own = f"{url}/{FIRST_DATABASE + int(os.environ.get('PYTEST_XDIST_WORKER', 'gw0')[2:])}"
    with redis.Redis.from_url(own) as client:
        client.delete(*QUEUE_KEYS)
        yield own
        client.delete(*QUEUE_KEYS)


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
