"""Input and output of a run: similes for a literal sentence, in groups, and the scores of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import Score
from scoring.textmetrics.candidates import CONTROL_CHARACTERS, EMPTY_TEXT, defect

ComponentsSource = Literal["given", "extracted", "corrected", "raters"]
REFUSED = frozenset({EMPTY_TEXT, CONTROL_CHARACTERS})


@dataclass(frozen=True)
class Simile:
    """A candidate with its text and the texts it was generated from."""

    key: str
    text: str
    literal: str = ""  # The literal sentence; empty where there is none
    given: Extraction | None = None  # Components known beforehand; with None they are extracted
    source: ComponentsSource = "given"  # Where `given` comes from
    references: tuple[str, ...] = ()  # Reference texts for the metrics that compare
    answers: tuple[int, ...] = ()  # Ids of the raters' answers from which `given` was computed


@dataclass(frozen=True)
class Group:
    """All candidates for one literal sentence, excluded ones among them."""

    key: str  # Empty for a candidate that belongs to no group, and then nothing is normalised
    candidates: tuple[Simile, ...]  # In any order


@dataclass(frozen=True)
class Scored:
    """A candidate's scores and how they were computed."""

    key: str
    scores: Mapping[str, Score]  # By metric
    components: Extraction
    source: ComponentsSource  # Where the components come from
    explanation: Mapping[str, Any] = field(default_factory=dict)  # Plain JSON
    truncated: tuple[str, ...] = ()  # Metrics computed from a text of which a model saw only the beginning


def unusable(text: str) -> str:
    """Why a text cannot be scored: `empty_text`, `control_characters`, or empty where it can.

    Parameters
    ----------
    text : str
        A candidate or literal sentence.

    Returns
    -------
    str
        `empty_text`, `control_characters`, or empty for a text that can be; a long one can.
    """
    reason = defect(text)
    return reason if reason in REFUSED else ""
