"""The remaining time of a job, from its recent speed; unknown until the speed is steady."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

# The speed is that of the later half of the time, but of no less than this.
SHORTEST_SECONDS = 6.0
FEWEST_SAMPLES = 5
# The two halves of what counts may differ by this factor.
STEADY = 1.4
MOST_SAMPLES = 200


@dataclass
class Pace:
    """The progress of a job over time; starts again if the total changes or less is done than before."""

    _total: int = 0
    _when: list[float] = field(default_factory=list)
    _done: list[int] = field(default_factory=list)

    def seconds_left(self, now: float, done: int, total: int) -> float | None:
        """Add the current progress; returns the seconds left, or None while they are unknown.

        Parameters
        ----------
        now : float
            Seconds of a clock that never jumps.
        done, total : int
            Pieces.
        """
        if total != self._total or (self._done and done < self._done[-1]):
            self._total, self._when, self._done = total, [], []
        self._when.append(now)
        self._done.append(done)
        if len(self._when) > MOST_SAMPLES:
            del self._when[1:-1:2], self._done[1:-1:2]
        speed = self._steady_speed(now)
        return (total - done) / speed if speed else None

    def _steady_speed(self, now: float) -> float | None:
        """Pieces a second; None where too little is known, or where it still changes."""
        counted = max(SHORTEST_SECONDS, (now - self._when[0]) / 2)
        start = self._at(now - counted)
        if self._when[start] > now - counted or len(self._when) - start < FEWEST_SAMPLES:
            return None
        middle = self._at(now - counted / 2)
        early, late = self._speed(start, middle), self._speed(middle, len(self._when) - 1)
        if not early or not late or max(early, late) > STEADY * min(early, late):
            return None
        return self._speed(start, len(self._when) - 1)

    def _at(self, when: float) -> int:
        """The last sample at or before a moment; the first where there is none."""
        return max(0, bisect_left(self._when, when + 1e-9) - 1)

    def _speed(self, start: int, end: int) -> float:
        seconds = self._when[end] - self._when[start]
        return (self._done[end] - self._done[start]) / seconds if seconds else 0.0
