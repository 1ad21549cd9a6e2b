"""The points of a declared scale."""

import numpy as np
import pytest

from scoring.bundle.recompute.ratings import list_points
from scoring.stats.data.scale import MOST_POINTS, categories_of


@pytest.mark.parametrize(
    ("values", "scale", "points"),
    [
        ([1, 2, 3, 4], (1, 4.5), [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]),
        ([1, 2, 5], (0.5, 5), [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]),
        ([1, 2, 3], (1, 5), [1, 2, 3, 4, 5]),
        ([1, 2.5], (1, 3), [1, 1.5, 2, 2.5, 3]),
        ([1, 2, 3], (1, 3.3), [1, 2, 3]),
        ([1, 2, 3], (0.7, 3), [1, 2, 3]),
        ([0, 7], (1, 3), [0, 1, 2, 3, 7]),
        ([2], (2, 2), [2]),
    ],
)
def test_points_are_whole_or_half_steps_between_the_ends_of_the_scale(values, scale, points):
    """The report and its recomputation alike: no point is beyond an end, unless a rating is."""
    ratings = np.array(values, dtype=float)
    assert categories_of(ratings, scale).tolist() == points
    assert list_points(ratings, scale).tolist() == points


def test_a_very_long_scale_is_not_spelled_out():
    assert len(categories_of(np.array([1.0]), (0, 1e9))) == MOST_POINTS + 1
