"""The conditions of a rule as the statistics take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.quality.exclusion_rules import HAND_PICKED
from scoring.stats.data.scale import Scale
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
# Settings that are values of the criterion.
BOUNDS = frozenset({"low", "high"})


def conditions_of(stored: Sequence[Mapping[str, Any]], scales: Mapping[str, Scale]) -> list[Condition]:
    """Conditions from their stored form.

    Parameters
    ----------
    stored : sequence of mapping
        The `conditions` of an `ExclusionRule`; bounds are numbers as raters give them.
    scales : mapping of str to Scale
        Scales of the criteria with ratings; a condition on another one matches nothing and is left out.
    """
    found: list[Condition] = []
    for condition in stored:
        settings = {name: value for name, value in condition.items() if name != "kind"}
        if condition["kind"] == HAND_PICKED:
            found.append(ByHand(*(tuple(settings[name]) for name in ("items", "raters", "responses"))))
        elif settings.get("criterion") is None or settings["criterion"] in scales:
            scale = scales.get(settings.get("criterion", ""))
            if scale is not None:
                settings |= {name: scale.measured(settings[name]) for name in BOUNDS & settings.keys()}
            found.append(CONDITIONS[condition["kind"]](**settings))
    return found
