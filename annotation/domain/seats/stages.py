"""The rule by which the answers of one stage admit an item to the next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StageRule(StrEnum):
    """How many of the answers to an item in the earlier stage must have the value."""

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"


class StagePeople(StrEnum):
    """Raters of the next stage: any, those who have not rated the item before, or have not rated any item."""

    ANYBODY = "anybody"
    OTHERS_FOR_ITEM = "others_for_item"
    OTHERS = "others"


class Decision(StrEnum):
    ADMITTED = "admitted"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True)
class Tally:
    """Answers about an item that count, and how many of them have the value."""

    answers: int = 0
    agreeing: int = 0


def decide(rule: StageRule, tally: Tally, *, overlap: int) -> Decision:
    """Decide whether an item passes, as soon as no further answer could change the result.

    `overlap` is the number of answers wanted; where there are more, all of them count.
    """
    of = max(overlap, tally.answers)
    if _suffices(rule, tally.agreeing, of):
        return Decision.ADMITTED
    at_best = tally.agreeing + of - tally.answers
    return Decision.WAITING if _suffices(rule, at_best, of) else Decision.REFUSED


def _suffices(rule: StageRule, agreeing: int, of: int) -> bool:
    if rule is StageRule.ANY:
        return agreeing > 0
    return 2 * agreeing > of if rule is StageRule.MAJORITY else agreeing == of
