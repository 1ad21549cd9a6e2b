"""The similes of a block of text, counted by topic, property and vehicle."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.built_in import extract, may_hold_simile
from scoring.hauser.knowledge.corpus import Layout, number_of_sentences, sentences, texts
from scoring.hauser.knowledge.problems import BadRows

Triple = tuple[str, str, str]
# Placeholder for a topic or property that a simile does not name.
NOT_NAMED = ""


@dataclass(frozen=True)
class Piece:
    """A block of a file, ready to be counted by any process."""

    data: bytes
    path: Path
    layout: Layout
    first_row: int


@dataclass
class Counted:
    """Counts of a piece."""

    sentences: int = 0  # Sentences read
    similes: int = 0  # Sentences with at least one vehicle
    excluded: int = 0  # Similes left out because they are on the list
    # Sentences with a comparator and no simile, by reason
    without: Counter[str] = field(default_factory=Counter)
    # Number of similes by (topic, property, vehicle) in the form for look-up
    triples: Counter[Triple] = field(default_factory=Counter)
    bad: BadRows = field(default_factory=lambda: BadRows(""))  # Lines that could not be read


def comparable(sentence: str) -> str:
    """The form of a sentence for comparison with those to leave out: letters and digits in lower case.

    The same sentence is often published once as it was written and once with spaces between its tokens.
    """
    return "".join(filter(str.isalnum, sentence.casefold()))


def count(piece: Piece, excluded: frozenset[str]) -> Counted:
    """Find and count the similes of a piece.

    Parameters
    ----------
    piece : Piece
        Piece of a corpus.
    excluded : frozenset of str
        Sentences to leave out, as `comparable` gives them.
    """
    counted = Counted(bad=BadRows(piece.path.name))
    for text in texts(piece.data, piece.path, piece.layout, piece.first_row, counted.bad):
        if not may_hold_simile(text):
            counted.sentences += number_of_sentences(text)
            continue
        for sentence in sentences(text):
            counted.sentences += 1
            if may_hold_simile(sentence):
                extraction = extract(sentence, known_simile=piece.layout.known_similes)
                _take(sentence, extraction, excluded, counted)
    return counted


def _take(sentence: str, extraction: Extraction, excluded: frozenset[str], counted: Counted) -> None:
    triples = triples_of(extraction)
    if not triples:
        counted.without[extraction.reason] += 1
    elif excluded and comparable(sentence) in excluded:
        counted.excluded += 1
    else:
        counted.similes += 1
        counted.triples.update(triples)


def triples_of(extraction: Extraction) -> set[Triple]:
    """The distinct (topic, property, vehicle) of a sentence; a missing part is empty.

    Parameters
    ----------
    extraction : Extraction
        Components of the sentence.
    """
    found = set()
    for pair in extraction.pairs:
        vehicle = lookup_key(pair.vehicle.text)
        if vehicle:
            topic = lookup_key(pair.topic.text) if pair.topic else NOT_NAMED
            shared = pair.property.text.strip().lower() if pair.property else NOT_NAMED
            found.add((topic, shared, vehicle))
    return found
