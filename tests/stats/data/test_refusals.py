"""What a coefficient can need of ratings, and the reason that is given where they lack it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from scoring.stats.data.refusals import NOTHING, Needs
from tests.stats.samples import likert, long_form, ratings_of

COMPLETE = likert(1, 8, 3)
GAP = np.where(np.indices(COMPLETE.shape).sum(axis=0) == 0, np.nan, COMPLETE)


@pytest.mark.parametrize(("fine", "identified", "gap"), list(product([False, True], repeat=3)))
def test_each_need_has_its_reason_and_the_scale_comes_first(fine, identified, gap):
    scale = (0.0, 100.0) if fine else (1.0, 5.0)
    ratings = ratings_of(long_form(GAP if gap else COMPLETE), identified=identified, scale=scale)
    lacking = {
        Needs(categories=True): "continuous_scale" if fine else "",
        Needs(identified=True): "" if identified else "anonymous_raters",
        Needs(complete=True): "incomplete_design" if gap else "",
    }
    assert {need: need.refusal(ratings) for need in lacking} == lacking
    everything = Needs(categories=True, identified=True, complete=True)
    assert everything.refusal(ratings) == next((reason for reason in lacking.values() if reason), "")
    assert NOTHING.refusal(ratings) == ""


@pytest.mark.parametrize(
    ("rows", "complete", "reason"),
    [
        ([[1, 2], [3, 4]], True, ""),
        ([[1], [2]], True, ""),
        ([[1, 2], [3, np.nan]], False, "incomplete_design"),
        ([[1, np.nan], [np.nan, 2]], False, "no_overlap"),
    ],
)
def test_a_design_is_complete_when_every_rater_has_rated_every_item(rows, complete, reason):
    ratings = ratings_of(long_form(rows))
    assert (ratings.is_complete, Needs(complete=True).refusal(ratings)) == (complete, reason)


def test_without_a_rating_there_is_no_complete_design():
    ratings = ratings_of(long_form([[1, 2]]).assign(value=None))
    assert not ratings.is_complete
    assert Needs(complete=True).refusal(ratings) == "too_few_items"
