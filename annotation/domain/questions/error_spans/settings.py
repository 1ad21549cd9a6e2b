"""Settings of marked errors: the points that are severities, their weights, and the score of a text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from annotation.domain.base.messages import message

KEY = "errors"
TEXT, CHARACTERS, WORDS = PER = ("text", "100 characters", "100 words")
MOST_SEVERITIES = 9
HEAVIEST = 1000.0


@dataclass(frozen=True)
class ErrorSettings:
    """The settings of a criterion of kind errors.

    Parameters
    ----------
    weights : mapping of str to float
        Weight of each point that is a severity; the other points are categories.
    overlap : bool
        Whether two errors may share characters.
    score_per : str
        The score of a text is the sum of the weights of its errors per this much of it: one of `PER`.
    score_cap : float or None
        The highest score; None for no limit.
    units : str
        The unit by which keys and taps move: `characters` or `words`; empty: characters where the script has
        no spaces, else words.
    least_f1 : float
        The lowest F1 of characters with the key at which a calibration answer is right.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    overlap: bool = True
    score_per: str = TEXT
    score_cap: float | None = None
    units: str = ""
    least_f1: float = 0.5

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Read the settings of a criterion, which hold them under `errors`."""
        given = settings.get(KEY, {})
        return cls(
            weights=dict(given.get("weights", {})),
            overlap=given.get("overlap", True) is not False,
            score_per=str(given.get("score_per", TEXT)),
            score_cap=given.get("score_cap"),
            units=str(given.get("units", "")),
            least_f1=given.get("least_f1", cls.least_f1),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, complete."""
        return {
            "weights": dict(self.weights),
            "overlap": self.overlap,
            "score_per": self.score_per,
            "score_cap": self.score_cap,
            "units": self.units,
            "least_f1": self.least_f1,
        }

    def stored(self) -> dict[str, Any]:
        """Return what a criterion stores under `errors`: only what differs from the defaults."""
        usual = ErrorSettings().as_dict()
        found = {name: value for name, value in self.as_dict().items() if value != usual[name]}
        return {KEY: found} if found else {}

    def categories(self, points: Sequence[str]) -> list[str]:
        """Return the points that are categories, in their order."""
        return [point for point in points if point not in self.weights]

    def severities(self, points: Sequence[str]) -> list[str]:
        """Return the points that are severities, in their order."""
        return [point for point in points if point in self.weights]

    def level(self, severity: str) -> int:
        """Return how a page draws a severity: from 0, the lightest weight, to 2."""
        lighter = {weight for weight in self.weights.values() if weight < self.weights[severity]}
        return min(len(lighter), 2)

    def problems(self, points: Sequence[str]) -> dict[str, str]:
        """Return the problems of the settings, by setting."""
        found: dict[str, str] = {}
        weights = list(self.weights.values())
        unknown = [name for name in self.weights if name not in points]
        if unknown:
            found["weights"] = message("“%(name)s” has a weight but is no point.", name=unknown[0])
        elif not all(map(_is_weight, weights)):
            found["weights"] = message(
                "A weight is a number above 0, at most %(most)s, such as 5.", most=int(HEAVIEST)
            )
        elif not 1 <= len(weights) <= MOST_SEVERITIES:
            found["weights"] = message(
                "Give 1 to %(most)s points a weight: they are the severities.", most=MOST_SEVERITIES
            )
        elif not self.categories(points):
            found["weights"] = message("At least one point must be a category, without a weight.")
        if self.score_cap is not None and not _is_weight(self.score_cap, most=math.inf):
            found["score_cap"] = message("The highest score is a number above 0, or empty.")
        if not _is_weight(self.least_f1, most=1):
            found["least_f1"] = message("The lowest F1 is a number above 0, at most 1, such as 0.5.")
        return found


def _is_weight(value: object, *, most: float = HEAVIEST) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0 < value <= most
