"""The work of raters in sessions, of all raters at once: a long pause between two pages begins a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

LONGEST_PAUSE = timedelta(minutes=30)
MICROSECONDS = 1_000_000

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int64, np.float64)
Value = TypeVar("Value")


@dataclass(frozen=True)
class Revisions:
    """What raters saved, as columns in any order; a correction of a page has a higher `revision`.

    `at` is when it was saved, in microseconds since 1970, and `seconds` the active time on its page up to
    then, NaN where it is not known.
    """

    rater: IntArray
    page: IntArray
    revision: IntArray
    at: IntArray
    seconds: FloatArray


@dataclass(frozen=True)
class RaterWork:
    """The work of one rater.

    `sessions` are active seconds and numbers of pages, the first session first; `page_seconds` the known
    seconds of pages, and `last` when something was saved last, in microseconds since 1970.
    """

    sessions: tuple[tuple[float, int], ...]
    page_seconds: tuple[float, ...]
    last: int


def work_by_rater(saved: Revisions, *, longest_pause: timedelta = LONGEST_PAUSE) -> Mapping[int, RaterWork]:
    """The work of each rater who has saved a page.

    Time passes once, however many pages are open in it; a page counts for half an hour at most. A correction
    adds its time, and no page.

    Parameters
    ----------
    saved : Revisions
        Of any number of raters.
    longest_pause : timedelta
        A longer pause between two pages begins a new session.

    Returns
    -------
    mapping of int to RaterWork
        By the key of the rater.
    """
    order = np.lexsort((saved.revision, saved.page, saved.rater))
    rater, page, at = saved.rater[order], saved.page[order], saved.at[order]
    capped = np.minimum(saved.seconds[order], LONGEST_PAUSE.total_seconds())
    is_first = _begins(rater, page)
    added = _added(page, capped, is_first)
    sessions = _sessions(rater, at, added, is_first, longest_pause)
    newest = np.append(is_first[1:], True)[: len(page)] & ~np.isnan(capped)
    page_seconds = _by_rater(rater[newest], capped[newest].tolist())
    last = _by_rater(rater, _highest(rater, at).tolist())
    return {
        key: RaterWork(tuple(of_rater), tuple(page_seconds.get(key, ())), last[key][-1])
        for key, of_rater in sessions.items()
    }


def _begins(*columns: IntArray) -> BoolArray:
    """The rows in which any of the columns has another value than in the row before."""
    changes = [np.append(True, one[1:] != one[:-1])[: len(one)] for one in columns]
    found: BoolArray = np.logical_or.reduce(changes)
    return found


def _highest(of: IntArray, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """The highest value so far of each rater, or of each page."""
    found: npt.NDArray[Number] = np.asarray(pd.Series(values).groupby(of).cummax(), dtype=values.dtype)
    return found


def _added(page: IntArray, capped: FloatArray, is_first: BoolArray) -> FloatArray:
    """The seconds that each revision added to its page; unknown seconds add nothing."""
    known = _highest(page, np.fmax(capped, 0.0))
    before = np.append(0.0, known[:-1])[: len(known)]
    added: FloatArray = np.subtract(known, np.where(is_first, 0.0, before), dtype=np.float64)
    return added


def _sessions(
    rater: IntArray, at: IntArray, added: FloatArray, is_page: BoolArray, longest_pause: timedelta
) -> dict[int, list[tuple[float, int]]]:
    """By rater, the active seconds and the pages of each session."""
    begun = at - _microseconds(added)
    order = np.lexsort((begun, rater))
    rater, at, begun = rater[order], at[order], begun[order]
    before = np.append(0, _highest(rater, at)[:-1])[: len(at)]
    pause = longest_pause // timedelta(microseconds=1)
    is_new = _begins(rater) | (begun - before > pause)
    passed = np.maximum(at - np.maximum(begun, before), 0) / MICROSECONDS
    session = np.cumsum(is_new) - 1
    # Sums in the order of time, as if the sessions were added up one page after another.
    seconds = np.bincount(session, weights=np.where(is_new, added[order], passed)).tolist()
    pages = np.bincount(session[is_page[order]], minlength=len(seconds)).tolist()
    return _by_rater(rater[is_new], list(zip(seconds, pages, strict=True)))


def _microseconds(seconds: FloatArray) -> IntArray:
    """Whole microseconds, rounded as `timedelta` rounds them."""
    part, whole = np.modf(seconds)
    found: IntArray = (whole * MICROSECONDS + np.rint(part * MICROSECONDS)).astype(np.int64)
    return found


def _by_rater(rater: IntArray, values: list[Value]) -> dict[int, list[Value]]:
    """The values of each rater, whose rows are together."""
    starts = np.flatnonzero(_begins(rater)).tolist()
    ends = [*starts[1:], len(rater)]
    return {int(rater[start]): values[start:end] for start, end in zip(starts, ends, strict=False)}
