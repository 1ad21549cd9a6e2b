"""The built-in extractor: topic, vehicle, event and property of a sentence, with nothing to download."""

from __future__ import annotations

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.chinese import extract_chinese, may_compare_in_chinese
from scoring.hauser.english.grammar.comparators import may_compare_in_english
from scoring.hauser.english.reading.extraction import extract_english


def may_hold_simile(sentence: str) -> bool:
    """Whether a sentence has the letters of a comparator; without them `extract` finds nothing.

    Parameters
    ----------
    sentence : str
        Any text.

    Returns
    -------
    bool
        Quick enough to be asked of every sentence of a corpus.
    """
    return may_compare_in_english(sentence) or may_compare_in_chinese(sentence)


def extract(sentence: str, *, known_simile: bool = False) -> Extraction:
    """The topic–vehicle pairs of a sentence.

    Comparators are `like`, `as … as`, `hard as`, `as if`, `as though`, `resembles`, `similar to`, `harder
    than`, and the Chinese 像, 好像, 如同, 仿佛, 宛如 and similar words. The offsets of every part are exact:
    `sentence[part.start:part.end] == part.text`. A topic that is an `it` is replaced by its noun,
    where the sentence has one.

    Parameters
    ----------
    sentence : str
        Any text; it is divided into sentences at its punctuation.
    known_simile : bool
        The text is known to be a simile (a candidate written as one, a marked sentence). Then a pair is also
        returned where the words alone would be evidence against it: a named person, an `it` without a noun
        to refer to, something of the same kind.

    Returns
    -------
    Extraction
        Pairs from first to last, or none with a code of `scoring.hauser.base.reasons`.

    Notes
    -----
    The components are those of He et al. (2023), section 1 and footnote 1. Time grows with the length of
    the text, not faster.
    """
    found: list[Extraction] = []
    if may_compare_in_english(sentence):
        found.append(extract_english(sentence, known_simile=known_simile))
    if may_compare_in_chinese(sentence):
        found.append(extract_chinese(sentence))
    pairs = [pair for extraction in found for pair in extraction.pairs]
    if pairs:
        return Extraction(tuple(sorted(pairs, key=lambda pair: pair.vehicle.start or 0)))
    if found:
        return found[0]
    return Extraction((), reasons.NO_COMPARATOR if sentence.strip() else reasons.EMPTY)
