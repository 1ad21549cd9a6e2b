"""Ratings on a slider are shown in bins on Reliability and at their positions on the page of an item."""

from __future__ import annotations

import pytest

from annotation.domain.questions.kinds.slider import SLIDER
from scoring.selectors.agreement.rater_tables import bins_of
from scoring.selectors.similes.item_ratings import ScaleRatings

pytestmark = pytest.mark.pure


def test_few_values_are_columns_of_their_own():
    bins = bins_of([1, 2, 3, 5])
    assert list(bins.labels) == [1, 2, 3, 5]
    assert bins.counts([4, 0, 2, 1]) == [4, 0, 2, 1]
    assert not bins.step


@pytest.mark.parametrize(
    ("values", "first", "last", "columns"),
    [
        (range(101), "0–10", "90–100", 10),
        (range(3, 98), "0–10", "90–100", 10),
        ([place / 100 for place in range(101)], "0–0.1", "0.9–1", 10),
        (range(-50, 51), "-50–-40", "40–50", 10),
        ([*range(20), 1000], "0–100", "900–1000", 10),
        (range(21), "0–2", "18–20", 10),
    ],
)
def test_many_values_are_put_into_bins_with_round_ends(values, first, last, columns):
    bins = bins_of(list(values))
    assert (bins.labels[0], bins.labels[-1], len(bins.labels)) == (first, last, columns)
    assert sum(bins.counts([1] * len(list(values)))) == len(list(values))


def test_a_value_between_two_bins_is_in_the_upper_one_and_the_greatest_in_the_last():
    counts = bins_of(list(range(101))).counts([1] * 101)
    assert counts == [10] * 9 + [11]


def test_a_tenth_is_in_its_own_bin_whatever_its_binary_fraction():
    values = [place / 10 for place in range(31)]
    bins = bins_of(values)
    assert bins.step == pytest.approx(0.5)
    assert bins.counts([1] * 31) == [5, 5, 5, 5, 5, 6]


def test_marks_of_an_item_are_at_their_positions_on_the_scale():
    possible = [str(place) for place in range(101)]
    given: dict[float, list[tuple[str, bool]]]
    given = {0: [("R-1", True)], 25: [("R-2", True)], 100: [("R-3", True)]}
    shown = ScaleRatings("Aptness", possible, SLIDER, given)
    drawing = shown.drawing
    left, quarter, right = (bar["x"] for bar in drawing["bars"])
    assert (left, right) == (0, 176)
    assert quarter == pytest.approx(176 / 4)
    assert [(tick["value"], tick["x"]) for tick in drawing["ticks"]] == [(0, 0), (100, 180)]
    assert drawing["words"] == "0: R-1; 25: R-2; 100: R-3"
