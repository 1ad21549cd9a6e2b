"""Power is the share of studies in which the test of the reports decides as hoped."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy

from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.base.resampling import Resampling
from scoring.stats.metrics.power.answering import Answering, Design, PowerError
from scoring.stats.metrics.power.power import PowerResult, fewest_ratings, power
from scoring.stats.metrics.power.questions import CoefficientAbove, MetricsDiffer, SystemsDiffer

POINTS = np.arange(1.0, 6.0)
LIKERT = Answering.of_components(Components(0.6, 0.2, 0.7), 3.0, POINTS)
# Points so near to each other that rounding changes nothing, and raters who do not differ.
CONTINUUM = Answering.of_components(Components(0.6, 0.0, 0.8), 50.0, np.arange(0, 100.01, 0.05))


def test_the_power_of_two_systems_is_that_of_the_t_test() -> None:
    n, k, difference = 60, 4, 0.45
    found = power(SystemsDiffer(CONTINUUM, difference, crossed=False), [Design(n, k, k)], seed=1, studies=400)
    noncentral = difference / math.sqrt(2 * (0.6 + 0.8 / k) / n)
    df = 2 * (n - 1)
    bound = scipy.stats.t.ppf(0.975, df)
    expected = scipy.stats.nct.sf(bound, df, noncentral) + scipy.stats.nct.cdf(-bound, df, noncentral)
    (row,) = found.rows
    # The bootstrap has no degrees of freedom: it finds a little more.
    assert row.low - 0.01 <= expected <= row.high
    assert row.estimate == pytest.approx(difference, abs=0.02)
    assert row.ratings == 2 * n * k
    assert found.false_positives is not None
    assert found.false_positives.low <= 0.06


def test_groups_that_both_systems_share_make_the_difference_easier_to_find() -> None:
    paired = Answering.of_components(Components(0.9, 0.1, 0.5), 3.0, POINTS, shared=0.8)
    designs = [Design(40, 3, 3)]
    alone = power(SystemsDiffer(paired, 0.3, crossed=False), designs, seed=2, studies=200).rows[0]
    grouped = power(SystemsDiffer(paired, 0.3, crossed=True), designs, seed=2, studies=200).rows[0]
    assert grouped.low > alone.high
    assert grouped.width < alone.width


def test_metrics_are_found_to_differ_as_often_as_williams_test_of_large_samples_says() -> None:
    first, second, between, n = 0.7, 0.5, 0.4, 80
    precise = Answering.of_components(Components(1.0, 0.0, 1e-4), 50.0, np.arange(0, 100.01, 0.05))
    question = MetricsDiffer(precise, first, second, between, "pearson")
    (row,) = power(question, [Design(n, 1, 1)], seed=3, studies=250, replicates=20).rows
    # Williams's statistic at the true correlations, and its normal limit.
    det = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean, edge = (first + second) / 2, (1 - between) ** 3
    t = (first - second) * math.sqrt((n - 1) * (1 + between) / (2 * (n - 1) / (n - 3) * det + mean**2 * edge))
    expected = scipy.stats.norm.sf(1.96 - t)
    assert row.power == pytest.approx(expected, abs=0.06)
    assert row.estimate == pytest.approx(first - second, abs=0.03)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_equal_metrics_are_seldom_found_to_differ(coefficient: str) -> None:
    question = MetricsDiffer(LIKERT, 0.5, 0.5, 0.5, coefficient)  # type: ignore[arg-type]
    (row,) = power(question, [Design(30, 3, 3)], seed=4, studies=60, replicates=60).rows
    # Half of the findings are in the direction of the first.
    assert row.low <= 0.05
    assert row.undecided == 0


def test_a_coefficient_is_found_above_a_bound_once_its_interval_is_narrow() -> None:
    # ICC1 of one rating is 0.6 / 1.4.
    question = CoefficientAbove(CONTINUUM, "icc1", "", 0.3)
    few, many = power(question, [Design(30, 3, 3), Design(250, 3, 3)], seed=5, studies=120).rows
    assert few.power < 0.6 < many.low
    assert many.estimate == pytest.approx(0.6 / 1.4, abs=0.02)
    # At the truth itself, an interval of 95 % is above in 2.5 % of studies.
    at_truth = CoefficientAbove(CONTINUUM, "icc1", "", 0.6 / 1.4)
    result = power(at_truth, [Design(60, 3, 3)], seed=6, studies=400)
    assert result.false_positives is None
    assert result.rows[0].low <= 0.025 <= result.rows[0].high


@pytest.mark.parametrize(
    ("coefficient", "variant"),
    [("icc2k", ""), ("alpha", "ordinal"), ("alpha", "interval"), ("fleiss", ""), ("ac2", ""), ("icc1k", "")],
)
def test_every_coefficient_has_an_estimate_and_an_interval_where_raters_are_drawn_from_a_pool(
    coefficient: str, variant: str
) -> None:
    question = CoefficientAbove(LIKERT, coefficient, variant, -1.0)
    (row,) = power(question, [Design(40, 3, 9)], seed=7, studies=3, replicates=50).rows
    assert (row.power, row.undecided) == (1.0, 0)
    assert 0 < row.estimate < 1


def test_the_same_seed_gives_the_same_power_whatever_other_designs_are_asked_for() -> None:
    question, design = SystemsDiffer(LIKERT, 0.4, crossed=False), Design(20, 2, 6)
    alone = power(question, [design], seed=8, studies=30, replicates=50)
    among = power(question, [Design(10, 2, 6), design], seed=8, studies=30, replicates=50)
    assert among.rows[1] == alone.rows[0]
    assert power(question, [design], seed=9, studies=30, replicates=50).rows != alone.rows


def test_studies_without_a_result_count_as_not_found() -> None:
    # Five points far from each other: all ratings of so alike items are equal.
    alike = Answering.of_components(Components(1e-6, 0.0, 1e-6), 3.0, POINTS)
    question = CoefficientAbove(alike, "icc1", "", -1.0)
    (row,) = power(question, [Design(10, 3, 3)], seed=10, studies=5).rows
    assert (row.power, row.undecided) == (0.0, 5)
    assert math.isnan(row.estimate)


def test_impossible_correlations_are_refused() -> None:
    with pytest.raises(PowerError, match="No metrics have correlations") as refused:
        MetricsDiffer(LIKERT, 0.9, -0.9, 0.9, "pearson")
    assert refused.value.code == "impossible_correlations"


def test_the_cheapest_design_with_enough_power_is_named() -> None:
    question = SystemsDiffer(LIKERT, 0.5, crossed=False)
    designs = [Design(n, k, 8) for k in (1, 4) for n in (20, 120, 240)]
    result = power(question, designs, seed=11, studies=60, replicates=100)
    cheapest = fewest_ratings(result)
    assert cheapest is not None
    assert cheapest.power >= 0.8
    assert not [one for one in result.rows if one.power >= 0.8 and one.ratings < cheapest.ratings]
    assert fewest_ratings(PowerResult(result.rows, None, 60, 11), enough=1.01) is None


def test_a_study_of_a_question_is_tested_by_the_settings_of_the_reports() -> None:
    question = SystemsDiffer(LIKERT, 0.5, crossed=False)
    outcome = question.simulate(Design(50, 3, 3), np.random.default_rng(0), Resampling(100, 0))
    assert outcome.width > 0
    assert outcome == question.simulate(Design(50, 3, 3), np.random.default_rng(0), Resampling(100, 0))


def test_groups_are_resampled_as_a_report_resamples_them() -> None:
    """Fifty items in ten groups tell less than fifty items, and the test knows it."""
    answering = Answering.of_components(Components(0.8, 0.1, 0.4), 3.0, POINTS, shared=0.6)
    question = SystemsDiffer(answering, 0.5, crossed=False)
    alone, grouped = power(
        question, [Design(50, 3, 3), Design(50, 3, 3, in_group=5)], seed=12, studies=150, replicates=200
    ).rows
    assert grouped.high < alone.low
    assert grouped.width > 1.3 * alone.width


def test_the_interval_of_a_coefficient_is_that_of_groups() -> None:
    answering = Answering.of_components(Components(0.8, 0.1, 0.4), 3.0, POINTS, shared=0.6)
    question = CoefficientAbove(answering, "alpha", "interval", 0.2)
    alone, grouped = power(
        question, [Design(60, 3, 3), Design(60, 3, 3, in_group=10)], seed=13, studies=40, replicates=100
    ).rows
    assert grouped.width > 1.2 * alone.width


def test_metrics_are_decided_by_groups_where_items_have_them() -> None:
    answering = Answering.of_components(Components(0.8, 0.1, 0.4), 3.0, POINTS, shared=0.6)
    question = MetricsDiffer(answering, 0.8, 0.3, 0.2, "pearson")
    (row,) = power(question, [Design(60, 3, 3, in_group=3)], seed=14, studies=30, replicates=60).rows
    assert row.undecided == 0
    assert row.power > 0.5
