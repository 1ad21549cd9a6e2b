"""Components by a spaCy parse; parses are set by hand, so that spaCy is needed but no pipeline of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.hauser.base import reasons
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.extractors import extractor_named
from scoring.hauser.components.spacy_components import extract_parsed
from tests.hauser.components.parses import AS_QUIET_AS_A_GRAVE, I_LIKE_HIM, LIKE_A_DEER, parsed, spacy

THAT_LOOKED_LIKE = [
    ("A", "DET", "det", 1),
    ("house", "NOUN", "nsubj", 5),
    ("that", "PRON", "nsubj", 3),
    ("looks", "VERB", "relcl", 1),
    ("like", "ADP", "prep", 3),
    ("ice", "NOUN", "pobj", 4),
]
LIKE_HIM = [
    ("He", "PRON", "nsubj", 1),
    ("is", "AUX", "ROOT", 1),
    ("like", "ADP", "prep", 1),
    ("me", "PRON", "pobj", 2),
]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (LIKE_A_DEER, ("The boy", "ran", None, "like", "a wild deer")),
        (AS_QUIET_AS_A_GRAVE, ("It", "was", "quiet", "as quiet as", "the bottom of the sea")),
        (THAT_LOOKED_LIKE, ("A house", "looks", None, "like", "ice")),
    ],
)
def test_parts_follow_the_parse_and_are_where_their_offsets_say(rows, expected):
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
