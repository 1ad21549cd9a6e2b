"""Rules that find items with so much disagreement that they need adjudication."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from annotation.domain.questions.kinds.kind import IN_A_TEXT, Question, Yields
from annotation.domain.questions.kinds.registry import KINDS

T = TypeVar("T")
# Without E, N and P. Letters of a case are named in its discussion, so the sequence stays as it is.
LETTERS = "ABCDFGHIJKLMOQRSTUVWXYZ"
# Letters up to this one are keys that copy a response; the later ones are for commands of the page.
LAST_LETTER_WITH_KEY = "J"


class CaseState(StrEnum):
    OPEN = "open"
    DISCUSSED = "discussed"
    DECIDED = "decided"
    WITHDRAWN = "withdrawn"


UNDECIDED = (CaseState.OPEN, CaseState.DISCUSSED)


class Rule(StrEnum):
    """The reason for which an item is sent to adjudication."""

    ALL_DIFFER = "all_differ"
    NO_MAJORITY = "no_majority"
    SPREAD = "spread"
    OVERLAP = "overlap"
    HAND_PICKED = "hand_picked"


RATIO_DECIMALS = 4
# Rules that a worker searches with, and the bound that each needs.
BOUNDED = {Rule.SPREAD: "least", Rule.OVERLAP: "below"}
SEARCHED = (Rule.ALL_DIFFER, Rule.NO_MAJORITY, Rule.SPREAD, Rule.OVERLAP)
ONLY_FOR = {Rule.SPREAD: (Yields.NUMBER,), Rule.OVERLAP: IN_A_TEXT}


def can_search(rule: Rule, kind: str) -> bool:
    """Whether a rule applies to criteria of a kind."""
    yields = KINDS[kind].yields
    return rule in SEARCHED and yields in ONLY_FOR.get(rule, (yields,))


@dataclass(frozen=True)
class Search:
    """A rule to look for on a criterion of a form.

    Parameters
    ----------
    rule, form, criterion
        The rule, and the keys of the form and the criterion.
    bound
        Least difference of the highest and lowest value for `spread`, or their least ratio; for
        `overlap`, the share of characters that two raters should have in common.
    part
        Of tuples, for `overlap`; empty for the whole tuple.
    """

    rule: Rule
    form: str
    criterion: str
    bound: float = 0.0
    part: str = ""


def find_difference(rule: Rule, answers: Sequence[Hashable]) -> Mapping[str, int] | None:
    """What `all_differ` or `no_majority` finds among the answers of one item; None where it does not hold.

    Parameters
    ----------
    rule : Rule
        One of the two.
    answers : sequence of hashable
        One a rater; with fewer than two nothing differs.
    """
    counts = Counter(answers)
    most = max(counts.values(), default=0)
    if len(answers) < 2:
        return None
    holds = most == 1 if rule is Rule.ALL_DIFFER else 2 * most <= len(answers)
    return {"raters": len(answers), "most": most} if holds else None


def spread(answers: Sequence[float], least: float, *, on_ratios: bool = False) -> Mapping[str, float] | None:
    """Return by how much the highest value exceeds the lowest, or None where that is below `least`.

    Parameters
    ----------
    answers : sequence of float
        One a rater.
    least : float
        The bound.
    on_ratios : bool
        Whether the bound says how many times the lowest value the highest is, and the answer has `ratio`.
    """
    if len(answers) < 2:
        return None
    highest, lowest = max(answers), min(answers)
    found = round(highest / lowest, RATIO_DECIMALS) if on_ratios else highest - lowest
    if found < least:
        return None
    detail = {"raters": len(answers), "least": least, "found": found}
    return detail | ({"ratio": True} if on_ratios else {})


def in_seeded_order(first: Iterable[T], later: Iterable[T], *, seed: int, place: str) -> list[T]:
    """Return annotators in a random order that does not identify them; those who come later follow.

    Parameters
    ----------
    first : iterable
        In any fixed order.
    later : iterable
        In the order in which they came.
    seed : int
        The study's.
    place : str
        What the order is drawn for, such as an item; each has its own order.
    """
    shuffled = list(first)
    random.Random(f"{seed}/{place}").shuffle(shuffled)
    return [*shuffled, *later]


def letter(number: int) -> str:
    """Return A, B … Z without the shortcuts of the page, then A2, B2 …"""
    turn, place = divmod(number, len(LETTERS))
    return LETTERS[place] + (str(turn + 1) if turn else "")


def questions_to_decide(questions: Sequence[Question], disputed: Iterable[str]) -> list[Question]:
    """Return the questions, of which only those that are disputed or linked to a disputed one are required.

    Parameters
    ----------
    questions : sequence of Question
        Of a form version, in its order.
    disputed : iterable of str
        Keys of criteria.

    Returns
    -------
    list of Question
        A criterion that decides whether a disputed one is asked is required too, and so is one that is asked
        because of a disputed one; the others are optional.
    """
    needed = set(disputed)
    for question in questions:
        if question.asked_after in needed:
            needed.add(question.key)
    for question in reversed(questions):
        if question.key in needed and question.asked_after:
            needed.add(question.asked_after)
    return [replace(one, required=one.required and one.key in needed) for one in questions]
