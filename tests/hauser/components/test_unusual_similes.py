"""Similes of unusual structure, invented for this test."""

from __future__ import annotations

import pytest

from scoring.hauser.components.built_in import extract
from tests.hauser.components.unusual_similes import NO_SIMILE, UNUSUAL


@pytest.mark.parametrize("sentence", UNUSUAL)
def test_the_parts_of_an_unusual_simile_are_those_that_a_reader_sees(sentence):
    pairs = extract(sentence).pairs
    found = [(pair.topic.text if pair.topic else None, pair.vehicle.text) for pair in pairs]
    assert found == UNUSUAL[sentence]


@pytest.mark.parametrize("sentence", NO_SIMILE)
def test_a_comparison_that_is_no_simile_gives_its_reason(sentence):
    extraction = extract(sentence)
    assert (extraction.pairs, extraction.reason) == ((), NO_SIMILE[sentence])
