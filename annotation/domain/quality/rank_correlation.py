"""Pearson and Spearman correlation of two short lists."""

from __future__ import annotations

import math
from collections.abc import Sequence

FEWEST_PAIRS = 3
# Equal means of ratings may differ by rounding.
ROUNDING = 1e-9

TOO_FEW = "too_few_answers"
CONSTANT_ANSWERS = "constant_answers"
CONSTANT_REFERENCE = "constant_reference"


def pearson(given: Sequence[float], reference: Sequence[float]) -> tuple[float, str]:
    """Pearson's correlation of pairs, or NaN with the reason why there is none.

    The reason is empty, `too_few_answers`, `constant_answers` or `constant_reference`.
    """
    if len(given) < FEWEST_PAIRS:
        return math.nan, TOO_FEW
    x, y = _centred(given), _centred(reference)
    if not any(x):
        return math.nan, CONSTANT_ANSWERS
    if not any(y):
        return math.nan, CONSTANT_REFERENCE
    together = math.fsum(a * b for a, b in zip(x, y, strict=True))
    spread = math.sqrt(math.fsum(a * a for a in x)) * math.sqrt(math.fsum(b * b for b in y))
    return max(-1.0, min(1.0, together / spread)), ""


def spearman(given: Sequence[float], reference: Sequence[float]) -> tuple[float, str]:
    """Spearman's correlation, ties at their mean rank, or NaN with the reason why there is none."""
    return pearson(average_ranks(given), average_ranks(reference))


def average_ranks(values: Sequence[float]) -> list[float]:
    """Ranks of finite values from 1, equal values at the mean of the ranks they take up."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and values[order[end]] - values[order[end - 1]] <= ROUNDING:
            end += 1
        for index in order[start:end]:
            ranks[index] = (start + 1 + end) / 2
        start = end
    return ranks


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    centred = [value - mean for value in values]
    return [0.0 if abs(value) <= ROUNDING * max(1.0, abs(mean)) else value for value in centred]
