"""A forecast names a range of days and its basis, or the reason why there is none."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.seats.forecast import (
    COMPLETE,
    FEWEST_RESPONSES,
    MOST_WINDOWS,
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
    assert found.completion is not None
    assert found.completion.expected == NOW + timedelta(days=44 / 14)


def test_the_range_comes_from_twice_the_square_root_of_the_number() -> None:
    found = forecast_completion(left=25, unfillable=0, days=1, responses=25, now=NOW).completion
    assert found is not None
    assert found.earliest == NOW + timedelta(days=25 / 35)
    assert found.latest == NOW + timedelta(days=25 / 15)


def test_a_forecast_looks_ahead_four_times_as_far_as_back() -> None:
    for left, reason in ((400, ""), (401, TOO_FAR)):
        found = forecast_completion(left=left, unfillable=0, days=1, responses=100, now=NOW)
        assert (found.reason, found.farthest_days) == (reason, 4)


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
    assert (found.completion, found.reason) == (None, reason)
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
    assert (found.completion is None) == bool(found.reason)
    assert found.expected + found.unfillable == left
    assert found.completion is None or found.completion.earliest > NOW


@given(
    responses=st.integers(FEWEST_RESPONSES, 10**5),
    days=st.integers(1, WINDOW_DAYS),
    share=st.floats(0.01, MOST_WINDOWS),
    times=st.integers(2, 10),
)
def test_the_range_holds_the_mean_and_narrows_with_more_responses(
    responses: int, days: int, share: float, times: int
) -> None:
    """With so many times the responses and slots, the mean is the same and the range is narrower."""
    left = math.ceil(share * responses)
    few, many = (
        forecast_completion(left=n * left, unfillable=0, days=days, responses=n * responses, now=NOW)
        for n in (1, times)
    )
    assert few.completion is not None
    assert many.completion is not None
    wide, narrow = few.completion, many.completion
    assert wide.expected == narrow.expected
    assert wide.earliest < narrow.earliest < narrow.expected < narrow.latest < wide.latest


@pytest.mark.parametrize(("hours", "days"), [(0, 0), (23, 0), (24, 1), (100, 4), (10_000, WINDOW_DAYS)])
def test_whole_days_since_the_first_response_count_up_to_a_week(hours: int, days: int) -> None:
    assert window_days(NOW - timedelta(hours=hours), NOW) == days


def test_without_a_response_there_is_no_day_to_look_back() -> None:
    assert window_days(None, NOW) == 0
