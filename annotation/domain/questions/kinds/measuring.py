"""The form in which statistics use the numbers that a kind of question yields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar


class Measure(StrEnum):
    """The form in which statistics use a number; `study.json` of a bundle states it.

    `LOGARITHMS` are natural ones. From `OWN_LOGARITHMS` the mean of the rater's own is subtracted, over
    the answers to the criterion that count; a single answer is left out.
    """

    NUMBERS = "numbers"
    LOGARITHMS = "logarithms"
    OWN_LOGARITHMS = "own_logarithms"


class Measuring:
    """The part of a kind of question that defines its numbers and the deviation of two of them.

    Attributes
    ----------
    on_ratios : bool
        Whether ratios between answers count and not differences; every answer is above zero.
    widest : tuple of float
        The least and the greatest end that a criterion can have.
    """

    on_ratios: ClassVar[bool] = False
    widest: ClassVar[tuple[float, float]] = (-9999, 9999)

    def stated_ends(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        """Return the ends that were set; None for an end that only says what can be stored.

        Parameters
        ----------
        low, high : float or None
            Those of the criterion.
        """
        return low, high

    def ends_to_edit(
        self, low: float | None, high: float | None, values: Sequence[str]
    ) -> tuple[float | None, float | None]:
        """Return the ends as the form editor shows them, without those that follow from the points."""
        plain = bool(values) and [str(low), str(high)] == [values[0], values[-1]]
        return (None, None) if plain else self.stated_ends(low, high)

    def impossible(self, low: float | None, high: float | None, settings: Mapping[str, Any]) -> str:
        """The message about the possible answers, where a page refuses others before they are sent.

        Parameters
        ----------
        low, high : float or None
            The ends of the criterion.
        settings : mapping
            Of the criterion.
        """
        return ""

    def is_bounded(self, low: float | None, high: float | None) -> bool:
        """Whether both ends were set; `low` and `high` are those of the criterion."""
        return None not in self.stated_ends(low, high)

    def ends_in_signs(self, low: float | None, high: float | None) -> str:
        """Return the ends that were set in signs of any language: “1–5”, “≥ 0”; empty without one."""
        least, greatest = self.stated_ends(low, high)
        if least is None:
            return "" if greatest is None else f"≤ {greatest}"
        return f"≥ {least}" if greatest is None else f"{least}–{greatest}"

    def measure(self, settings: Mapping[str, Any], *, identified: bool) -> Measure:
        """Return the form in which statistics use the numbers.

        Parameters
        ----------
        settings : mapping
            Of the criterion.
        identified : bool
            Whether raters are persons; an anonymous slot mixes the numbers of several, and has no mean of its
            own.
        """
        return Measure.LOGARITHMS if self.on_ratios else Measure.NUMBERS

    def measured_ends(self, low: float, high: float, measure: Measure) -> tuple[float, float]:
        """Return the ends between which a measure of the numbers from `low` to `high` lies."""
        ends = self.measured(low), self.measured(high)
        width = ends[1] - ends[0]
        return (-width, width) if measure is Measure.OWN_LOGARITHMS else ends

    def measured(self, number: float) -> float:
        """Return a number as statistics take it, before anything is subtracted."""
        return math.log(number) if self.on_ratios else number

    def deviation(self, number: float, reference: float) -> float:
        """Return how far a number is from a reference: their difference or, on ratios, their ratio less 1.

        The greater is divided by the smaller, so 0.25 means that it is 1.25 times as great.
        """
        if not self.on_ratios:
            return number - reference
        return max(number / reference, reference / number) - 1
