"""Whether the greatest held-out correlation has limits is decided alike by the statistics and the program."""

from __future__ import annotations

import pytest

from scoring.bundle.recompute.coefficients.held_out import compute_held_out
from scoring.bundle.recompute.drawing import Drawing
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.base.resampling import Resampling
from tests.bundle.recompute.recomputing import coded
from tests.stats.samples import likert, long_form, ratings_of

REPLICATES = 200


@pytest.mark.parametrize("data", [22, 24, 27])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_limits_are_the_same_also_where_the_seed_alone_would_decide(data, seed):
    ratings = ratings_of(long_form(likert(data, 20, 5, error_sd=0.9)))
    found = {
        figure.coefficient: figure.low
        for figure in held_out_figures(ratings, Resampling(REPLICATES, seed), each_rater=False)
        if figure.variant == "max"
    }
    again = {
        row["coefficient"]: row["low"]
        for row in compute_held_out(coded(ratings), Drawing(seed, REPLICATES))
        if row["variant"] == "max"
    }
    for coefficient, low in found.items():
        assert again[coefficient] == pytest.approx(low, abs=1e-9, nan_ok=True)
