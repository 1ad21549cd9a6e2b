"""Calls keep to a limit per minute, wait as they are asked, and give up in the end."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judging.budget import Budget, Price
from scoring.judging.pace import Pace, PaceRules, asked_wait

NOW = datetime(2026, 1, 15, 9, 30, tzinfo=UTC)


@given(gaps=st.lists(st.floats(0, 40), min_size=1, max_size=60), per_minute=st.integers(1, 8))
def test_no_minute_has_more_calls_than_allowed(gaps, per_minute):
    pace, now, made = Pace(PaceRules(per_minute=per_minute), 1), 0.0, []
    for gap in gaps:
        now += gap
        now += pace.wait_before(now)
        assert pace.wait_before(now) <= 1e-9
        pace.note_call(now)
        made.append(now)
        assert sum(now - 60 + 1e-6 < one <= now for one in made) <= per_minute


def test_waits_double_with_a_seeded_random_part_until_no_try_is_left():
    rules = PaceRules(attempts=6, first_wait=1, longest_wait=5)
    waits = [Pace(rules, 7).wait_after(failures) for failures in range(1, 7)]
    again = [Pace(rules, 7).wait_after(failures) for failures in range(1, 7)]
    assert waits == again
    assert waits[-1] is None
    for wait, longest in zip(waits[:-1], [1, 2, 4, 5, 5], strict=True):
        assert wait == pytest.approx(0.75 * longest, abs=0.25 * longest)


def test_a_server_that_asks_for_time_gets_it_or_the_run_ends():
    pace = Pace(PaceRules(), 1)
    assert pace.wait_after(1, asked=30) == 30
    assert pace.wait_after(1, asked=601) is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (" 0 ", 0),
        ("Thu, 15 Jan 2026 09:30:20 GMT", 20),
        ("Thu, 15 Jan 2026 09:29:00 GMT", 0),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("٧", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert asked_wait(header, NOW) == seconds


@given(header=st.text())
def test_any_header_gives_seconds_or_nothing(header):
    found = asked_wait(header, NOW)
    assert found is None or found >= 0


@given(calls=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 500)), max_size=60))
def test_no_call_exceeds_the_budget_where_no_answer_is_longer_than_asked(calls):
    price, budget = Price(Decimal("2.5"), Decimal(10)), Budget(Decimal("0.05"))
    for read, written in calls:
        if budget.allows(price.of(read, written)):
            budget.add(price.of(read, written))
        assert budget.spent <= Decimal("0.05")


def test_a_price_is_for_a_million_tokens():
    assert Price(Decimal("2.5"), Decimal(10)).of(400_000, 100_000) == Decimal(2)
    assert Budget(None, Decimal(9)).allows(Decimal(10**9))
