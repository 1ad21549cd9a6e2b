"""The conditions of a rule as the statistics take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.quality.exclusion_rules import HAND_PICKED
from scoring.stats.raters.exclusion import (
    ByHand,
    Condition,
    FailedChecks,
    HeldOutBelow,
    LacksContext,
    Opposition,
    StraightLining,
    TooFast,
    TooFewRatings,
)

CONDITIONS: dict[str, type[Any]] = {
    "lacks_context": LacksContext,
    "opposition": Opposition,
    "too_few_ratings": TooFewRatings,
    "failed_checks": FailedChecks,
    "straight_lining": StraightLining,
    "too_fast": TooFast,
    "held_out_below": HeldOutBelow,
}


def conditions_of(stored: Sequence[Mapping[str, Any]], criteria: Sequence[str]) -> list[Condition]:
    """Conditions from their stored form.

    Parameters
    ----------
    stored : sequence of mapping
        The `conditions` of an `ExclusionRule`.
    criteria : sequence of str
        Criteria that have ratings; a condition on another one catches nothing and is left out.
    """
    found: list[Condition] = []
    for condition in stored:
        settings = {name: value for name, value in condition.items() if name != "kind"}
        if condition["kind"] == HAND_PICKED:
            found.append(ByHand(*(tuple(settings[name]) for name in ("items", "raters", "responses"))))
        elif settings.get("criterion") is None or settings["criterion"] in criteria:
            found.append(CONDITIONS[condition["kind"]](**settings))
    return found
