"""A part of quality made comparable within the candidates of one literal sentence: eq. (6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.hauser.base.scores import Score
from scoring.stats.base.rounding import round_significant

ALL_EQUAL = 0.5


@dataclass(frozen=True, kw_only=True)
class Normalised(Score):
    """A score from 0 to 1 within its group."""

    raw: float | None  # The value before; None where there is none
    # low, high: Smallest and largest value of the group; None in a group without values
    low: float | None
    high: float | None


def normalise(scores: Sequence[Score]) -> list[Normalised]:
    """Min–max normalisation over all candidates of one literal sentence.

    Parameters
    ----------
    scores : sequence of Score
        Scores of one metric for every candidate of the group, excluded ones too: an exclusion changes no
        score.

    Returns
    -------
    list of Normalised
        In the same order; 0.5 for all where all values are equal (within 1e-12 of themselves), as in a group
        of one. A candidate without a value stays without, for the same reason, and does not touch the others.

    Notes
    -----
    He et al. (2023), section 3.1.4, eq. (6) and footnote 5.
    """
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return [
            Normalised(value=None, reason=score.reason, raw=None, low=None, high=None) for score in scores
        ]
    low, high = min(values), max(values)
    is_one_value = bool(np.ptp(round_significant(np.array([low, high]))) == 0)
    return [
        Normalised(
            value=_within(score.value, low, high, is_one_value=is_one_value),
            reason=score.reason,
            raw=score.value,
            low=low,
            high=high,
        )
        for score in scores
    ]


def _within(value: float | None, low: float, high: float, *, is_one_value: bool) -> float | None:
    if value is None:
        return None
    return ALL_EQUAL if is_one_value else (value - low) / (high - low)
