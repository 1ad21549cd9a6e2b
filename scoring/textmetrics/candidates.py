"""Input and output of a metric."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from scoring.textmetrics.bertscore import TokenVectors
from scoring.textmetrics.words import words

LONGEST = 5000
WHITESPACE_CONTROLS = frozenset("\t\n\r")

EMPTY_TEXT = "empty_text"
NO_WORDS = "no_words"
CONTROL_CHARACTERS = "control_characters"
TOO_LONG = "too_long"
TOO_SHORT = "too_short"
NO_REFERENCE = "no_reference"
NO_SOURCE = "no_source"
NO_GROUP = "no_group"
GROUP_OF_ONE = "group_of_one"
RUN_OF_ONE = "run_of_one"
NO_ENCODER = "no_encoder"
NO_LANGUAGE_MODEL = "no_language_model"
NO_SIMILARITY = "no_similarity"

ReferenceSet = Literal["group", "run"]


@dataclass(frozen=True)
class Candidate:
    """A text to be scored, with what it is compared to."""

    text: str
    references: tuple[str, ...] = ()  # Reference texts
    source: str = ""  # The input: the prompt of a story, the literal sentence of a simile
    group: str = ""  # Candidates of one group have the same source; empty for none


@dataclass(frozen=True)
class Outcome:
    """A score, or the code of the reason why there is none."""

    value: float | None  # The score; None when there is a reason
    reason: str = ""  # Stable code
    truncated: bool = False  # Whether a model saw only the beginning of a text


class Surprised(Protocol):
    """What a language model answers about a text."""

    @property
    def perplexity(self) -> float | None: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True)
class Resources:
    """Further inputs of some metrics."""

    # Texts with which Self-BLEU and Distinct compare: the others of its `group`, or of the `run`
    reference_set: ReferenceSet = "group"
    # From texts to the vectors of their tokens
    encoder: Callable[[Sequence[str]], Sequence[TokenVectors]] | None = None
    perplexity: Callable[[Sequence[str]], Sequence[Surprised]] | None = None  # From texts to their perplexity


def defect(text: str) -> str:
    """Why no metric can be computed on a text.

    Parameters
    ----------
    text
        A candidate, a reference or a source.

    Returns
    -------
    str
        `empty_text`, `control_characters` (other than tabs and line ends, or half a surrogate pair),
        `no_words` (only punctuation or symbols), `too_long` (more than 5,000 words), or empty.
    """
    if not text.strip():
        return EMPTY_TEXT
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in set(text) - WHITESPACE_CONTROLS):
        return CONTROL_CHARACTERS
    number = len(words(text))
    if number > LONGEST:
        return TOO_LONG
    return "" if number else NO_WORDS
