"""The extractors that are compared: the built-in one, a spaCy pipeline, and a cut after the comparator."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.components.pairs import Extractor, Pair
from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.word_list import word_list
from scoring.hauser.components.extractors import extractor_named

PIECE = re.compile(r"[\w'’-]+|[^\w\s]")
FUNCTION_WORDS = word_list("""
    that which who and or but because when while if after before so with without in on at to from by for into
    over under through during among between is are was were be has had will would can
""")
ENDS = frozenset(',.;:!?()"“”')
TOPIC_WORDS = 2
CUT = "cut"


def extractor_of(name: str, *, known_similes: bool) -> Extractor:
    """An extractor by its name: `cut`, or a name of `scoring.hauser.components.extractors`."""
    if name == CUT:
        return cut_after_comparator
    return as_pairs(extractor_named(name, known_similes=known_similes))


def as_pairs(extract: Callable[[str], Extraction]) -> Extractor:
    """The texts of the pairs that an extractor finds."""

    def pairs_of(sentence: str) -> list[Pair]:
        return [
            Pair(
                pair.topic.text if pair.topic else "",
                pair.vehicle.text,
                pair.event.text if pair.event else "",
                pair.property.text if pair.property else "",
            )
            for pair in extract(sentence).pairs
        ]

    return pairs_of


def cut_after_comparator(sentence: str) -> list[Pair]:
    """What follows the comparator up to a function word or comma; the first words of the clause."""
    pieces = PIECE.findall(sentence)
    pairs = []
    for place, piece in enumerate(pieces):
        is_second_as = piece == "as" and "as" in pieces[max(0, place - 4) : place - 1]
        if piece.lower() == "like" or is_second_as:
            pairs.append(Pair(_first_words(pieces[:place]), _up_to_function_word(pieces[place + 1 :])))
    return pairs


def _up_to_function_word(pieces: list[str]) -> str:
    words: list[str] = []
    for piece in pieces:
        if piece in ENDS or piece.lower() in FUNCTION_WORDS:
            if words:
                break
            continue
        words.append(piece)
    return " ".join(words)


def _first_words(pieces: list[str]) -> str:
    """The first words, without its article, of the clause that ends there."""
    start = len(pieces)
    while start and pieces[start - 1] not in ENDS:
        start -= 1
    words = [piece for piece in pieces[start:] if piece.lower() not in ("a", "an", "the")]
    return " ".join(words[:TOPIC_WORDS])
