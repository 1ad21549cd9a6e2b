"""Sentences as a parser gives them."""

from __future__ import annotations

from typing import Any

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (it is no dependency)")
tokens = pytest.importorskip("spacy.tokens")

# Word, part of speech, dependency, place of its head.
LIKE_A_DEER = [
    ("The", "DET", "det", 1),
    ("boy", "NOUN", "nsubj", 2),
    ("ran", "VERB", "ROOT", 2),
    ("like", "ADP", "prep", 2),
    ("a", "DET", "det", 6),
    ("wild", "ADJ", "amod", 6),
    ("deer", "NOUN", "pobj", 3),
    (".", "PUNCT", "punct", 2),
]
AS_QUIET_AS_A_GRAVE = [
    ("It", "PRON", "nsubj", 1),
    ("was", "AUX", "ROOT", 1),
    ("as", "ADV", "advmod", 3),
    ("quiet", "ADJ", "acomp", 1),
    ("as", "ADP", "prep", 3),
    ("the", "DET", "det", 6),
    ("bottom", "NOUN", "pobj", 4),
    ("of", "ADP", "prep", 6),
    ("the", "DET", "det", 9),
    ("sea", "NOUN", "pobj", 7),
]
I_LIKE_HIM = [("I", "PRON", "nsubj", 1), ("like", "VERB", "ROOT", 1), ("him", "PRON", "dobj", 1)]


def parsed(rows: list[tuple[str, str, str, int]]) -> Any:
    words, tags, dependencies, heads = (list(column) for column in zip(*rows, strict=True))
    return tokens.Doc(spacy.blank("en").vocab, words=words, pos=tags, deps=dependencies, heads=heads)
