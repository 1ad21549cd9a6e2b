"""Marked errors as spans with weights, and what two raters' errors in one text have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.spans.matched_spans import Shared

Matching = Literal["exact", "overlap", "exact, weighted", "overlap, weighted"]
MATCHINGS: tuple[Matching, ...] = ("exact", "overlap", "exact, weighted", "overlap, weighted")


@dataclass(frozen=True)
class ErrorSpan:
    """An error: characters `start` to `end` of a text, its category and the weight of its severity."""

    start: int
    end: int
    category: str
    weight: float

    @property
    def length(self) -> int:
        return self.end - self.start

    def overlap(self, other: "ErrorSpan") -> int:
        """Number of characters in common with another error."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def is_at(self, other: "ErrorSpan") -> bool:
        """Whether another error has the same characters and category."""
        return (self.start, self.end, self.category) == (other.start, other.end, other.category)


@dataclass(frozen=True)
class OfErrors:
    """How two raters' errors are compared.

    Attributes
    ----------
    matching : str
        `exact`: errors with the same characters and category count, each as 1. `overlap`: shared characters
        count, whatever the category. With `weighted`, an error or character counts as its severity weighs,
        and what both share as the lighter of the two severities.
    """

    matching: Matching

    def shared(self, one: Sequence[ErrorSpan], other: Sequence[ErrorSpan]) -> Shared:
        """Count what two raters' errors in one text have in common.

        Errors are matched one to one so that what they share is greatest.
        """
        gains = np.array([[self._gain(a, b) for b in other] for a in one], dtype=np.float64)
        return Shared(
            hits=_matched(gains) if one and other else 0.0,
            first=sum(map(self._size, one)),
            second=sum(map(self._size, other)),
            n_first=len(one),
            n_second=len(other),
        )

    def number(self, one: Sequence[ErrorSpan]) -> int:
        """Number of errors."""
        return len(one)

    def _gain(self, one: ErrorSpan, other: ErrorSpan) -> float:
        weight = min(one.weight, other.weight) if self._is_weighted else 1.0
        return weight * (float(one.is_at(other)) if self._is_exact else one.overlap(other))

    def _size(self, one: ErrorSpan) -> float:
        return (one.weight if self._is_weighted else 1.0) * (1 if self._is_exact else one.length)

    @property
    def _is_exact(self) -> bool:
        return self.matching.startswith("exact")

    @property
    def _is_weighted(self) -> bool:
        return self.matching.endswith("weighted")


def heaviest(spans: Sequence[ErrorSpan], length: int) -> FloatArray:
    """Weight of the heaviest error at each character of a text, shape (length,); 0 where there is none."""
    weights = np.zeros(length)
    for span in spans:
        weights[span.start : span.end] = np.maximum(weights[span.start : span.end], span.weight)
    return weights


def _matched(gains: FloatArray) -> float:
    rows, columns = scipy.optimize.linear_sum_assignment(gains, maximize=True)
    return float(gains[rows, columns].sum())
