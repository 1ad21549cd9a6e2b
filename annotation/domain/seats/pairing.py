"""Adaptive pairs: limits of their number, and reasons why no more pairs are added."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from annotation.domain.base.limits import MOST_COMPARISONS

MOST_PER_ROUND = 1_000
# Limit, because a page lists all rounds.
MOST_ROUNDS = 200
# Limit, because every choice of a round examines every item.
MOST_ITEMS = 5_000


class Stop(StrEnum):
    """The reason why the choice of the next comparisons adds no more pairs."""

    ORDER_KNOWN = "order_known"
    BUDGET = "budget"
    PAIR_LIMIT = "pair_limit"
    ROUND_LIMIT = "round_limit"


def _whole_number(described: str, most: int) -> dict[str, Any]:
    return {"description": described, "type": "integer", "minimum": 1, "maximum": most}


# The shape of adaptive pairs in a study definition.
PAIRING_SCHEMA: dict[str, Any] = {
    "description": "Adaptive pairs: items get a rating where the order of two candidates is open; null for "
    "the same number of ratings for each item.",
    "type": "object",
    "properties": {
        "criterion": {
            "description": "The question that compares the two texts.",
            "type": "string",
            "minLength": 1,
            "maxLength": 60,
        },
        "budget": _whole_number("Comparisons in all.", MOST_COMPARISONS),
        "per_round": _whole_number("Comparisons per round.", MOST_PER_ROUND),
    },
    "required": ["criterion", "budget", "per_round"],
    "additionalProperties": False,
}
