"""Quality under several weights compared with ratings."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.hauser.metrics.quality import BEST, Weights
from scoring.hauser.runs.weights import GRID, ablations, fits
from scoring.replication.hauser.correlations import TABLE_5

PARTS = np.array([[0.0, 0.5, 1.0], [1.0, 0.0, 0.2], [0.5, 1.0, 0.0], [0.2, 0.3, 0.9]])


def test_the_grid_is_that_of_the_paper() -> None:
    assert [(one.relevance, one.logic, one.sentiment) for one in GRID] == list(TABLE_5)


def test_quality_that_is_the_rating_itself_correlates_fully_and_its_opposite_fully_the_other_way() -> None:
    (fit,) = fits(PARTS, PARTS @ [3 / 6, 2 / 6, 1 / 6], [BEST])
    assert [fit.pearson.estimate, fit.spearman.estimate] == pytest.approx([1, 1])
    assert fit.pearson.n_items == len(PARTS)
    assert fit.pearson.interval.reason == "too_few_items"
    (turned,) = fits(PARTS, -PARTS[:, 0], [Weights(1, 0, 0)])
    assert turned.pearson.estimate == pytest.approx(-1)


def test_too_few_items_and_constant_scores_have_a_reason_and_no_value() -> None:
    assert {fit.reason for fit in fits(PARTS[:2], np.array([1.0, 2.0]), GRID)} == {"too_few_items"}
    (fit,) = fits(np.ones((4, 3)), np.arange(4.0), [BEST])
    assert np.isnan(fit.pearson.estimate)
    assert fit.reason == "constant_scores"


def test_intervals_resample_groups_where_items_belong_to_them_and_are_left_out_of_long_tables() -> None:
    generator = np.random.default_rng(1)
    parts, human = generator.random((60, 3)), generator.integers(1, 6, 60).astype(float)
    groups = [f"G{place // 6}" for place in range(60)]
    (by_item,), (by_group,) = fits(parts, human, [BEST]), fits(parts, human, [BEST], groups)
    assert by_item.pearson.estimate == pytest.approx(by_group.pearson.estimate)
    assert (by_group.pearson.n_groups, by_group.spearman.holds_for) == (10, "new groups")
    for one in (by_item, by_group):
        assert one.pearson.low < one.pearson.estimate < one.pearson.high
        assert one.spearman.low < one.spearman.estimate < one.spearman.high
    (long,) = fits(np.tile(parts, (20, 1)), np.tile(human, 20), [BEST])
    assert long.pearson.interval.reason == "too_many_items"
    assert long.pearson.estimate == pytest.approx(by_item.pearson.estimate)


def test_an_ablation_leaves_the_other_weights_as_they_are() -> None:
    assert ablations(BEST)["logic"] == Weights(3 / 6, 0, 1 / 6)
    assert ablations(Weights(1, 0, 0)) == {}


def test_a_part_that_the_weights_leave_out_already_is_not_left_out_once_more() -> None:
    assert list(ablations(Weights(0.5, 0, 0.5))) == ["relevance", "sentiment"]
