"""The pace of calls: so many a minute, waiting as a server asks, and longer after each failure."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MINUTE = 60.0
# A server that asks for a longer pause ends the run; it can be resumed later.
LONGEST_PAUSE = 600.0


@dataclass(frozen=True)
class PaceRules:
    """Limits of calls.

    Parameters
    ----------
    per_minute
        Most calls in any 60 seconds.
    attempts
        Most tries of one call, the first included.
    first_wait, longest_wait
        Seconds before the second try, and at most; each failure doubles the wait.
    """

    per_minute: int = 60
    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0


class Pace:
    """When the next call may be made. The clock is the caller’s: seconds that only grow.

    Parameters
    ----------
    rules
        Limits of calls.
    seed
        Seed of the random part of waits, which keeps several clients from coming back at once.
    """

    def __init__(self, rules: PaceRules, seed: int) -> None:
        self._rules = rules
        self._random = random.Random(seed)
        self._calls: deque[float] = deque(maxlen=rules.per_minute)

    def wait_before(self, now: float) -> float:
        """Seconds until a call keeps to the limit per minute."""
        if len(self._calls) < self._rules.per_minute:
            return 0.0
        return max(0.0, self._calls[0] + MINUTE - now)

    def note_call(self, now: float) -> None:
        """Count a call that is made now."""
        self._calls.append(now)

    def wait_after(self, failures: int, asked: float | None = None) -> float | None:
        """Seconds before a call is tried again; None where it is not.

        Parameters
        ----------
        failures
            How often this call has failed: 1 or more.
        asked
            Seconds that the server asked to wait; None where it did not.
        """
        if failures >= self._rules.attempts or (asked is not None and asked > LONGEST_PAUSE):
            return None
        longest = min(self._rules.longest_wait, self._rules.first_wait * 2.0 ** min(failures - 1, 30))
        return max(asked or 0.0, longest * self._random.uniform(0.5, 1.0))


def asked_wait(header: str, now: datetime) -> float | None:
    """Seconds that a header `Retry-After` asks for (RFC 9110, 10.2.3).

    Parameters
    ----------
    header
        A number of seconds or a date; other text is ignored.
    now
        The time, with its zone.

    Returns
    -------
    float or None
        At least 0; None where the header says nothing.
    """
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - now).total_seconds())
