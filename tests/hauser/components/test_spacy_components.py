"""Components by a spaCy parse; parses are set by hand, so that spaCy is needed but no pipeline of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.hauser.base import reasons
from scoring.hauser.components.extractors import extractor_named
from scoring.hauser.components.spacy_components import ExtractorUnavailable, extract_parsed

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
THAT_LOOKED_LIKE = [
    ("A", "DET", "det", 1),
    ("house", "NOUN", "nsubj", 5),
    ("that", "PRON", "nsubj", 3),
    ("looks", "VERB", "relcl", 1),
    ("like", "ADP", "prep", 3),
    ("ice", "NOUN", "pobj", 4),
]
I_LIKE_HIM = [("I", "PRON", "nsubj", 1), ("like", "VERB", "ROOT", 1), ("him", "PRON", "dobj", 1)]
LIKE_HIM = [
    ("He", "PRON", "nsubj", 1),
    ("is", "AUX", "ROOT", 1),
    ("like", "ADP", "prep", 1),
    ("me", "PRON", "pobj", 2),
]


def parsed(rows: list[tuple[str, str, str, int]]) -> Any:
    words, tags, dependencies, heads = (list(column) for column in zip(*rows, strict=True))
    return tokens.Doc(spacy.blank("en").vocab, words=words, pos=tags, deps=dependencies, heads=heads)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (LIKE_A_DEER, ("The boy", "ran", None, "like", "a wild deer")),
        (AS_QUIET_AS_A_GRAVE, ("It", "was", "quiet", "as quiet as", "the bottom of the sea")),
        (THAT_LOOKED_LIKE, ("A house", "looks", None, "like", "ice")),
    ],
)
def test_parts_follow_the_parse_and_stand_where_their_offsets_say(rows, expected):
    doc = parsed(rows)
    (pair,) = extract_parsed(doc).pairs
    parts = (pair.topic, pair.event, pair.property, pair.comparator, pair.vehicle)
    assert tuple(part.text if part else None for part in parts) == expected
    assert all(doc.text[part.start : part.end] == part.text for part in parts if part)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (I_LIKE_HIM, reasons.VERB),
        (LIKE_HIM, reasons.POINTER),
        ([("Hello", "INTJ", "ROOT", 0)], reasons.NO_COMPARATOR),
    ],
)
def test_without_a_simile_there_is_a_reason(rows, reason):
    extraction = extract_parsed(parsed(rows))
    assert (extraction.pairs, extraction.reason) == ((), reason)


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ExtractorUnavailable) as refused:
        extractor_named(f"spacy:{tmp_path / 'blank'}")
    assert refused.value.code == "pipeline_without_parser"
