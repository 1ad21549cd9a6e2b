"""Where an English sentence may compare: `like`, `as … as`, `as if` and `as though`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scoring.hauser.english.grammar.tagging import Sentence

Kind = Literal["like", "as_as", "as_if"]

POSSIBLE = re.compile(r"\blike\b|\bas\s+(?:if|though)\b|\bas(?:\s+[^\s.;!?]+){1,6}?\s+as\b")
MOST_WORDS_BETWEEN = 6


@dataclass(frozen=True)
class Comparator:
    """Tokens `start` to `end`, both included; `property` are the tokens between `as` and `as`."""

    kind: Kind
    start: int
    end: int
    property: tuple[int, int] | None = None


def may_compare_in_english(sentence: str) -> bool:
    """Whether a text has an English comparator, by its letters alone.

    Parameters
    ----------
    sentence : str
        Any text.
    """
    lower = sentence.lower()
    if "like" not in lower and lower.count("as") < 2 and "as if" not in lower and "as though" not in lower:
        return False
    return POSSIBLE.search(lower) is not None


def comparators(sentence: Sentence) -> Iterator[Comparator]:
    """Yield the possible comparators, first to last.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    """
    position = 0
    while position < len(sentence.tags):
        found = _at(sentence, position)
        if found:
            yield found
            position = found.end
        position += 1


def _at(sentence: Sentence, position: int) -> Comparator | None:
    tag = sentence.tags[position]
    if tag == "L":
        return Comparator("like", position, position)
    if tag != "K":
        return None
    following = sentence.words[position + 1] if position + 1 < len(sentence.words) else ""
    if following in ("if", "though"):
        return Comparator("as_if", position, position + 1)
    second = sentence.tags.find("K", position + 1, position + 2 + MOST_WORDS_BETWEEN)
    if second <= position + 1 or any(tag in ".:,BPS" for tag in sentence.tags[position + 1 : second]):
        return None
    return Comparator("as_as", position, second, (position + 1, second - 1))
