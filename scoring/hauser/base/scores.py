"""HAUSER scores: a value, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scoring.stats.base.errors import CodedError

NO_COMPONENTS = "no_components"
NO_TOPIC = "no_topic"
NO_WORDS = "no_words"


class MetricError(CodedError):
    """A request for which a metric is not defined."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """A figure of one candidate."""

    value: float | None  # None exactly when `reason` is set
    reason: str = ""  # Code of why there is no value

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason) or not math.isfinite(self.value or 0):
            message = f"a score needs a finite value or a reason, not {self.value!r} and {self.reason!r}"
            raise MetricError("bad_score", message)
