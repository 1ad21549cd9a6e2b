"""Activity on a page as its browser reports it, within limits that the server sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?")
COUNT = re.compile(r"[0-9]{1,6}")
MOST_COUNTED = 1000


@dataclass(frozen=True)
class Presence:
    """Seconds with the page in front, seconds and times it was left, and pastes into its texts."""

    active_seconds: float
    away_seconds: float
    times_away: int
    pastes: int


def read_presence(sent: Mapping[str, str]) -> Presence | None:
    """The activity that a page sent; None where any part of it is missing or no plain number."""
    seconds = [sent.get(name, "") for name in ("active_seconds", "away_seconds")]
    counts = [sent.get(name, "") for name in ("times_away", "pastes")]
    if not all(map(SECONDS.fullmatch, seconds)) or not all(map(COUNT.fullmatch, counts)):
        return None
    return Presence(float(seconds[0]), float(seconds[1]), int(counts[0]), int(counts[1]))


def read_seconds(sent: str) -> float | None:
    """A length of time that a page sent; None where it is missing or no plain number."""
    return float(sent) if SECONDS.fullmatch(sent) else None


def bounded(presence: Presence, *, elapsed: float) -> Presence:
    """Limit the activity to the seconds between showing the page and its answer."""
    elapsed = max(0.0, elapsed)
    active = min(presence.active_seconds, elapsed)
    return Presence(
        active_seconds=round(active, 1),
        away_seconds=round(min(presence.away_seconds, elapsed - active), 1),
        times_away=min(presence.times_away, MOST_COUNTED),
        pastes=min(presence.pastes, MOST_COUNTED),
    )
