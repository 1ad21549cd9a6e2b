"""Which keys answer the questions of a rating page, as its legend names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotation.domain.questions.kinds.kind import IN_A_TEXT, OF_OPTIONS, Yields
from annotation.domain.questions.kinds.registry import KINDS


class Chosen(StrEnum):
    """What a key chooses: a point of a scale, an option, either, or nothing."""

    POINT = "point"
    OPTION = "option"
    EITHER = "either"
    NOTHING = ""


@dataclass(frozen=True)
class Shortcuts:
    """Keys of a page.

    Attributes
    ----------
    last_key : str
        The highest digit that chooses an answer; empty where none does.
    by_digit : Chosen
        What digits choose.
    by_arrow : Chosen
        Among what the arrow keys go to the next one.
    between_criteria : bool
        Whether there is another criterion to go to.
    in_rows : tuple of str
        Keys that answer the row in hand and go on to the next one.
    """

    last_key: str
    by_digit: Chosen
    by_arrow: Chosen
    between_criteria: bool
    in_rows: tuple[str, ...] = ()


def shortcuts_of(criteria: Sequence[Mapping[str, Any]]) -> Shortcuts:
    """Return the keys that answer a page.

    Parameters
    ----------
    criteria : sequence of mapping
        As `shown_criteria` gives them, with `kind` and `points`; digits are typed into `typed` ones, and into
        those on a line.
    """
    chosen = [criterion for criterion in criteria if not criterion.get("typed")]
    keys = {
        criterion["key"]: max((point.keyboard for point in criterion["points"]), default="")
        for criterion in chosen
        if _yields(criterion) not in (*IN_A_TEXT, Yields.ORDER)
        and not KINDS[criterion["kind"]].has_two_ends
        and not criterion.get("in_rows")
    }
    rows = next((criterion["yes_first"] for criterion in chosen if criterion.get("in_rows")), ())
    return Shortcuts(
        last_key=max(keys.values(), default=""),
        by_digit=_chosen(_yields(criterion) for criterion in chosen if keys.get(criterion["key"])),
        # Boxes of a multiple choice are passed with the Tab key.
        by_arrow=_chosen(_yields(one) for one in chosen if _yields(one) is not Yields.LABELS),
        between_criteria=len(criteria) > 1,
        in_rows=tuple(point.keyboard for point in rows if point.keyboard),
    )


def _yields(criterion: Mapping[str, Any]) -> Yields:
    return KINDS[criterion["kind"]].yields


def _chosen(yielded: Iterable[Yields]) -> Chosen:
    found = {
        Chosen.OPTION if one in OF_OPTIONS else Chosen.POINT
        for one in yielded
        if one in OF_OPTIONS or one is Yields.NUMBER
    }
    return Chosen.EITHER if len(found) > 1 else next(iter(found), Chosen.NOTHING)
