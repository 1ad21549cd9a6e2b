"""Marked sentences as examples for the token classifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hauser.base.parts import Components, Part
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.chinese import COMPARATOR
from scoring.hauser.components.trained.windows import Language, Span, Window, tokens_of, window_at
from scoring.hauser.english.grammar.comparators import comparators
from scoring.hauser.english.grammar.tagging import tag


@dataclass(frozen=True)
class Mark:
    """A topic and a vehicle that a person marked in a sentence."""

    sentence: str
    topic: str  # Empty where none is marked
    vehicle: str
    row: int = 0  # Row of the file that it was read from


@dataclass(frozen=True)
class Example:
    """A window with the tokens of the marked parts; None for a part that is not in it."""

    window: Window
    topic: Span | None
    vehicle: Span


def examples_of(marks: Sequence[Mark], language: Language) -> tuple[list[Example], list[Mark]]:
    """Make an example of each mark whose vehicle follows a comparator.

    Parameters
    ----------
    marks : sequence of Mark
        Marked pairs.
    language : {"zh", "en"}
        Language of the sentences.

    Returns
    -------
    examples : list of Example
        At the last comparator before the vehicle.
    left_out : list of Mark
        The other marks.
    """
    examples, left_out = [], []
    for mark in marks:
        example = _example(mark, language)
        if example is None:
            left_out.append(mark)
        else:
            examples.append(example)
    return examples, left_out


def comparators_of(sentence: str, language: Language) -> list[Part]:
    """The possible comparators of a sentence, first to last."""
    if language == "zh":
        return [Part(match.group(), *match.span()) for match in COMPARATOR.finditer(sentence)]
    spans = tag(sentence).spans
    places = [(spans[one.start][0], spans[one.end][1]) for one in comparators(tag(sentence))]
    return [Part(sentence[start:end], start, end) for start, end in places]


def pair_at(pairs: Sequence[Components], comparator: Part) -> Components | None:
    """The pair that the rules find at a comparator."""
    return next((pair for pair in pairs if pair.comparator == comparator), None)


def _example(mark: Mark, language: Language) -> Example | None:
    sentence = mark.sentence
    ahead = [one for one in comparators_of(sentence, language) if mark.vehicle in sentence[one.end :]]
    if not mark.vehicle or not ahead:
        return None
    comparator = ahead[-1]
    by_rules = pair_at(extract(sentence, known_simile=True).pairs, comparator)
    window = window_at(tokens_of(sentence, language), comparator, by_rules)
    vehicle = _nearest(sentence, mark.vehicle, comparator, behind=True)
    place = window.tokens_of(vehicle) if window else None
    if window is None or place is None:
        return None
    return Example(window, window.tokens_of(_nearest(sentence, mark.topic, comparator, behind=False)), place)


def _nearest(sentence: str, words: str, comparator: Part, *, behind: bool) -> Part | None:
    """The occurrence of marked words that is nearest to the comparator."""
    start, end = comparator.start or 0, comparator.end or 0
    found = [match.span() for match in re.finditer(re.escape(words), sentence)] if words else []
    allowed = [span for span in found if span[0] >= end or (not behind and span[1] <= start)]
    nearest = min(allowed, key=lambda span: abs(span[0] - start), default=None)
    return None if nearest is None else Part(words, *nearest)
