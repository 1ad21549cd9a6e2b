"""What a study template says: forms, criteria and rubrics as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.states import CriterionKind


@dataclass(frozen=True)
class Point:
    """One point of a scale."""

    value: str
    label: str = ""
    description: str = ""


@dataclass(frozen=True)
class CriterionTemplate:
    """One question; a Likert scale runs from the first to the last of its points."""

    key: str
    name: str
    question: str
    points: Sequence[Point]
    kind: CriterionKind = CriterionKind.LIKERT

    @property
    def ends(self) -> tuple[int, int] | tuple[None, None]:
        if self.kind is not CriterionKind.LIKERT:
            return None, None
        return int(self.points[0].value), int(self.points[-1].value)


@dataclass(frozen=True)
class FormTemplate:
    """Criteria answered together; `blocks` says what of an item is shown above them."""

    key: str
    title: str
    criteria: Sequence[CriterionTemplate]
    blocks: Sequence[dict[str, Any]] = field(default_factory=list)
    question: str = ""


@dataclass(frozen=True)
class StudyTemplate:
    """A kind of study; `texts` are the item fields that it needs."""

    key: str
    title: str
    description: str
    consent: str
    instructions: str
    texts: Sequence[str]
    forms: Sequence[FormTemplate]
