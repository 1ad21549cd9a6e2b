"""Agreement of marked errors with those of a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from annotation.domain.questions.error_spans.marks import ErrorMark

# The weight of a character that both mark as an error, but with different category or severity.
OTHER_LABEL = 0.5


def f1_of_characters(key: Sequence[ErrorMark], given: Sequence[ErrorMark]) -> float:
    """Return the F1 of marked characters with a key, from 0 to 1.

    Parameters
    ----------
    key, given : sequence of ErrorMark
        The errors of the key, and those that a rater marked.

    Returns
    -------
    float
        A character that both mark counts 1, or `OTHER_LABEL` where category or severity differ; one with
        several errors is counted once for each. 1 if neither has an error.
    """
    if not key or not given:
        return float(not key and not given)
    edges = sorted({mark[end] for mark in (*key, *given) for end in ("start", "end")})
    credit = sum(
        (end - start) * _credit(_labels(key, start), _labels(given, start)) for start, end in pairwise(edges)
    )
    marked: int = sum(mark["end"] - mark["start"] for mark in (*key, *given))
    return 2 * float(credit) / marked


def _labels(marks: Sequence[ErrorMark], at: int) -> Counter[tuple[str, str]]:
    return Counter((one["category"], one["severity"]) for one in marks if one["start"] <= at < one["end"])


def _credit(wanted: Counter[tuple[str, str]], found: Counter[tuple[str, str]]) -> float:
    same = (wanted & found).total()
    return same + OTHER_LABEL * (min(wanted.total(), found.total()) - same)
