"""When a study will have all its responses, if raters go on as in the last days."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

# The mean of so many days, or of as many whole days as there have been since the first response.
WINDOW_DAYS = 7
# With fewer responses in these days a mean says nothing.
FEWEST_RESPONSES = 10
FARTHEST_DAYS = 730

COMPLETE = "complete"
PAUSED = "paused"
NO_RATER = "no_rater"
TOO_SHORT = "too_short"
TOO_FEW = "too_few"
TOO_FAR = "too_far"


@dataclass(frozen=True)
class Forecast:
    """The day on which the `expected` responses will be there, or the `reason` why there is none.

    The basis are the included `responses` of the last `days` days. `unfillable` rating slots, which no
    active rater may fill, are not expected: they have no date.
    """

    expected: int
    unfillable: int
    days: int
    responses: int
    complete_on: datetime | None = None
    reason: str = ""

    @property
    def per_day(self) -> float:
        """Responses per day in these days; NaN where no day is over."""
        return self.responses / self.days if self.days else math.nan


def window_days(first: datetime | None, now: datetime) -> int:
    """The whole days that a forecast looks back: those since the first response, a week at most."""
    return 0 if first is None else max(0, min(WINDOW_DAYS, (now - first).days))


def forecast_completion(
    *, left: int, unfillable: int, days: int, responses: int, now: datetime, paused: bool = False
) -> Forecast:
    """Forecast the day of the last response from the mean of the last days.

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

    def answer(complete_on: datetime | None = None, reason: str = "") -> Forecast:
        return Forecast(expected, left - expected, days, responses, complete_on, reason)

    if not left:
        return answer(reason=COMPLETE)
    if paused:
        return answer(reason=PAUSED)
    if not expected:
        return answer(reason=NO_RATER)
    if not days:
        return answer(reason=TOO_SHORT)
    if responses < FEWEST_RESPONSES:
        return answer(reason=TOO_FEW)
    ahead = expected * days / responses
    return answer(reason=TOO_FAR) if ahead > FARTHEST_DAYS else answer(now + timedelta(days=ahead))
