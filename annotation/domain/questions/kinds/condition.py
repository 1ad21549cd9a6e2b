"""The answers to an earlier criterion after which another one is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from annotation.domain.base.numbers import plain_number


class Comparison(StrEnum):
    """How an answer is compared with that of a condition; what a definition writes before the number."""

    EXACTLY = ""
    AT_LEAST = ">="
    AT_MOST = "<="


# No option contains it.
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
