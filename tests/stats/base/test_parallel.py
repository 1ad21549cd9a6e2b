"""Parts that run side by side: their results keep their order, and none outlives a failure."""

from __future__ import annotations

import itertools
import threading

import pytest

from scoring.stats.base.parallel import run_parallel


class Refusal(Exception):
    pass


def steps(number: int):
    def part(tick) -> int:
        for _ in range(number):
            tick(1)
        return number

    return part


def test_results_come_in_the_order_of_the_parts_and_all_steps_are_counted():
    reported: list[tuple[int, int]] = []
    assert run_parallel([steps(5), steps(0), steps(3)], 8, lambda *at: reported.append(at)) == [5, 0, 3]
    assert reported[-1] == (8, 8)
    assert all(sooner <= later for sooner, later in itertools.pairwise(reported))


def test_a_failing_part_ends_the_others_and_says_why():
    begun, ended = threading.Event(), threading.Event()

    def failing(_tick):
        begun.wait(10)
        raise Refusal("no such level")

    def endless(tick):
        begun.set()
        try:
            while True:
                tick(1)
        finally:
            ended.set()

    with pytest.raises(Refusal, match="no such level"):
        run_parallel([failing, endless], 1)
    assert ended.is_set()


def test_an_error_raised_by_the_progress_callback_ends_all_parts():
    ended = []

    def endless(tick):
        try:
            while True:
                tick(1)
        finally:
            ended.append(threading.current_thread().name)

    def cancelled(_done, _total):
        raise Refusal("cancelled")

    with pytest.raises(Refusal, match="cancelled"):
        run_parallel([endless, endless], 1, cancelled)
    assert len(ended) == 2


def test_progress_is_reported_in_the_thread_of_the_caller():
    threads = set()
    run_parallel([steps(1), steps(1)], 2, lambda *_: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}
