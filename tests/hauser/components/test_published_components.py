"""On the published marks the extractor is at least as good as its documentation says."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from benchmarks import components

pytestmark = pytest.mark.published_data


def test_the_vehicles_and_topics_of_known_similes_overlap_the_marks(published_data: Path):
    unread = components.components(published_data)[components.READ_ROWS :]
    couples = [
        couple
        for sentence, marks in components.grouped(unread)
        for couple in components.matched(components.built_in(sentence, known_simile=True), marks)
    ]
    vehicle = statistics.mean(components.overlap(found.vehicle, mark.vehicle) for found, mark in couples)
    topic = statistics.mean(components.overlap(found.topic, mark.topic) for found, mark in couples)
    assert vehicle > 0.93
    assert topic > 0.65


def test_similes_are_told_from_other_sentences(published_data: Path):
    rows = components.rows_of(published_data / "simile_components" / "detection_dev.txt")
    right = [bool(components.built_in(row["sentence"])) == (row["label"] == "1") for row in rows]
    assert statistics.mean(right) > 0.8
