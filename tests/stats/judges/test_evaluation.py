"""A judge's evaluation has the same test of one value throughout, and means by system."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable
from scoring.stats.judges.evaluation import evaluate_judge
from scoring.stats.judges.mapping import on_scale_of
from scoring.stats.judges.prediction_powered import combined_mean

ONCE = Resampling(replicates=20, seed=1)


def rated(noise: float, items: int = 60) -> tuple[pd.DataFrame, pd.Series]:
    """Four raters of items of two systems, and the truth of these and of as many unrated items."""
    draw = np.random.default_rng(5)
    truth = pd.Series(draw.normal(3, 1, 2 * items), index=[f"i{place:03}" for place in range(2 * items)])
    rows = [
        (item, f"r{rater}", "quality", int(np.clip(round(value + draw.normal(0, noise)), 1, 5)))
        for item, value in truth.iloc[:items].items()
        for rater in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"])
    return frame, truth.round().rename("model")


def places(items: pd.Index) -> pd.DataFrame:
    return pd.DataFrame({"system": ["a" if int(one[1:]) % 2 else "b" for one in items]}, index=items)


def test_one_value_throughout_passes_where_raters_hardly_agree_and_fails_where_they_do():
    for noise, passes in ((4.0, True), (0.4, False)):
        frame, truth = rated(noise)
        ratings = RatingsTable.from_frame(frame).criteria["quality"]
        found = evaluate_judge(ratings, truth, epsilon=0.1, resampling=ONCE)
        assert found.constant.passes is passes
        assert found.test.passes


def test_means_are_those_of_all_items_and_of_each_system():
    frame, truth = rated(0.6)
    ratings = RatingsTable.from_frame(frame).criteria["quality"]
    found = evaluate_judge(ratings, truth, epsilon=0.1, resampling=ONCE, places=places(truth.index))
    assert list(found.means) == ["", "b", "a"]
    people = frame.groupby("item")["value"].mean()
    own = [item for item in people.index if int(item[1:]) % 2]
    rest = [item for item in truth.index if int(item[1:]) % 2 and item not in people.index]
    wanted = combined_mean(people[own].to_numpy(), truth[own].to_numpy(), truth[rest].to_numpy())
    assert astuple(found.means["a"].combined)[:3] == pytest.approx(astuple(wanted.combined)[:3])
    assert found.means["a"].worth == pytest.approx(wanted.worth)
    assert found.n_off_scale == int(((truth < 1) | (truth > 5)).sum())


def test_items_of_a_group_have_no_combined_mean_and_those_of_a_system_have():
    frame, truth = rated(0.6)
    ratings = RatingsTable.from_frame(frame).criteria["quality"]
    grouped = places(truth.index).assign(group=[f"g{int(one[1:]) // 2}" for one in truth.index])
    found = evaluate_judge(ratings, truth, epsilon=0.1, resampling=ONCE, places=grouped)
    assert [mean.combined.reason for mean in found.means.values()] == ["grouped_items", "", ""]


@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40),
    values=st.lists(st.integers(1, 5), min_size=1, max_size=40),
)
def test_equated_scores_are_ratings_in_the_order_of_the_scores(scores, values):
    known = np.array([*scores, np.nan])
    mapped = on_scale_of(np.array(values, dtype=float), known)
    assert np.isnan(mapped[-1])
    assert set(mapped[:-1]) <= set(values)
    order = np.argsort(scores, kind="stable")
    assert (np.diff(mapped[:-1][order]) >= 0).all()
    turned = on_scale_of(np.array(values, dtype=float), known, lower_is_better=True)
    assert (np.diff(turned[:-1][order]) <= 0).all()


def test_scores_with_the_distribution_of_the_ratings_keep_it():
    values = np.array([1.0, 1, 2, 3, 3, 3, 5, 5])
    mapped = on_scale_of(values, np.array([0.7, 0.1, 0.2, 0.9, 0.35, 0.36, 0.4, 0.8]))
    assert sorted(mapped) == sorted(values)
