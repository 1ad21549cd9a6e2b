"""What a judge is asked: criteria with their scales, and the texts that raters read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A point of a scale or an option: the value that is answered, and what it means."""

    value: str
    label: str = ""
    description: str = ""


@dataclass(frozen=True)
class AskedCriterion:
    """A criterion as a judge is asked it.

    Parameters
    ----------
    key, name, question
        As raters know it; an answer may name the criterion by its key or its name.
    points
        The values that may be answered, in the order of the form.
    low, high
        Ends of a scale on which every number between them may be answered; None where only `points` may.
    """

    key: str
    name: str
    question: str = ""
    points: tuple[Point, ...] = ()
    low: float | None = None
    high: float | None = None

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the points."""
        return tuple(point.value for point in self.points)

    @property
    def is_continuous(self) -> bool:
        """Whether any number between two ends may be answered."""
        return self.low is not None and self.high is not None


@dataclass(frozen=True)
class Instrument:
    """Everything that is the same for all items of a run.

    Parameters
    ----------
    instructions
        The instructions of the study as raters read them.
    question
        What the form says above its criteria; may be empty.
    criteria
        At least one.
    cannot_rate
        Whether raters may say that an item cannot be rated.
    """

    instructions: str
    question: str
    criteria: tuple[AskedCriterion, ...]
    cannot_rate: bool = False


@dataclass(frozen=True)
class ShownText:
    """One text of an item, with the label under which raters see it (may be empty)."""

    label: str
    text: str


Texts = Sequence[ShownText]
