"""Forecast of the days between which a study will be complete, at the speed of the last days."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

# Days of which the mean is taken, or all whole days since the first response if there are fewer.
WINDOW_DAYS = 7
# With fewer responses in these days a mean is not reliable.
FEWEST_RESPONSES = 10
# A forecast looks at most so many times as far ahead as it looks back.
MOST_WINDOWS = 4

COMPLETE = "complete"
PAUSED = "paused"
NO_RATER = "no_rater"
TOO_SHORT = "too_short"
TOO_FEW = "too_few"
TOO_FAR = "too_far"


@dataclass(frozen=True)
class Completion:
    """When the last response comes at the mean speed, and at both ends of its range."""

    earliest: datetime
    expected: datetime
    latest: datetime


@dataclass(frozen=True)
class Forecast:
    """When the `expected` responses will be there, or the `reason` why there is no forecast.

    The basis are the included `responses` of the last `days` days. `unfillable` rating slots, which no
    active rater may fill, are not expected: they have no date.
    """

    expected: int
    unfillable: int
    days: int
    responses: int
    completion: Completion | None = None
    reason: str = ""

    @property
    def per_day(self) -> float:
        """Responses per day in these days; NaN where no day is over."""
        return self.responses / self.days if self.days else math.nan

    @property
    def farthest_days(self) -> int:
        """How many days the forecast looks ahead at most."""
        return MOST_WINDOWS * self.days


def window_days(first: datetime | None, now: datetime) -> int:
    """The whole days that a forecast looks back: those since the first response, a week at most."""
    return 0 if first is None else max(0, min(WINDOW_DAYS, (now - first).days))


def forecast_completion(
    *, left: int, unfillable: int, days: int, responses: int, now: datetime, paused: bool = False
) -> Forecast:
    """Forecast when the last response comes, from the number of responses in the last days.

    Parameters
    ----------
    left : int
        Rating slots without an included response.
    unfillable : int
        Those of them that no active rater may fill.
    days, responses : int
        Whole days to look back, and the included responses that came in them.
    now : datetime
        The present time.
    paused : bool
        Whether the study is paused.
    """
    expected = left - min(left, unfillable)
    reason = _reason(left, expected, days, responses, paused)
    completion = None if reason else _completion(expected * days, responses, now)
    return Forecast(expected, left - expected, days, responses, completion, reason)


def _reason(left: int, expected: int, days: int, responses: int, paused: bool) -> str:
    """Why there is no forecast; empty where there is one."""
    reasons = {
        COMPLETE: not left,
        PAUSED: paused,
        NO_RATER: not expected,
        TOO_SHORT: not days,
        TOO_FEW: responses < FEWEST_RESPONSES,
        TOO_FAR: expected > MOST_WINDOWS * responses,
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


def _completion(slot_days: int, responses: int, now: datetime) -> Completion:
    """The days at the number of responses minus and plus two of its standard deviations (Poisson)."""
    spread = 2 * math.sqrt(responses)
    earliest, expected, latest = (
        now + timedelta(days=slot_days / number)
        for number in (responses + spread, responses, responses - spread)
    )
    return Completion(earliest, expected, latest)
