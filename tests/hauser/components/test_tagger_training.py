"""The token classifier of the benchmark learns what it is shown, and the same from the same seed."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from benchmarks.components.extractors import as_pairs
from benchmarks.components.pairs import Pair
from benchmarks.components.published import Marked
from benchmarks.components.tagger import Vocabulary, predict, train
from benchmarks.components.windows import english_examples
from scoring.hauser.components.built_in import extract

PAIRS = [
    Pair(topic, vehicle, "ran", "")
    for topic in ("The boy", "My aunt", "A horse", "The old clerk")
    for vehicle in ("a deer", "the wind", "a river in spring", "water")
]


@pytest.fixture(scope="module")
def examples():
    rows = [Marked(f"{pair.topic} ran like {pair.vehicle}.", [pair]) for pair in PAIRS]
    return [example for row in rows for example in english_examples(row, style=0)]


def test_the_same_seed_gives_the_same_parts_and_they_are_those_that_were_marked(examples):
    windows = [example.window(with_rules=True) for example in examples] * 4
    vocabulary = Vocabulary(windows)
    first, second = (predict(train(windows, vocabulary, 3), vocabulary, windows[:16]) for _ in range(2))
    assert first == second
    assert [examples[at].text_of(found["vehicle"]) for at, found in enumerate(first)] == [
        pair.vehicle for pair in PAIRS
    ]


def test_an_example_holds_what_the_rules_find(examples):
    found = [as_pairs(extract)(example.text)[0] for example in examples]
    assert [example.by_rules["topic"] for example in examples] == [pair.topic for pair in found]
