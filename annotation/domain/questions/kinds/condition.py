"""Conditions of display logic: the answers to an earlier criterion after which another one is asked."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from annotation.domain.base.numbers import plain_number


class Comparison(StrEnum):
    """The comparison of a condition, as a definition writes it before the number."""

    EXACTLY = ""
    AT_LEAST = ">="
    AT_MOST = "<="


Document = dict[str, Any]
# A separator that no option contains.
BETWEEN_OPTIONS = "|"
BOUND = re.compile(r"(>=|<=)\s*(-?[0-9]{1,6}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class Condition:
    """One answer, or a number that the answer must reach or must not exceed.

    `value` is the answer or the number as text. Only answers that are numbers are compared with a number.
    """

    comparison: Comparison
    value: str

    @classmethod
    def read(cls, stored: str) -> Self:
        """Read `asked_when` of a criterion: an answer such as `yes` or `4`, or a bound such as `>=4`."""
        found = BOUND.fullmatch(stored)
        return cls(Comparison(found[1]), found[2]) if found else cls(Comparison.EXACTLY, stored)

    @property
    def stored(self) -> str:
        """The condition as `asked_when` holds it."""
        return f"{self.comparison.value}{self.value}"

    @property
    def bound(self) -> float:
        """The number of a comparison."""
        return plain_number(float(self.value))

    def holds(self, cell: float | str) -> bool:
        """Whether an answer, as files hold it, meets the condition; of several options, one is enough."""
        if self.comparison is Comparison.EXACTLY or isinstance(cell, str):
            return self.stored in (str(cell), *str(cell).split(BETWEEN_OPTIONS))
        return cell >= self.bound if self.comparison is Comparison.AT_LEAST else cell <= self.bound


def last_with_follow_up(criteria: Sequence[Document]) -> tuple[list[Document], Document | None]:
    """Return the criteria up to the last one that is not asked after the one before it, and that follow-up.

    Parameters
    ----------
    criteria : sequence of dict
        Of a form, in the shape of a definition.
    """
    if len(criteria) > 1 and criteria[-1]["asked_after"] == criteria[-2]["key"] != "":
        return list(criteria[:-1]), criteria[-1]
    return list(criteria), None


def follow_up_after(added: Document, model: Document) -> Document:
    """Return a copy of a follow-up that is asked after another criterion.

    Parameters
    ----------
    added : dict
        The criterion after which it is asked.
    model : dict
        The follow-up that is copied.
    """
    key = f"{added['key'][:52]}-{model['key'].rpartition('-')[2][:7]}"
    return {**copy.deepcopy(model), "key": key, "asked_after": added["key"]}
