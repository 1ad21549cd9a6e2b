"""A spaCy pipeline that was trained: a tagger and a parser of a few sentences, used by its folder's name."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.hauser.components.parses import AS_QUIET_AS_A_GRAVE, I_LIKE_HIM, LIKE_A_DEER, parsed

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (it is no dependency)")

pytestmark = pytest.mark.slow
ROUNDS = 40


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained on three sentences until it parses them; nothing is downloaded."""
    training = pytest.importorskip("spacy.training")
    spacy.util.fix_random_seed(7)
    language: Any = spacy.blank("en")
    language.add_pipe("morphologizer")
    language.add_pipe("parser", config={"min_action_freq": 1})
    examples = []
    for rows in (LIKE_A_DEER, AS_QUIET_AS_A_GRAVE, I_LIKE_HIM):
        wanted = parsed(rows)
        examples.append(training.Example(language.make_doc(wanted.text), wanted))
    optimizer = language.initialize(lambda: examples)
    for _ in range(ROUNDS):
        random.Random(7).shuffle(examples)
        language.update(examples, sgd=optimizer)
    folder = tmp_path_factory.mktemp("pipeline") / "small"
    language.to_disk(folder)
    return folder


def test_a_pipeline_that_is_chosen_parses_the_sentences_of_a_file(pipeline: Path, tmp_path: Path) -> None:
    sentences = ["The boy ran like a wild deer .", "It was as quiet as the bottom of the sea", "I like him"]
    source, out = tmp_path / "sentences.csv", tmp_path / "pairs.csv"
    source.write_text("\n".join(["sentence", *sentences]), encoding="utf-8")
    call_command(
        "components", source, "--column", "sentence", "--out", out, "--extractor", f"spacy:{pipeline}"
    )
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert [(row["topic"], row["vehicle"], row["reason"]) for row in rows] == [
        ("The boy", "a wild deer", ""),
        ("It", "the bottom of the sea", ""),
        ("", "", "verb_like"),
    ]
