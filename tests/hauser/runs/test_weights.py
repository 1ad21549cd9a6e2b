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
    assert [fit.pearson, fit.spearman] == pytest.approx([1, 1])
    assert fit.n == len(PARTS)
    (turned,) = fits(PARTS, -PARTS[:, 0], [Weights(1, 0, 0)])
    assert turned.pearson == pytest.approx(-1)


def test_too_few_items_and_constant_scores_have_a_reason_and_no_value() -> None:
    assert {fit.reason for fit in fits(PARTS[:2], np.array([1.0, 2.0]), GRID)} == {"too_few_items"}
    (fit,) = fits(np.ones((4, 3)), np.arange(4.0), [BEST])
    assert (fit.pearson, fit.reason) == (None, "constant_scores")


def test_an_ablation_leaves_the_other_weights_as_they_are() -> None:
    assert ablations(BEST)["logic"] == Weights(3 / 6, 0, 1 / 6)
    assert ablations(Weights(1, 0, 0)) == {}


def test_a_part_that_the_weights_leave_out_already_is_not_left_out_once_more() -> None:
    assert list(ablations(Weights(0.5, 0, 0.5))) == ["relevance", "sentiment"]
