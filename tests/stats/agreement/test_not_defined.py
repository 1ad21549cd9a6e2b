"""Coefficients whose definition does not hold for some ratings say so, with a reason, and give no number."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.agreement.brennan_prediger import brennan_prediger
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import agreement_weights, gwet, raw_agreement
from scoring.stats.agreement.pairwise import rater_pairs
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.nominal import ChoiceQuestion, choice_agreement
from scoring.stats.choices.sets import SetAnswers, masi_alpha
from scoring.stats.raters.disagreement import alpha_parts
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=50)
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


def ratio_alpha(rows: list[list[float]]) -> float:
    """Krippendorff (2011) at the ratio level, over all ordered pairs of ratings, for values above zero."""

    def distance(one: float, other: float) -> float:
        return ((one - other) / (one + other)) ** 2 if one + other else 0.0

    pooled = [value for row in rows for value in row]
    observed = sum(sum(distance(*pair) for pair in permutations(row, 2)) / (len(row) - 1) for row in rows)
    expected = sum(distance(*pair) for pair in permutations(pooled, 2)) / (len(pooled) - 1)
    return 1 - observed / expected


@pytest.mark.parametrize("negative", [[[-1, -2], [-3, -3], [-2, -1]], [[1, 2], [-3, 3], [2, 1]]])
def test_the_ratio_level_refuses_negative_values(negative):
    ratings = ratings_of(long_form(negative))
    figure = alpha(ratings, "ratio", QUICK)
    assert (figure.reason, math.isnan(figure.estimate)) == ("negative_values", True)
    assert figure.interval_method == "none:negative_values"
    assert np.isnan(alpha_parts(ratings, "ratio")).all()
    assert alpha(ratings, "interval", QUICK).reason == ""


def test_zero_is_a_value_of_a_ratio_scale():
    rows = [[0.0, 1.0, 0.0], [2.0, 2.0, 4.0], [0.0, 0.0, 3.0]]
    assert alpha(ratings_of(long_form(rows)), "ratio", QUICK).estimate == pytest.approx(ratio_alpha(rows))


@pytest.mark.parametrize("rows", [[[1, 2, 2, 5]], [[1, 2, 2], [3, np.nan, np.nan]], [[2, 2, 2]]])
def test_agreement_beyond_chance_needs_two_items(rows):
    """With one item all ratings are of the same thing: there is nothing to estimate chance from."""
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    figures = [alpha(ratings, level, QUICK) for level in LEVELS]
    figures += [fleiss(ratings, QUICK), gwet(ratings, "identity", QUICK), gwet(ratings, "quadratic", QUICK)]
    assert {figure.reason for figure in figures} == {"too_few_items"}
    assert all(math.isnan(figure.estimate) for figure in figures)
    assert np.isnan(alpha_parts(ratings)).all()


def test_what_is_not_estimated_from_the_ratings_needs_one_item():
    """Raw agreement has no chance term, and that of Brennan and Prediger is the number of points alone."""
    ratings = ratings_of(long_form([[1, 2, 2, 2]]), scale=(1, 5))
    assert raw_agreement(ratings, 0, QUICK).estimate == pytest.approx(1 / 2)
    assert brennan_prediger(ratings, QUICK).estimate == pytest.approx((1 / 2 - 1 / 5) / (4 / 5))


def test_sets_of_one_item_have_no_alpha():
    answers = [frozenset("a"), frozenset("b"), frozenset("b")]
    figure = masi_alpha(SetAnswers("kinds", ["one"] * 3, ["x", "y", "z"], answers), QUICK)
    assert (figure.reason, math.isnan(figure.estimate)) == ("too_few_items", True)


def test_two_raters_with_one_item_in_common_have_no_kappa():
    pairs = rater_pairs(ratings_of(long_form([[1, 2, np.nan], [2, np.nan, 3], [1, np.nan, 1]])))
    by_shared = dict(zip(pairs.shared.tolist(), pairs.kappa["identity"].tolist(), strict=True))
    assert math.isnan(by_shared[1])
    # Of two items one is equal; by chance, from marginals 1/2 1/2 and 1/2 0 1/2, a quarter would be.
    assert by_shared[2] == pytest.approx((1 / 2 - 1 / 4) / (3 / 4))


def ac2_by_pairs(rows: list[list[float]], points: list[float]) -> float:
    """Gwet (2014), quadratic weights of the values of the points, over all ordered pairs of ratings."""
    spread = max(points) - min(points)

    def agree(one: float, other: float) -> float:
        return 1 - ((one - other) / spread) ** 2

    observed = np.mean([np.mean([agree(*pair) for pair in permutations(row, 2)]) for row in rows])
    shares = [np.mean([row.count(point) / len(row) for row in rows]) for point in points]
    total = sum(agree(one, other) for one in points for other in points)
    expected = total * sum(share * (1 - share) for share in shares) / (len(points) * (len(points) - 1))
    return float((observed - expected) / (1 - expected))


def test_ac2_weighs_the_values_of_the_points_and_not_their_ranks():
    rows = [[1.0, 2.0, 1.0], [5.0, 5.0, 2.0], [2.0, 2.0, 2.0], [1.0, 5.0, 1.0], [5.0, 5.0, 5.0]]
    figure = gwet(ratings_of(long_form(rows)), "quadratic", QUICK)
    assert figure.estimate == pytest.approx(ac2_by_pairs(rows, [1.0, 2.0, 5.0]), abs=1e-12)


def test_weights_of_values_and_weights_of_ranks():
    points = np.array([1.0, 2.0, 5.0])
    assert agreement_weights("linear", points)[0].tolist() == pytest.approx([1, 3 / 4, 0])
    assert agreement_weights("quadratic", points)[0].tolist() == pytest.approx([1, 15 / 16, 0])
    assert agreement_weights("quadratic", points)[1, 2] == pytest.approx(1 - 9 / 16)
    # Gwet's ordinal weights are of ranks by definition.
    assert agreement_weights("ordinal", points)[0].tolist() == pytest.approx([1, 2 / 3, 0])


def test_weighted_kappa_of_two_raters_weighs_values_too():
    """Cohen (1968) with d = (x − y)²: 1 − Σ observed / Σ expected, from the marginals of both."""
    x, y = np.array([1.0, 2.0, 5.0, 5.0, 1.0]), np.array([1.0, 5.0, 5.0, 2.0, 2.0])
    pairs = rater_pairs(ratings_of(long_form(np.column_stack([x, y]))))
    expected = np.mean(np.subtract.outer(x, y) ** 2)
    assert pairs.kappa["quadratic"][0] == pytest.approx(1 - np.mean((x - y) ** 2) / expected)
    expected = np.mean(np.abs(np.subtract.outer(x, y)))
    assert pairs.kappa["linear"][0] == pytest.approx(1 - np.mean(np.abs(x - y)) / expected)


def test_two_raters_on_a_fine_scale_have_correlations_but_no_kappa():
    pairs = rater_pairs(ratings_of(long_form(likert(1, 30, 2) * 20), scale=(0, 100)))
    assert np.isnan([*pairs.kappa.values(), pairs.exact, pairs.within_one]).all()
    assert np.isfinite([pairs.pearson, pairs.spearman, pairs.difference]).all()


def test_many_options_without_order_remain_categories():
    options = [f"option {number}" for number in range(30)]
    answers = long_form(likert(1, 30, 3)).assign(
        value=lambda frame: [options[int(value)] for value in frame["value"]]
    )
    found = choice_agreement(
        answers.drop(columns="criterion"),
        ChoiceQuestion("kind", options),
        identified=True,
        resampling=QUICK,
    )
    assert [figure.reason for figure in found] == [""] * 4


def test_a_declared_scale_counts_its_half_steps():
    """On 1 to 5 in half steps there are nine points, whether or not raters use them all."""
    points = [1 + step / 2 for step in range(9)]
    rows = [[1.0, 1.5, 1.0], [4.5, 4.0, 4.5], [2.0, 2.5, 2.0], [3.5, 3.0, 1.5]]
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    figure = gwet(ratings, "quadratic", QUICK)
    assert (ratings.categories.tolist(), figure.variant) == (points, "quadratic, q=9")
    assert figure.estimate == pytest.approx(ac2_by_pairs(rows, points), abs=1e-12)
    assert fleiss(ratings, QUICK).reason == ""
    assert np.isfinite(rater_pairs(ratings).kappa["quadratic"]).all()


def test_steps_other_than_one_and_a_half_are_no_points():
    assert fleiss(ratings_of(long_form([[1.0, 1.5], [2.0, 2.5]])), QUICK).reason == "continuous_scale"
    ratings = ratings_of(long_form([[1.0, 1.25], [2.0, 4.0]]), scale=(1, 5))
    assert ratings.categories.tolist() == [1.0, 1.25, 2.0, 4.0]
    assert fleiss(ratings, QUICK).reason == "continuous_scale"
