"""Every coefficient refuses the ratings that its entry in the list says, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.agreement.coefficients import COEFFICIENTS, Coefficient, Family
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.refusals import Needs
from scoring.stats.data.table import MOST_CATEGORIES, Ratings
from tests.stats.declared import COMPUTED, OF_CATEGORIES, OF_PERSONS
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=20)
CATEGORIES, PERSONS, NOTHING = Needs(categories=True), Needs(identified=True), Needs()
# The list may grow; what these need stays: needs, and whether constant ratings have a figure.
NEEDS = {
    "held_out_pearson": (PERSONS, False),
    "held_out_spearman": (PERSONS, False),
    "icc1": (NOTHING, False),
    "icc1k": (NOTHING, False),
    "icc2": (PERSONS, False),
    "icc2k": (PERSONS, False),
    "icc3": (PERSONS, False),
    "icc3k": (PERSONS, False),
    "alpha": (NOTHING, False),
    "fleiss": (CATEGORIES, False),
    "ac1": (CATEGORIES, True),
    "ac2": (CATEGORIES, True),
    "kappa_n": (CATEGORIES, False),
    "exact": (CATEGORIES, True),
    "within_one": (CATEGORIES, True),
    "brennan_prediger": (CATEGORIES, False),
}
every_coefficient = pytest.mark.parametrize(
    ("family", "one"), COMPUTED, ids=[f"{one.key}-{place}" for place, (_, one) in enumerate(COMPUTED)]
)


def reasons(family: Family, one: Coefficient, ratings: Ratings) -> set[str]:
    """Reasons of the coefficient's figures, those of single raters left out."""
    figures = [figure for figure in family.compute(ratings, QUICK) if figure.coefficient == one.key]
    assert figures
    assert all(np.isnan(figure.estimate) == bool(figure.reason) for figure in figures)
    return {figure.reason for figure in figures if not figure.variant.startswith("rater:")}


def expected(needed: bool, reason: str) -> set[str]:
    return {reason if needed else ""}


@pytest.mark.parametrize("key", NEEDS)
def test_what_each_needs(key):
    assert (COEFFICIENTS[key].needs, COEFFICIENTS[key].of_constant) == NEEDS[key]


def test_agreement_on_equal_ratings_needs_categories_and_persons_are_needed_to_follow_them():
    assert {"fleiss", "ac1", "ac2", "exact"} <= OF_CATEGORIES
    assert {"icc2", "icc2k", "icc3", "icc3k", "held_out_pearson", "held_out_spearman"} <= OF_PERSONS


@every_coefficient
def test_a_complete_design_of_persons_on_a_short_scale_has_every_coefficient(family, one):
    assert reasons(family, one, ratings_of(long_form(likert(1, 30, 3)), scale=(1, 5))) == {""}


@every_coefficient
def test_only_coefficients_of_categories_refuse_a_scale_from_0_to_100(family, one):
    ratings = ratings_of(long_form(likert(1, 30, 3) * 20), scale=(0, 100))
    assert reasons(family, one, ratings) == expected(one.needs.categories, "continuous_scale")


@every_coefficient
def test_values_that_are_no_whole_numbers_are_no_categories(family, one):
    ratings = ratings_of(long_form(likert(1, 30, 3) / 2))
    assert reasons(family, one, ratings) == expected(one.needs.categories, "continuous_scale")


@every_coefficient
def test_twenty_points_are_categories_and_twenty_one_are_not(family, one):
    frame = long_form(likert(1, 30, 3))
    assert reasons(family, one, ratings_of(frame, scale=(1, MOST_CATEGORIES))) == {""}
    longer = reasons(family, one, ratings_of(frame, scale=(0, MOST_CATEGORIES)))
    assert longer == expected(one.needs.categories, "continuous_scale")


@every_coefficient
def test_anonymous_slots_refuse_what_needs_the_same_person(family, one):
    ratings = ratings_of(long_form(likert(2, 20, 3)), identified=False)
    assert reasons(family, one, ratings) == expected(one.needs.identified, "anonymous_raters")


@every_coefficient
def test_a_design_with_gaps_is_refused_by_what_needs_a_complete_one(family, one):
    ratings = ratings_of(long_form(likert(3, 60, 4, missing=0.2)), scale=(1, 5))
    assert reasons(family, one, ratings) == expected(one.needs.complete, "incomplete_design")


@every_coefficient
def test_of_constant_ratings_only_percentages_of_agreement_are_computed(family, one):
    ratings = ratings_of(long_form(np.full((12, 3), 4.0)))
    assert reasons(family, one, ratings) == expected(not one.of_constant, "constant_ratings")
    if one.of_constant:
        (figure,) = family.compute(ratings, QUICK)
        assert (figure.estimate, figure.low, figure.high) == (1, 1, 1)
