"""Where an English sentence may compare: `like`, `as … as`, `as if`, `hard as`, `harder than` and others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scoring.hauser.english.grammar.adjectives import COMPARATIVES, GRADED
from scoring.hauser.english.grammar.tagging import Sentence

Kind = Literal["like", "as_as", "as_if", "as", "than", "resembles"]

RESEMBLING = frozenset({"resemble", "resembles", "resembled", "resembling"})
MORE = frozenset({"more", "less"})
POSSIBLE = re.compile(
    r"\blike\b|\bas\s+(?:if|though)\b|\bas(?:\s+[^\s.;!?]+){1,6}?\s+as\b"
    r"|\bresembl(?:es?|ed|ing)\b|\bnot\s+unlike\b|\bsimilar\s+to\b"
)
MOST_WORDS_BETWEEN = 6
MOST_WORDS_MORE = 4
DEGREES = COMPARATIVES | MORE


@dataclass(frozen=True)
class Comparator:
    """Tokens `start` to `end`, both included; `property` are the tokens that say in what respect."""

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
    lower = " ".join(sentence.lower().split())
    n_as = lower.count("as")
    has_letters = "like" in lower or n_as > 1 or "as if" in lower or "as though" in lower
    if (has_letters or "resembl" in lower or "similar" in lower) and POSSIBLE.search(lower):
        return True
    if n_as and any(words[-1] in GRADED for words in _words_before(lower, " as ")):
        return True
    return any(not DEGREES.isdisjoint(words) for words in _words_before(lower, " than "))


def _words_before(text: str, word: str) -> list[list[str]]:
    """The last words before each occurrence of a word."""
    if word not in text:
        return []
    before = [piece.rsplit(None, MOST_WORDS_MORE + 1) for piece in text.split(word)[:-1]]
    return [words[-MOST_WORDS_MORE - 1 :] for words in before if words]


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
    tag, word = sentence.tags[position], sentence.words[position]
    if tag == "L":
        return Comparator("like", position, position)
    if tag == "K":
        return _at_as(sentence, position)
    following = sentence.words[position + 1] if position + 1 < len(sentence.words) else ""
    if word in RESEMBLING:
        return Comparator("resembles", position, position)
    if (word, following) in (("not", "unlike"), ("similar", "to")):
        return Comparator("like" if word == "not" else "resembles", position, position + 1)
    if following == "as" and word in GRADED:
        first = _first_graded(sentence, position)
        return Comparator("as", first, position + 1, (first, position))
    return _at_comparative(sentence, position, word)


def _at_as(sentence: Sentence, position: int) -> Comparator | None:
    following = sentence.words[position + 1] if position + 1 < len(sentence.words) else ""
    if following in ("if", "though"):
        return Comparator("as_if", position, position + 1)
    second = sentence.tags.find("K", position + 1, position + 2 + MOST_WORDS_BETWEEN)
    if second <= position + 1 or any(tag in ".:,BPS" for tag in sentence.tags[position + 1 : second]):
        return None
    if sentence.words[second + 1 : second + 2] in (["if"], ["though"]):
        return Comparator("as_if", position, second + 1, (position + 1, second - 1))
    return Comparator("as_as", position, second, (position + 1, second - 1))


def _first_graded(sentence: Sentence, last: int) -> int:
    """`cold` of `cold and sharp as`."""
    is_joined = last > 1 and sentence.words[last - 1] in ("and", ",") and sentence.words[last - 2] in GRADED
    return last - 2 if is_joined else last


def _at_comparative(sentence: Sentence, position: int, word: str) -> Comparator | None:
    """`faster than`, `more noise than`."""
    if word in COMPARATIVES and sentence.words[position + 1 : position + 2] == ["than"]:
        return Comparator("than", position, position + 1, (position, position))
    if word not in MORE:
        return None
    ahead = sentence.words[position + 1 : position + 2 + MOST_WORDS_MORE]
    if "than" not in ahead[1:]:
        return None
    than = position + 1 + ahead.index("than")
    if any(tag in ".:," for tag in sentence.tags[position:than]):
        return None
    is_predicative = position > 0 and sentence.tags[position - 1] in "BY"
    return Comparator("than", position, than, (position + 1, than - 1) if is_predicative else None)
