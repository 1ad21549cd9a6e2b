"""What the token classifier reads: the tokens around a comparator, and the parts that the rules find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.hauser.base.parts import Components, Part
from scoring.hauser.english.grammar.tagging import tag

Language = Literal["zh", "en"]
Span = tuple[int, int]

LANGUAGES: tuple[Language, ...] = ("zh", "en")
BEFORE, BEHIND = 40, 30
N_LETTERS = 32
N_FEATURES = 7
TAGS = 'DZPN#VBAGERWSCIOTY,.:"()LK'
CHARACTER = 2


@dataclass(frozen=True)
class Tokens:
    """Tokens of a sentence: characters of Chinese, words of English."""

    text: str
    spans: list[Span]  # Offsets in the text, end exclusive
    letters: list[int]  # Number of the tag of each token


@dataclass(frozen=True)
class Window:
    """The tokens around a comparator; positions of tokens in the window include the last."""

    text: str
    spans: list[Span]
    words: list[str]
    letters: list[int]
    # A capital letter; the first, the last and any token of topic and vehicle by the rules
    features: list[list[float]]
    comparator: Span

    def part(self, span: Span) -> Part:
        """The tokens of a span as a part of the sentence."""
        start, end = self.spans[span[0]][0], self.spans[span[1]][1]
        return Part(self.text[start:end], start, end)

    def tokens_of(self, part: Part | None) -> Span | None:
        """The tokens of a part, or None where it is not in the window."""
        return None if part is None else tokens_between(self.spans, part.start, part.end)


def tokens_of(sentence: str, language: Language) -> Tokens:
    """Split a sentence into tokens.

    Parameters
    ----------
    sentence : str
        Any text.
    language : {"zh", "en"}
        Characters are the tokens of Chinese, words those of English.
    """
    if language == "zh":
        return Tokens(sentence, [(at, at + 1) for at in range(len(sentence))], [CHARACTER] * len(sentence))
    tagged = tag(sentence)
    return Tokens(sentence, tagged.spans, [TAGS.find(letter) + CHARACTER for letter in tagged.tags])


def window_at(tokens: Tokens, comparator: Part, by_rules: Components | None) -> Window | None:
    """The window around a comparator.

    Parameters
    ----------
    tokens : Tokens
        Tokens of the sentence.
    comparator : Part
        The comparator, at its position in the sentence.
    by_rules : Components or None
        The pair that the rules find at this comparator.

    Returns
    -------
    Window or None
        None where the comparator has no position, or nothing follows it.
    """
    place = tokens_between(tokens.spans, comparator.start, comparator.end)
    if place is None or place[1] + 1 >= len(tokens.spans):
        return None
    start, end = max(0, place[0] - BEFORE), min(len(tokens.spans), place[1] + 1 + BEHIND)
    spans = tokens.spans[start:end]
    found = [by_rules.topic, by_rules.vehicle] if by_rules else []
    parts = [tokens_between(spans, part.start, part.end) if part else None for part in found]
    return Window(
        text=tokens.text,
        spans=spans,
        words=[tokens.text[first:last].lower() for first, last in spans],
        letters=tokens.letters[start:end],
        features=[
            [float(tokens.text[first].isupper()), *_signs(at, parts)] for at, (first, _) in enumerate(spans)
        ],
        comparator=(place[0] - start, place[1] - start),
    )


def tokens_between(spans: Sequence[Span], start: int | None, end: int | None) -> Span | None:
    """The first and the last token that lie between two offsets."""
    if start is None or end is None:
        return None
    inside = [at for at, (first, last) in enumerate(spans) if first >= start and last <= end]
    return (inside[0], inside[-1]) if inside else None


def _signs(at: int, parts: Sequence[Span | None]) -> list[float]:
    """Whether a token is the first, the last or any token of each part."""
    signs: list[float] = []
    for part in parts or (None, None):
        first, last = part or (-1, -2)
        signs += [float(at == first), float(at == last), float(first <= at <= last)]
    return signs
