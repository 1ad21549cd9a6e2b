"""The components of a simile as character spans of its sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A piece of a sentence: its wording and its position.

    `start` and `end` are offsets in Unicode code points, end exclusive; both are None where the wording
    does not occur in the sentence (a pronoun resolved elsewhere, a part entered manually).
    """

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Components:
    """One topic–vehicle pair of a sentence with what connects them; a part not found is None."""

    topic: Part | None
    vehicle: Part
    event: Part | None = None
    property: Part | None = None
    comparator: Part | None = None


@dataclass(frozen=True)
class Extraction:
    """The pairs of a sentence, first to last; without any, `reason` is the code of why."""

    pairs: tuple[Components, ...]
    reason: str = ""
