"""Samples of a knowledge base, and correlations over their size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hauser.knowledge.corpus_sample import Urn
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.relevance import relevance
from scoring.hauser.runs.corpus_curve import Candidate, Point, corpus_curve, sizes_up_to
from tests.hauser.bases import counted, imported, simile, table

VEHICLES = ("wolf", "snail", "arrow", "lake", "kettle")
ASKED = [simile(("the wind", f"a {vehicle}"), ("a car", vehicle)) for vehicle in VEHICLES]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    rows = [
        (topic, found, vehicle, (place + 1) * (number + 1) ** 2, 0.25 * (place + 1))
        for number, vehicle in enumerate(VEHICLES)
        for place, (topic, found) in enumerate([("wind", "loud"), ("wind", "wild"), ("man", "old")])
    ]
    folder = tmp_path_factory.mktemp("bases")
    with imported(folder, table([*rows, ("ship", "slow", "swan", 40, 0.5)])) as opened:
        yield opened


def test_a_sample_of_everything_is_the_base_itself(base: KnowledgeBase) -> None:
    sample = Urn(base, ASKED).draw(base.about.size.frequency, np.random.default_rng(0))
    for one in ASKED:
        assert relevance(one, sample).value == pytest.approx(relevance(one, base).value)
        assert creativity(one, sample) == creativity(one, base)
        assert relevance(one, sample).pairs[1] == relevance(one, base).pairs[1]


@given(size=st.integers(0, 300), seed=st.integers(0, 5))
def test_no_sample_holds_more_than_its_size_or_than_the_base(
    base: KnowledgeBase, size: int, seed: int
) -> None:
    sample = Urn(base, ASKED).draw(size, np.random.default_rng(seed))
    drawn = {vehicle: sample.vehicle(vehicle).frequency for vehicle in VEHICLES}
    assert sum(drawn.values()) <= size
    for vehicle, frequency in drawn.items():
        assert frequency <= base.vehicle(vehicle).frequency
        pair, whole = sample.pair("the wind", f"a {vehicle}"), base.pair("wind", vehicle)
        assert pair.frequency <= min(whole.frequency, frequency)
        assert pair.weighted is not None
        assert whole.weighted is not None
        assert 0.25 * pair.frequency - 1e-9 <= pair.weighted <= 0.5 * pair.frequency + 1e-9


def test_a_vehicle_is_drawn_in_proportion_to_its_share(base: KnowledgeBase) -> None:
    urn = Urn(base, ASKED)
    draws = [urn.draw(100, np.random.default_rng(seed)).vehicle("kettle").frequency for seed in range(400)]
    expected = 100 * base.vehicle("kettle").frequency / base.about.size.frequency
    assert np.mean(draws) == pytest.approx(expected, abs=0.5)


def test_sizes_are_decades_and_thirds_of_them_up_to_the_whole() -> None:
    assert sizes_up_to(0) == []
    assert sizes_up_to(7) == [7]
    assert sizes_up_to(10) == [10]
    assert sizes_up_to(350) == [10, 30, 100, 300, 350]


def rated(human: float | None = None, other_parts: float | None = 0.0) -> list[Candidate]:
    """A group whose ratings of creativity fall as its vehicles become more frequent."""
    return [
        Candidate(
            "one",
            extraction,
            other_parts,
            {"quality": float(number), "creativity": -float(number) if human is None else human},
        )
        for number, extraction in enumerate(ASKED)
    ]


def point(points: list[Point], metric: str, size: int, coefficient: str = "spearman") -> Point:
    return next(
        one for one in points if (one.metric, one.size, one.coefficient) == (metric, size, coefficient)
    )


def test_the_whole_corpus_is_one_sample_and_the_curve_ends_at_the_scores_themselves(
    base: KnowledgeBase,
) -> None:
    whole = base.about.size.frequency
    points = corpus_curve(rated(), base, weight=0.5, samples=4, seed=1)
    assert {one.size: len(one.values) for one in points} == {10: 4, 30: 4, 100: 4, 300: 4, whole: 1}
    for metric in ("quality", "relevance", "creativity"):
        assert point(points, metric, whole).known == pytest.approx([1.0])
    assert points == corpus_curve(rated(), base, weight=0.5, samples=4, seed=1)
    assert points != corpus_curve(rated(), base, weight=0.5, samples=4, seed=2)


def test_quality_without_its_other_parts_has_a_reason_and_relevance_alone_a_value(
    base: KnowledgeBase,
) -> None:
    points = corpus_curve(rated(other_parts=None), base, weight=0.5, samples=3, seed=1)
    lacking = point(points, "quality", 100)
    assert (lacking.known, lacking.reason, lacking.n_items) == ([], "too_few_items", 0)
    assert point(points, "relevance", 100).known


def test_equal_ratings_have_no_correlation_and_say_why(base: KnowledgeBase) -> None:
    found = point(corpus_curve(rated(human=3.0), base, weight=0.5, samples=3, seed=1), "creativity", 100)
    assert (found.values, found.reason) == ((None, None, None), "constant_scores")


def test_a_mean_needs_three_samples_that_have_a_correlation(base: KnowledgeBase) -> None:
    found = Point("creativity", "creativity", "pearson", 10, (0.1, None, 0.2), 5, "constant_scores")
    assert found.known == []
    few = corpus_curve(rated(), base, weight=0.5, samples=3, seed=3)
    for one in few:
        assert bool(one.reason) == (sum(value is not None for value in one.values) < min(3, len(one.values)))


def test_candidates_of_no_group_have_no_relevance_and_unrated_ones_still_count_in_theirs(
    base: KnowledgeBase,
) -> None:
    alone = [Candidate("", one.components, one.other_parts, one.human) for one in rated()]
    points = corpus_curve(alone, base, weight=0.5, samples=3, seed=1)
    assert point(points, "relevance", 100).n_items == 0
    assert point(points, "creativity", 100).n_items == 5
    whole = base.about.size.frequency
    full = rated()
    unrated = [full[0], full[1], Candidate("one", ASKED[4], 0.0, {}), full[3]]
    shared = point(corpus_curve(unrated, base, weight=1, samples=3, seed=1), "quality", whole, "pearson")
    assert shared.n_items == 3
    values = [relevance(one.components, base).value or 0 for one in unrated]
    normalised = [(value - min(values)) / (max(values) - min(values)) for value in values]
    expected = np.corrcoef([normalised[0], normalised[1], normalised[3]], [0, 1, 3])[0, 1]
    assert shared.known == pytest.approx([expected])


def test_a_base_without_plausibilities_counts_by_eq_3(tmp_path: Path) -> None:
    with counted(tmp_path, [simile(("the wind", "a wolf"))] * 3 + [simile((None, "a snail"))]) as base:
        sample = Urn(base, ASKED).draw(4, np.random.default_rng(0))
        found = relevance(simile(("the wind", "a wolf")), sample)
        assert (found.formula, found.value) == ("eq. (3)", 3)
        assert sample.vehicle("snail").frequency == 1
