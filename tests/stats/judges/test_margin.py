"""Tests against a margin equal other implementations, and their error rates are those that are stated."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.emplike.descriptive import DescStat

from scoring.bundle.recompute.judges.replacement import compute_p
from scoring.stats.judges.margin import FEWEST_AHEAD, MarginTest, margin_test

MARGINS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.5)
LEVEL = 0.05
# A stated error rate of 5% holds to one point.
HIGHEST = 0.06


def outcomes(rater: int, judge: int, neither: int) -> np.ndarray:
    """Differences of items on which the rater, the judge or neither is ahead."""
    return np.repeat([1.0, -1.0, 0.0], [rater, judge, neither])


def p_by_definition(counts: tuple[int, ...], margin: float) -> MarginTest:
    """The test again, with the restricted likelihood maximised by a search."""
    rater, judge, neither = counts
    n = sum(counts)
    if neither == 0:
        return MarginTest(float(scipy.stats.binom.cdf(rater, n, (1 + margin) / 2)), "binomial")
    if judge == 0:
        return MarginTest(float(scipy.stats.binom.cdf(rater, n, margin)), "binomial")
    if judge >= FEWEST_AHEAD:
        difference = outcomes(rater, judge, neither) - margin
        return MarginTest(float(scipy.stats.ttest_1samp(difference, 0, alternative="less").pvalue), "t")

    def slope(share: float) -> float:
        ahead = rater / (share + margin) if rater else 0.0
        return float(ahead + judge / share - 2 * neither / (1 - margin - 2 * share))

    share = scipy.optimize.brentq(slope, 1e-13, (1 - margin) / 2 - 1e-13, xtol=1e-15)
    error = math.sqrt((2 * share + margin - margin**2) / n)
    t = ((rater - judge) / n - margin) / error
    return MarginTest(float(scipy.stats.t.cdf(t, n - 1)), "score")


@given(
    counts=st.tuples(*[st.one_of(st.integers(0, 12), st.integers(0, 60))] * 3).filter(lambda n: sum(n) >= 30),
    margin=st.sampled_from(MARGINS),
)
def test_p_equals_an_independent_implementation_and_that_of_bundles(counts, margin):
    found = margin_test(outcomes(*counts), margin, None)
    wanted = p_by_definition(counts, margin)
    assert found.p == pytest.approx(wanted.p, abs=1e-9)
    assert found.method == wanted.method
    p, method = compute_p(outcomes(*counts), margin, None)
    assert p == pytest.approx(found.p, abs=1e-9)
    assert method == found.method


@given(
    seed=st.integers(0, 10_000),
    ahead=st.floats(0, 0.5),
    behind=st.floats(0, 0.5),
    margin=st.sampled_from(MARGINS),
)
def test_p_of_items_in_groups_and_of_means_over_raters_is_that_of_bundles(seed, ahead, behind, margin):
    draw = np.random.default_rng(seed)
    difference = draw.choice([1.0, -1.0, 0.0], p=[ahead, behind, 1 - ahead - behind], size=(90, 3)).mean(
        axis=1
    )
    units = draw.integers(0, 25, 90)
    for groups in (None, units):
        found = margin_test(difference, margin, groups)
        p, method = compute_p(difference, margin, groups)
        assert p == pytest.approx(found.p, abs=1e-9)
        assert method == found.method
        assert 0 <= found.p <= 1


@given(seed=st.integers(0, 10_000), margin=st.sampled_from(MARGINS[1:]), sizes=st.sampled_from([1, 6]))
def test_the_score_test_weights_units_as_empirical_likelihood_does(seed, margin, sizes):
    """statsmodels finds these weights; they exist where sums lie on both sides of the margin."""
    draw = np.random.default_rng(seed)
    size = draw.integers(1, sizes + 1, 60)
    units = np.repeat(np.arange(60), size)
    difference = draw.choice([1.0, 0.5, 0.0, -0.5, -1.0], p=[0.1, 0.2, 0.3, 0.3, 0.1], size=len(units))
    difference[0] = difference[units == np.argmax(size)] = 1.0
    excess = np.bincount(units, difference - margin)
    weights = np.ravel(DescStat(excess).test_mean(0, return_weights=True)[2])
    equal_units = len(units) ** 2 / float(size @ size)
    t = excess.sum() / math.sqrt(60 * float(weights @ excess**2))
    found = margin_test(difference, margin, units)
    assert found.p == pytest.approx(scipy.stats.t.cdf(t, equal_units - 1), abs=1e-7)
    assert found.method == "score"


@pytest.mark.parametrize("counts", [(20, 15, 15), (3, 2, 45), (3, 0, 47), (30, 20, 0)])
def test_groups_of_one_item_give_the_test_of_independent_items(counts):
    difference = outcomes(*counts)
    assert margin_test(difference, 0.1, np.arange(50)) == margin_test(difference, 0.1, None)


@pytest.mark.parametrize("counts", [(20, 15, 15), (3, 2, 45), (3, 0, 47), (30, 20, 0)])
def test_items_that_are_alike_in_each_group_count_once(counts):
    """Five copies of each item, in one group, say no more than the item."""
    alone = margin_test(outcomes(*counts), 0.1, None)
    copied = margin_test(np.repeat(outcomes(*counts), 5), 0.1, np.repeat(np.arange(50), 5))
    assert copied.p == pytest.approx(alone.p, abs=1e-12)
    assert copied.method == alone.method


@pytest.mark.parametrize("sizes", [(4, 4), (1, 20)])
def test_the_t_test_is_for_items_with_one_outcome_each(sizes):
    """Neither means over raters nor groups of which some are larger, or of several outcomes, have it."""
    size = np.tile(sizes, 30)
    units = np.repeat(np.arange(60), size)
    alike = np.tile([1.0, -1.0, 0.0], 20)[units]
    assert margin_test(alike, 0.1, units).method == ("t" if sizes[0] == sizes[1] else "score")
    mixed = np.where(units == 0, [1.0, *[0.0] * (len(units) - 1)], alike)
    assert margin_test(mixed, 0.1, units).method == "score"


def rejected(n: int, margin: float) -> np.ndarray:
    """Whether each outcome of n items rejects, by number of items with the rater and with the judge ahead."""
    found = np.zeros((n + 1, n + 1), dtype=bool)
    for rater in range(n + 1):
        for judge in range(n + 1 - rater):
            # Beyond the margin itself nothing can reject.
            if rater - judge < margin * n:
                found[rater, judge] = (
                    margin_test(outcomes(rater, judge, n - rater - judge), margin, None).p < LEVEL
                )
    return found


def size(rejects: np.ndarray, share: float, margin: float) -> float:
    """Probability of rejecting where either is ahead on a share of items, and the rater by the margin."""
    n = len(rejects) - 1
    rater, judge = np.nonzero(rejects)
    cells = np.stack([rater, judge, n - rater - judge], axis=1)
    behind = (share - margin) / 2
    chances = [behind + margin, behind, max(1 - share, 0.0)]
    return float(scipy.stats.multinomial.pmf(cells, n, chances).sum())


@pytest.mark.parametrize(("n", "margin"), [(30, 0.1), (36, 0.0), (54, 0.05), (60, 0.1)])
def test_the_size_is_at_most_six_per_cent_however_seldom_judge_and_rater_differ(n, margin):
    """Counted over all outcomes; the t test alone has up to 18, 7, 21 and 14% here."""
    rejects = rejected(n, margin)
    shares = [share for share in (0.02, 0.05, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5, 0.8, 0.9, 1) if share >= margin]
    assert max(size(rejects, share, margin) for share in shares) <= HIGHEST


def test_groups_of_very_unequal_size_reject_in_at_most_six_per_cent_of_studies():
    """A quarter of 20 groups have 20 items, the others one to three; a t test of them rejects in 8 to 9%."""
    draw = np.random.default_rng(23)
    n_rejected = 0
    for _ in range(1500):
        size = np.where(np.arange(20) % 4 == 0, 20, draw.integers(1, 4, 20))
        units = np.repeat(np.arange(20), size)
        shared = draw.choice([1.0, -1.0], p=[0.55, 0.45], size=20)[units]
        own = draw.choice([1.0, -1.0], p=[0.55, 0.45], size=len(units))
        difference = np.where(draw.random(len(units)) < 0.5, shared, own)
        n_rejected += margin_test(difference, 0.1, units).p < LEVEL
    assert n_rejected / 1500 <= HIGHEST


@given(n=st.integers(30, 400), margin=st.sampled_from(MARGINS))
def test_a_judge_that_never_differs_passes_as_soon_as_chance_is_no_explanation(n, margin):
    """Where the rater is ahead on a share of items by the margin, none of n items shows it by chance."""
    found = margin_test(np.zeros(n), margin, None)
    assert found.p == pytest.approx((1 - margin) ** n, rel=1e-9)


@pytest.mark.parametrize(("difference", "groups"), [([-0.5] * 40, None), ([-1.0, 0.0] * 30, 2)])
def test_where_all_items_or_groups_have_the_same_difference_the_score_test_is_used(difference, groups):
    values = np.array(difference)
    units = None if groups is None else np.arange(len(values)) // groups
    found = margin_test(values, 0.1, units)
    assert found.method == "score"
    assert 0 < found.p < 0.01
    p, method = compute_p(values, 0.1, units)
    assert p == pytest.approx(found.p, abs=1e-12)
    assert method == "score"
