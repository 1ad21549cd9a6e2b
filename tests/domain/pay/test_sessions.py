"""Sessions hold every page and second once, and are those that a loop over one page after another finds."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.pay.sessions import LONGEST_PAUSE, RaterWork, Revisions, work_by_rater

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HOUR = 3600
# The rater, the page, when it was saved in microseconds after noon, and the seconds up to then.
Saved = tuple[int, int, int, float]
SECONDS = st.one_of(st.just(math.nan), st.floats(0, 2 * HOUR), st.integers(0, 300).map(float))
SAVED = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 7), st.integers(0, 8 * HOUR * 10**6), SECONDS), max_size=25
)


def work(saved: list[Saved], **pause: timedelta) -> dict[int, RaterWork]:
    """Pages have a number of their own for each rater; what comes later about one is a correction."""
    noon = (NOON - EPOCH) // timedelta(microseconds=1)
    pages = [(rater, 10 * rater + page) for rater, page, _, _ in saved]
    revisions = [pages[:place].count(one) + 1 for place, one in enumerate(pages)]
    columns = (*zip(*pages, strict=True),) or ((), ())
    rater, page, revision, at = (
        np.array(one, dtype=np.int64) for one in (*columns, revisions, [noon + at for _, _, at, _ in saved])
    )
    seconds = np.array([one[3] for one in saved], dtype=np.float64)
    return dict(work_by_rater(Revisions(rater, page, revision, at, seconds), **pause))


def one_by_one(saved: list[Saved]) -> tuple[list[tuple[float, int]], list[float]]:
    """The sessions of one rater and the seconds of pages, as people would add them up."""
    known: dict[int, float] = {}
    newest: dict[int, float] = {}
    answers = []
    for _, page, at, seconds in sorted(saved, key=lambda one: one[1]):
        capped = min(seconds, LONGEST_PAUSE.total_seconds())
        before = known.get(page, 0.0)
        known[page] = before if math.isnan(capped) else max(before, capped)
        answers.append((NOON + timedelta(microseconds=at), known[page] - before, page not in newest))
        newest[page] = capped
    sessions: list[tuple[float, int]] = []
    end = None
    for until, seconds, is_page in sorted(answers, key=lambda one: one[0] - timedelta(seconds=one[1])):
        begun = until - timedelta(seconds=seconds)
        if end is None or begun - end > LONGEST_PAUSE:
            sessions.append((seconds, int(is_page)))
            end = until
            continue
        passed, pages = sessions[-1]
        passed += max(0.0, (until - max(begun, end)).total_seconds())
        sessions[-1] = (passed, pages + is_page)
        end = max(end, until)
    return sessions, [one for one in newest.values() if not math.isnan(one)]


@given(SAVED)
def test_sessions_of_all_raters_at_once_are_those_of_each_one_by_one(saved):
    """To the last digit: a cent depends on it."""
    found = work(saved)
    assert set(found) == {rater for rater, *_ in saved}
    for rater, worked in found.items():
        own = [one for one in saved if one[0] == rater]
        sessions, page_seconds = one_by_one(own)
        assert list(worked.sessions) == sessions
        assert sorted(worked.page_seconds) == sorted(page_seconds)
        assert EPOCH + timedelta(microseconds=worked.last) == NOON + timedelta(
            microseconds=max(at for _, _, at, _ in own)
        )


@given(st.lists(st.tuples(st.integers(1, 5 * HOUR), st.integers(0, 300)), max_size=25))
def test_sessions_hold_every_page_once_and_every_second_once(answers):
    saved = [(1, page, at * 10**6, float(seconds)) for page, (at, seconds) in enumerate(answers)]
    sessions = work(saved)[1].sessions if saved else ()
    assert sum(pages for _, pages in sessions) == len(answers)
    covered = {second for at, seconds in answers for second in range(at - seconds, at)}
    assert sum(seconds for seconds, _ in sessions) == pytest.approx(len(covered))
    everything = work(saved, longest_pause=timedelta(days=30))
    assert sum(len(one.sessions) for one in everything.values()) == min(1, len(answers))


def test_a_long_pause_begins_a_new_session():
    minutes = [0, 2, 30, 70, 71]
    saved = [(1, page, minute * 60 * 10**6, 60.0) for page, minute in enumerate(minutes)]
    assert [pages for _, pages in work(saved)[1].sessions] == [3, 2]
