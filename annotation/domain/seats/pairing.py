"""Adaptive pairs: why no more pairs are added, and how many comparisons there can be."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from annotation.domain.base.limits import MOST_COMPARISONS

MOST_PER_ROUND = 1_000
# A page lists them all.
MOST_ROUNDS = 200
# Every pick of a round looks at every item.
MOST_ITEMS = 5_000


class Stop(StrEnum):
    """Why no more pairs are added, as the choice of the next comparisons names it."""

    ORDER_KNOWN = "order_known"
    BUDGET = "budget"
    PAIR_LIMIT = "pair_limit"
    ROUND_LIMIT = "round_limit"


def _whole(described: str, most: int) -> dict[str, Any]:
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
        "budget": _whole("Comparisons in all.", MOST_COMPARISONS),
        "per_round": _whole("Comparisons per round.", MOST_PER_ROUND),
    },
    "required": ["criterion", "budget", "per_round"],
    "additionalProperties": False,
}
