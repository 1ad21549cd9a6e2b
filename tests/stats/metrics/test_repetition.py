"""Results of two runs of one study: each type against a plain computation, and what cannot be compared."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean, stdev

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.data.scale import Scale
from scoring.stats.data.table import Ratings, RatingsTable
from scoring.stats.metrics.comparing.repetition import Compared, compare_runs, precision
from tests.stats.samples import likert, long_form, ratings_of

SCALE = Scale(1, 5)
SYSTEMS = {f"i{n}": "ABCD"[n % 4] for n in range(24)}


def run_of(seed: int) -> Ratings:
    frame = long_form(likert(seed, 24, 3))
    names = {label: f"i{n}" for n, label in enumerate(sorted(frame["item"].unique()))}
    return ratings_of(frame.assign(item=frame["item"].map(names)))


def results(first: Ratings, second: Ratings) -> dict[tuple[str, str], Compared]:
    compared = compare_runs(first, second, SYSTEMS, scales=(SCALE, SCALE))
    return {(one.result, one.of): one for one in compared}


def means(ratings: Ratings) -> dict[str, float]:
    pairs = list(zip(ratings.items[ratings.item], ratings.value, strict=True))
    return {item: fmean(value for label, value in pairs if label == item) for item in ratings.items}


def of_systems(ratings: Ratings) -> dict[str, float]:
    own = means(ratings)
    return {name: fmean(own[item] for item in own if SYSTEMS[item] == name) for name in "ABCD"}


def test_the_coefficient_of_variation_is_that_of_the_published_example():
    """Seven measurements with mean 85.58 and unbiased deviation 1.290 have CV* 1.5617."""
    mean, deviation = 85.58285714285714, 1.2904233075765223
    spread = np.array([-3, -2, -1, 0, 1, 2, 3]) / math.sqrt(28 / 6)
    unbiased = math.sqrt(2 / 6) * math.gamma(3.5) / math.gamma(3)
    assert precision(mean + spread * deviation * unbiased) == pytest.approx(1.5616560359100269, abs=1e-9)


@given(st.lists(st.floats(0.5, 100), min_size=2, max_size=6), st.floats(0.1, 10), st.floats(-5, 5))
def test_the_coefficient_of_variation_depends_neither_on_the_unit_nor_on_where_the_scale_begins(
    values: list[float], unit: float, low: float
):
    expected = 100 * (1 + 1 / (4 * len(values))) * stdev(values) / fmean(values)
    n = len(values)
    expected /= math.sqrt(2 / (n - 1)) * math.gamma(n / 2) / math.gamma((n - 1) / 2)
    assert precision(np.array(values)) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert precision(np.array(values) * unit + low, low=low) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_each_type_of_result_is_that_of_a_plain_computation():
    first, second = run_of(1), run_of(2)
    found, systems = results(first, second), [of_systems(run) for run in (first, second)]
    for name in "ABCD":
        pair = [run[name] for run in systems]
        assert (found["cv", name].first, found["cv", name].second) == pytest.approx(tuple(pair))
        assert found["cv", name].estimate == pytest.approx(precision(np.array(pair), low=1))
    for of, runs in (("systems", systems), ("items", [means(run) for run in (first, second)])):
        x, y = ([run[label] for label in sorted(runs[0])] for run in runs)
        assert found["pearson", of].estimate == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-9)
        assert found["spearman", of].estimate == pytest.approx(stats.spearmanr(x, y)[0], abs=1e-9)
    same = [
        np.sign(systems[0][one] - systems[0][other]) == np.sign(systems[1][one] - systems[1][other])
        for one, other in combinations("ABCD", 2)
    ]
    assert found["orders", "systems"].estimate == pytest.approx(np.mean(same))
    assert found["orders", "systems"].n == 6


def test_a_run_repeats_itself():
    found = results(run_of(3), run_of(3))
    assert {found["cv", name].estimate for name in "ABCD"} == {0}
    for key in (("pearson", "systems"), ("spearman", "items"), ("alpha", "items"), ("orders", "systems")):
        assert found[key].estimate == pytest.approx(1)


def test_what_cannot_be_compared_has_a_reason_and_no_number():
    rows = [("i0", "r1", 1.0), ("i0", "r2", 1.0), ("i1", "r1", 1.0), ("i1", "r2", 1.0)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "value"]).assign(criterion="quality")
    few = RatingsTable.from_frame(frame).criteria["quality"]
    found = results(few, few)
    assert {key: one.reason for key, one in found.items()} == {
        ("cv", "A"): "constant_ratings",
        ("cv", "B"): "constant_ratings",
        ("pearson", "systems"): "too_few_systems",
        ("spearman", "systems"): "too_few_systems",
        ("pearson", "items"): "too_few_items",
        ("spearman", "items"): "too_few_items",
        ("alpha", "items"): "constant_ratings",
        ("orders", "systems"): "",
    }
    assert all(math.isnan(one.estimate) == bool(one.reason) for one in found.values())
