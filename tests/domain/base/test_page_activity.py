"""What a page tells of the time it was shown is read strictly and believed within the server's clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.page_activity import MOST_COUNTED, Presence, bounded, read_presence

SENT = {"active_seconds": "12.5", "away_seconds": "3", "times_away": "2", "pastes": "0"}


def test_it_is_read_as_it_was_sent():
    assert read_presence(SENT) == Presence(12.5, 3.0, 2, 0)


@pytest.mark.parametrize("value", ["", "-1", "nan", "inf", "1e9", "0x10", "१", "12345678", " 1"])
@pytest.mark.parametrize("name", SENT)
def test_a_part_that_is_no_plain_number_makes_nothing_known(name, value):
    assert read_presence({**SENT, name: value}) is None


@pytest.mark.parametrize("name", SENT)
def test_a_missing_part_makes_nothing_known(name):
    assert read_presence({key: value for key, value in SENT.items() if key != name}) is None


@given(
    st.builds(Presence, st.floats(0, 1e7), st.floats(0, 1e7), st.integers(0, 10**6), st.integers(0, 10**6)),
    st.floats(-10, 1e5),
)
def test_its_seconds_never_exceed_the_time_that_passed(reported, elapsed):
    limited = bounded(reported, elapsed=elapsed)
    assert limited.active_seconds + limited.away_seconds <= max(0.0, elapsed) + 0.1
    assert max(limited.times_away, limited.pastes) <= MOST_COUNTED
    assert limited.active_seconds <= reported.active_seconds + 0.05


def test_what_is_possible_stays_as_it_is():
    assert bounded(Presence(12.5, 3.0, 2, 1), elapsed=15.6) == Presence(12.5, 3.0, 2, 1)
