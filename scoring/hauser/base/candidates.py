"""What a run scores: similes for a literal sentence, in groups, and what comes of each."""

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
    """A candidate with what it says and what it was made from.

    Parameters
    ----------
    key
        Names it.
    text
        The sentence.
    literal
        The literal sentence; empty where there is none.
    given
        Its components, where they are known beforehand; None has them extracted.
    source
        Where `given` comes from.
    references
        Texts that it should be like, for the metrics that compare.
    answers
        Numbers of the raters' answers that `given` was made from.
    """

    key: str
    text: str
    literal: str = ""
    given: Extraction | None = None
    source: ComponentsSource = "given"
    references: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Group:
    """All candidates for one literal sentence, excluded ones among them.

    Parameters
    ----------
    key
        Names it; empty for a candidate that belongs to no group, and then nothing is normalised.
    candidates
        In any order.
    """

    key: str
    candidates: tuple[Simile, ...]


@dataclass(frozen=True)
class Scored:
    """A candidate's scores and how they came about.

    Parameters
    ----------
    key
        Of the candidate.
    scores
        By metric.
    components
        That were used.
    source
        Where they come from.
    explanation
        Plain JSON.
    truncated
        Metrics for which a model saw only the beginning of a text, and those that they went into.
    """

    key: str
    scores: Mapping[str, Score]
    components: Extraction
    source: ComponentsSource
    explanation: Mapping[str, Any] = field(default_factory=dict)
    truncated: tuple[str, ...] = ()


def unusable(text: str) -> str:
    """Why a text cannot be scored at all.

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
