"""Two annotators' tuples on the same items: matched one to one, counted exactly and by characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.spans.marked_tuples import Mark, MarkedTuple

Matching = Literal["exact", "overlap"]
MATCHINGS: tuple[Matching, ...] = ("exact", "overlap")


@dataclass(frozen=True)
class Shared:
    """What two annotators of an item have in common."""

    hits: float = 0.0  # Tuples (`exact`) or characters (`overlap`) that both have
    # first, second: Tuples or characters of each
    first: float = 0.0
    second: float = 0.0
    # n_first, n_second: Tuples of each that have the part
    n_first: int = 0
    n_second: int = 0


def shared(
    first: Sequence[MarkedTuple], second: Sequence[MarkedTuple], parts: Sequence[str], matching: Matching
) -> Shared:
    """What two annotators' tuples of one item have in common.

    Parameters
    ----------
    first, second
        Their tuples.
    parts
        The parts to compare; tuples that have none of them are left out.
    matching
        `exact` or `overlap`.

    Returns
    -------
    Shared
        Tuples are matched one to one so that what these parts share is greatest.
    """
    ones, others = filter_by_parts(first, parts), filter_by_parts(second, parts)
    gain = _same if matching == "exact" else _overlap
    gains = np.array([[gain(one, other, parts) for other in others] for one in ones], dtype=np.float64)
    return Shared(
        hits=_matched(gains) if ones and others else 0.0,
        first=_size(ones, parts, matching),
        second=_size(others, parts, matching),
        n_first=len(ones),
        n_second=len(others),
    )


def filter_by_parts(tuples: Sequence[MarkedTuple], parts: Sequence[str]) -> list[MarkedTuple]:
    """The tuples that have one of the parts.

    Parameters
    ----------
    tuples
        Of one annotator and item.
    parts
        Names of parts.
    """
    return [one for one in tuples if any(one.get(part) for part in parts)]


def _same(one: MarkedTuple, other: MarkedTuple, parts: Sequence[str]) -> float:
    return float(all(_same_marks(one.get(part, ()), other.get(part, ())) for part in parts))


def _same_marks(ones: Sequence[Mark], others: Sequence[Mark]) -> bool:
    """Whether the two have the same marks, in any order."""
    left = list(others)
    for mark in ones:
        found = next((position for position, other in enumerate(left) if mark.same(other)), None)
        if found is None:
            return False
        del left[found]
    return not left


def _overlap(one: MarkedTuple, other: MarkedTuple, parts: Sequence[str]) -> float:
    return sum(_overlap_of_marks(one.get(part, ()), other.get(part, ())) for part in parts)


def _overlap_of_marks(ones: Sequence[Mark], others: Sequence[Mark]) -> float:
    if not ones or not others:
        return 0.0
    return _matched(np.array([[mark.overlap(other) for other in others] for mark in ones], dtype=np.float64))


def _matched(gains: FloatArray) -> float:
    if gains.size == 1:
        return float(gains[0, 0])
    rows, columns = scipy.optimize.linear_sum_assignment(gains, maximize=True)
    return float(gains[rows, columns].sum())


def _size(tuples: Sequence[MarkedTuple], parts: Sequence[str], matching: Matching) -> float:
    if matching == "exact":
        return float(len(tuples))
    return float(sum(mark.length for one in tuples for part in parts for mark in one.get(part, ())))
