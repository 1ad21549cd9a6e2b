"""In which form statistics take the numbers that a kind of question yields."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar


class Measure(StrEnum):
    """What statistics take in place of a number; `study.json` of a bundle says it.

    `LOGARITHMS` are natural ones. From `OWN_LOGARITHMS` the mean of the rater's own is subtracted, over
    the answers to the criterion that count.
    """

    NUMBERS = "numbers"
    LOGARITHMS = "logarithms"
    OWN_LOGARITHMS = "own_logarithms"


class Measuring:
    """The part of a kind of question that says how far two of its numbers lie apart.

    Attributes
    ----------
    on_ratios : bool
        Whether ratios between answers count and not differences; every answer is above zero.
    """

    on_ratios: ClassVar[bool] = False

    def measure(self, settings: Mapping[str, Any]) -> Measure:
        """Return what statistics take in place of the numbers, by the settings of a criterion."""
        return Measure.LOGARITHMS if self.on_ratios else Measure.NUMBERS

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
