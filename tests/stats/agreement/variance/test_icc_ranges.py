"""Limits of an ICC keep to the range of the coefficient, or there are none, with a reason."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import scipy

from scoring.bundle.recompute.coefficients.icc.forms import compute_iccs
from scoring.bundle.recompute.drawing import Drawing
from scoring.bundle.recompute.ratings import code_ratings
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.agreement.variance.ranges import least_value
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, Figure
from tests.stats.samples import long_form, ratings_of

QUICK = Resampling(replicates=100, seed=3)
# Two raters with the same mean who oppose each other; means of items differ a little.
OPPOSED = [[5, 1], [1, 5], [1, 3], [1, 2], [3, 3], [3, 1]]
# The same, with an item that one rater has not rated.
OPPOSED_WITH_A_GAP = [*OPPOSED, [3, math.nan]]


def iccs(matrix: Sequence[Sequence[float]] | FloatArray) -> dict[str, Figure]:
    ratings = ratings_of(long_form(matrix))
    return {one.coefficient: one for one in one_way_figures(ratings, QUICK) + two_way_figures(ratings, QUICK)}


def published_limits(matrix: Sequence[Sequence[float]]) -> dict[str, tuple[float, float]]:
    """Limits of complete ratings, written out from McGraw & Wong (1996), table 7, at 95%."""
    x = np.asarray(matrix, dtype=float)
    n, k = x.shape
    rows = k * x.mean(axis=1).var(ddof=1)
    columns = n * x.mean(axis=0).var(ddof=1)
    within = x.var(axis=1, ddof=1).mean()
    error = (within * n * (k - 1) - columns * (k - 1)) / ((n - 1) * (k - 1))

    def quantile(first: float, second: float) -> float:
        return float(scipy.stats.f.ppf(0.975, first, second))

    found = {}
    for key, noise, df in (("icc1", within, n * (k - 1)), ("icc3", error, (n - 1) * (k - 1))):
        low, high = rows / noise / quantile(n - 1, df), rows / noise * quantile(df, n - 1)
        found[key] = (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
        found[f"{key}k"] = 1 - 1 / low, 1 - 1 / high
    icc = (rows - error) / (rows + (k - 1) * error + k * (columns - error) / n)
    a, b = k * icc / (n * (1 - icc)), 1 + k * icc * (n - 1) / (n * (1 - icc))
    v = (a * columns + b * error) ** 2 / (
        (a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1))
    )
    spread = k * columns + (k * n - k - n) * error
    below, above = quantile(n - 1, v), quantile(v, n - 1)
    found["icc2"] = (
        n * (rows - below * error) / (below * spread + n * rows),
        n * (above * rows - error) / (spread + n * above * rows),
    )
    return found


def test_a_limit_below_the_range_is_moved_to_its_end_and_the_figure_says_so() -> None:
    low, high = published_limits(OPPOSED)["icc2"]
    assert low < -1 < high
    figure = iccs(OPPOSED)["icc2"]
    assert figure.low == -1
    assert figure.high == pytest.approx(high)
    assert -1 <= figure.estimate <= figure.high
    assert "limits:within range" in figure.signature


def test_one_way_and_consistency_limits_are_within_the_range_as_published() -> None:
    published, found = published_limits(OPPOSED), iccs(OPPOSED)
    for key in ("icc1", "icc3", "icc1k", "icc3k"):
        assert (found[key].low, found[key].high) == pytest.approx(published[key])
        assert "within range" not in found[key].signature
    assert found["icc3k"].low < -10


def test_an_average_whose_lower_limit_has_no_end_has_no_interval() -> None:
    figure = iccs(OPPOSED)["icc2k"]
    assert math.isfinite(figure.estimate)
    assert [math.isnan(limit) for limit in (figure.low, figure.high)] == [True, True]
    assert figure.interval_method == f"none:{NO_LIMITS_IN_RANGE}"


def test_three_raters_have_their_range_from_minus_a_half_on() -> None:
    matrix = [[5, 3, 4], [2, 2, 4], [5, 1, 1], [4, 2, 3], [1, 5, 3]]
    low, high = published_limits(matrix)["icc2"]
    figure = iccs(matrix)["icc2"]
    assert low < -0.5
    assert figure.low == -0.5
    assert figure.high == pytest.approx(high)


def test_averages_have_no_lower_end_where_they_are_of_all_ratings_of_an_item() -> None:
    assert least_value("icc2", 3, 3) == -0.5
    assert least_value("icc2k", 3, 3) == -math.inf
    # An item has up to four ratings, which correlate with −1/3 at the least; an average is of two.
    assert least_value("icc2k", 4, 2) == pytest.approx(2 * (-1 / 3) / (1 - 1 / 3))


def test_limits_of_an_estimate_outside_the_range_are_not_shown() -> None:
    """With equal means of the raters the estimated variance of raters is negative."""
    figure = iccs([[1, 5], [5, 1], [1, 4], [5, 2]])["icc2"]
    assert figure.estimate < -1
    assert figure.interval_method == f"none:{NO_LIMITS_IN_RANGE}"


def test_satterthwaites_approximation_gives_no_limits_where_it_leaves_the_estimate_out() -> None:
    """Far below 0 with raters that differ, its degrees of freedom come close to 0."""
    matrix = [[2, 2, 5], [1, 3, 5], [1, 4, 4], [3, 2, 5], [2, 2, 5], [5, 1, 3]]
    low, high = published_limits(matrix)["icc2"]
    figure = iccs(matrix)["icc2"]
    assert -0.5 < figure.estimate < 0
    assert not low <= figure.estimate <= high
    assert figure.interval_method == f"none:{NO_LIMITS_IN_RANGE}"


@pytest.mark.parametrize("matrix", [OPPOSED, OPPOSED_WITH_A_GAP, OPPOSED_WITH_A_GAP * 3])
def test_whatever_the_ratings_single_limits_are_between_minus_one_and_one(matrix) -> None:
    for key, figure in iccs(matrix).items():
        if math.isnan(figure.low):
            assert figure.interval_method.startswith("none:")
        else:
            assert -math.inf < figure.low <= figure.high <= 1
            assert figure.low >= -1 or key.endswith("k")


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize("seed", range(12))
def test_the_program_of_a_bundle_comes_to_the_same_limits(seed: int, gaps: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (7, 2 + seed % 2)) + rng.normal(0, 0.3, (1, 2 + seed % 2))
    values -= 0.9 * values.mean(axis=1, keepdims=True)
    values[rng.random(values.shape) < gaps] = np.nan
    found = iccs(values)

    frame = long_form(values).assign(group="")
    coded = code_ratings("quality", frame, None, True)
    drawing = Drawing(seed=QUICK.seed, replicates=QUICK.replicates)
    rows = compute_iccs(coded, ["icc1", "icc1k"], drawing)
    rows += compute_iccs(coded, ["icc2", "icc2k", "icc3", "icc3k"], drawing)

    for row in rows:
        figure = found[row["coefficient"]]
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx(
            (figure.estimate, figure.low, figure.high), abs=1e-6, nan_ok=True
        )
