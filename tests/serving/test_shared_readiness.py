"""A check that takes long holds one thread of the web server, however many ask for it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from config.operations.recent_answer import RecentAnswer, StillComputing

CALLERS = 8


class SilentBroker:
    """Takes connections and never says a word."""

    def __init__(self, listening: socket.socket) -> None:
        self.address = f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
        self.taken: list[socket.socket] = []
        threading.Thread(target=self._take, args=(listening,), daemon=True).start()

    def _take(self, listening: socket.socket) -> None:
        while True:
            try:
                self.taken.append(listening.accept()[0])
            except OSError:
                return


@pytest.fixture
def silent_broker(settings: Any) -> Iterator[SilentBroker]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        broker = SilentBroker(listening)
        settings.CELERY_BROKER_URL = broker.address
        del settings.CELERY_BROKER_TRANSPORT_OPTIONS
        yield broker
        listening.shutdown(socket.SHUT_RDWR)
    for one in broker.taken:
        one.close()


def ask(_: int = 0) -> tuple[int, str]:
    """What `/health/ready` says of the broker, as a thread of the web server hears it."""
    try:
        answer = Client().get("/health/ready")
    finally:
        connections.close_all()
    return answer.status_code, answer.json()["checks"]["broker"]["code"]


@contextmanager
def many() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(CALLERS) as pool:
        yield pool


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_does_not_answer_is_asked_once_however_many_ask(
    silent_broker: SilentBroker,
):
    begun = time.monotonic()
    assert ask() == (503, "broker_unreachable")
    one_check, connections_of_one = time.monotonic() - begun, len(silent_broker.taken)
    begun = time.monotonic()
    with many() as pool:
        answers = list(pool.map(ask, range(CALLERS)))
    assert set(answers) == {(503, "broker_unreachable")}
    assert len(silent_broker.taken) == 2 * connections_of_one
    assert time.monotonic() - begun < 2 * one_check


class TestRecentAnswer:
    def test_an_answer_is_given_again_until_it_is_too_old(self):
        computed = iter(range(10))
        recent = RecentAnswer(lambda: next(computed), while_computing=60)
        assert [recent.get(60), recent.get(60), recent.get(0), recent.get(60)] == [0, 0, 1, 1]

    def test_the_first_answer_is_computed_once_and_all_wait_for_it(self):
        computing, begun, may_end = [], threading.Event(), threading.Event()

        def compute() -> int:
            computing.append(1)
            begun.set()
            assert may_end.wait(20)
            return len(computing)

        recent = RecentAnswer(compute, while_computing=60)
        with many() as pool:
            waiting = [pool.submit(recent.get, 60) for _ in range(CALLERS)]
            assert begun.wait(20)
            may_end.set()
            assert {one.result(20) for one in waiting} == {1}

    def test_while_the_next_is_computed_no_caller_waits(self):
        begun, may_end = threading.Event(), threading.Event()
        may_end.set()

        def compute() -> float:
            begun.set()
            assert may_end.wait(20)
            return time.monotonic()

        recent = RecentAnswer(compute, while_computing=60)
        first = recent.get(0)
        begun.clear()
        may_end.clear()
        with many() as pool:
            following = pool.submit(recent.get, 0)
            assert begun.wait(20)
            assert recent.get(0.0001) == first
            may_end.set()
            assert following.result(20) > first

    def test_an_answer_too_old_to_be_given_is_waited_for(self):
        computed = iter(range(10))
        recent = RecentAnswer(lambda: next(computed), while_computing=0)
        recent.get(0)
        assert recent.get(0) == 1

    def test_no_caller_waits_without_end_for_a_check_that_hangs(self):
        begun, may_end = threading.Event(), threading.Event()

        def compute() -> int:
            begun.set()
            assert may_end.wait(20)
            return 1

        recent = RecentAnswer(compute, while_computing=0.05)
        with many() as pool:
            hanging = pool.submit(recent.get, 60)
            assert begun.wait(20)
            with pytest.raises(StillComputing):
                recent.get(60)
            may_end.set()
            assert hanging.result(20) == recent.get(60) == 1

    def test_a_check_that_fails_leaves_the_next_one_free(self):
        outcomes = iter([ZeroDivisionError(), 7])

        def compute() -> object:
            outcome = next(outcomes)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        recent = RecentAnswer(compute, while_computing=60)
        with pytest.raises(ZeroDivisionError):
            recent.get(60)
        assert recent.get(60) == 7
