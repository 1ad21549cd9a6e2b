"""A forecast names its day and its basis, or the reason why there is none."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.seats.forecast import (
    COMPLETE,
    FEWEST_RESPONSES,
    NO_RATER,
    PAUSED,
    TOO_FAR,
    TOO_FEW,
    TOO_SHORT,
    WINDOW_DAYS,
    forecast_completion,
    window_days,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def test_the_remaining_slots_are_divided_by_the_mean_of_the_days() -> None:
    found = forecast_completion(left=89, unfillable=45, days=7, responses=98, now=NOW)
    assert (found.expected, found.unfillable, found.per_day) == (44, 45, 14)
    assert found.complete_on == NOW + timedelta(days=44 / 14)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"left": 0}, COMPLETE),
        ({"paused": True}, PAUSED),
        ({"unfillable": 40}, NO_RATER),
        ({"days": 0, "responses": 0}, TOO_SHORT),
        ({"responses": FEWEST_RESPONSES - 1}, TOO_FEW),
        ({"left": 1_000_000, "responses": FEWEST_RESPONSES}, TOO_FAR),
    ],
)
def test_without_a_basis_there_is_no_day_and_a_reason(changed: dict[str, int], reason: str) -> None:
    given_values = {"left": 40, "unfillable": 0, "days": 7, "responses": 70, **changed}
    found = forecast_completion(now=NOW, **given_values)  # type: ignore[arg-type]
    assert (found.complete_on, found.reason) == (None, reason)
    assert math.isnan(found.per_day) == (found.days == 0)


@given(
    left=st.integers(0, 10**6),
    unfillable=st.integers(0, 10**6),
    days=st.integers(0, WINDOW_DAYS),
    responses=st.integers(0, 10**5),
)
def test_there_is_a_day_or_a_reason_and_the_slots_add_up(
    left: int, unfillable: int, days: int, responses: int
) -> None:
    found = forecast_completion(left=left, unfillable=unfillable, days=days, responses=responses, now=NOW)
    assert (found.complete_on is None) == bool(found.reason)
    assert found.expected + found.unfillable == left
    assert found.complete_on is None or found.complete_on > NOW


@pytest.mark.parametrize(("hours", "days"), [(0, 0), (23, 0), (24, 1), (100, 4), (10_000, WINDOW_DAYS)])
def test_whole_days_since_the_first_response_count_up_to_a_week(hours: int, days: int) -> None:
    assert window_days(NOW - timedelta(hours=hours), NOW) == days


def test_without_a_response_there_is_no_day_to_look_back() -> None:
    assert window_days(None, NOW) == 0
