"""The time left is shown once the speed is steady, and not before."""

from __future__ import annotations

import pytest

from annotation.domain.base.jobs.pace import Pace


def estimates(samples: list[tuple[float, int]], total: int) -> list[float | None]:
    pace = Pace()
    return [pace.seconds_left(when, done, total) for when, done in samples]


def test_a_steady_job_says_when_it_is_done_and_nothing_at_its_start() -> None:
    found = estimates([(0.5 * step, step) for step in range(200)], total=400)
    assert found[:12] == [None] * 12
    assert found[-1] == pytest.approx((400 - 199) * 0.5, rel=0.01)


def test_a_job_whose_speed_changes_says_nothing_until_it_is_steady_again() -> None:
    quick = [(float(second), 100 * second) for second in range(20)]
    slow = [(20.0 + second, 2000 + second) for second in range(60)]
    found = estimates(quick + slow, total=3000)
    assert found[19] == pytest.approx(11, abs=1)
    assert found[22:30] == [None] * 8
    assert found[-1] == pytest.approx(3000 - 2059, rel=0.1)


def test_a_slow_beginning_does_not_count_for_ever() -> None:
    loading = [(float(second), 0) for second in range(30)]
    found = estimates(loading + [(30.0 + second, second) for second in range(60)], total=100)
    assert found[29] is None
    assert found[-1] == pytest.approx(41, rel=0.05)


def test_another_total_begins_again() -> None:
    pace = Pace()
    for second in range(20):
        pace.seconds_left(second, second, 100)
    assert pace.seconds_left(20, 20, 100) is not None
    assert pace.seconds_left(21, 21, 50) is None
    assert pace.seconds_left(22, 0, 50) is None


def test_pieces_that_are_done_at_long_intervals_are_enough() -> None:
    found = estimates([(60.0 * piece, piece) for piece in range(12)], total=20)
    assert found[-1] == pytest.approx(9 * 60, rel=0.01)


def test_nothing_left_takes_no_time() -> None:
    found = estimates([(float(second), second) for second in range(21)], total=20)
    assert found[-1] == 0
