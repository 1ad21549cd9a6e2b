"""On the published marks the extractor is at least as good as its documentation says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.components.extractors import extractor_of
from benchmarks.components.published import labelled_set, marked_sets
from benchmarks.components.scores import detection_scores, part_scores

pytestmark = pytest.mark.published_data


@pytest.mark.parametrize(
    ("name", "vehicle", "topic"), [("components.csv", 0.93, 0.74), ("HAUSER", 0.95, 0.68)]
)
def test_the_vehicles_and_topics_of_known_similes_overlap_the_marks(
    published_data: Path, name: str, vehicle: float, topic: float
):
    rows = marked_sets(published_data, "development")[name]
    scores = part_scores(rows, extractor_of("built-in", known_similes=True))
    assert scores["vehicle"].estimate > vehicle
    assert scores["topic"].estimate > topic


def test_similes_are_distinguished_from_other_sentences(published_data: Path):
    rows = labelled_set(published_data, "development")
    scores = detection_scores(rows, extractor_of("built-in", known_similes=False))
    assert scores["accuracy"].estimate > 0.83
