"""What every HAUSER score is: a value, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

NO_COMPONENTS = "no_components"
NO_TOPIC = "no_topic"
NO_WORDS = "no_words"


class MetricError(ValueError):
    """A metric was asked for something that it is not defined on.

    Parameters
    ----------
    code
        Stable code of the error.
    message
        What is wrong and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, kw_only=True)
class Score:
    """A figure of one candidate."""

    value: float | None  # None exactly when `reason` is set
    reason: str = ""  # Code of why there is no value

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason) or not math.isfinite(self.value or 0):
            message = f"a score has a finite value or a reason, not {self.value!r} and {self.reason!r}"
            raise MetricError("bad_score", message)
