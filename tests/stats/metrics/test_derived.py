"""Criteria made of criteria, and ratings beside norms."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.data.rated_items import MeasuredItemsError
from scoring.stats.metrics.derived import DerivedCriterion, against_norm, with_derived
from tests.stats.measured_samples import measured

PARTS = ("criterion 0", "criterion 1", "criterion 2")


def derived(items, how, missing):
    return with_derived(items, [DerivedCriterion("overall", PARTS, how, missing)]).human[:, -1]


@given(st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_a_complete_sum_has_no_value_where_a_part_is_missing(seed):
    items = measured(seed, criteria=3, missing=0.3)
    np.testing.assert_allclose(derived(items, "sum", "complete"), items.human.sum(axis=1), atol=1e-9)
    np.testing.assert_allclose(derived(items, "mean", "complete"), items.human.mean(axis=1), atol=1e-9)


@given(st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_over_the_available_parts_a_sum_keeps_its_scale(seed):
    items = measured(seed, criteria=3, missing=0.3)
    expected = np.array(
        [row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in items.human]
    )
    np.testing.assert_allclose(derived(items, "mean", "available"), expected, atol=1e-9)
    np.testing.assert_allclose(derived(items, "sum", "available"), 3 * expected, atol=1e-9)


def test_sums_of_tenths_that_are_equal_on_paper_are_equal():
    items = measured(1, groups=1, systems=2, criteria=3)
    items = replace(items, human=np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))
    first, second = derived(items, "sum", "complete")
    assert first == second


def test_a_derived_criterion_can_be_part_of_the_next():
    items = measured(2, criteria=3)
    again = with_derived(
        items, [DerivedCriterion("a", PARTS[:2], "sum"), DerivedCriterion("b", ("a", PARTS[2]), "sum")]
    )
    np.testing.assert_allclose(again.human[:, -1], items.human.sum(axis=1))
    assert again.criteria == (*PARTS, "a", "b")


@pytest.mark.parametrize(
    ("criterion", "code"),
    [
        (DerivedCriterion("overall", ("taste",)), "unknown_criterion"),
        (DerivedCriterion("criterion 0", PARTS), "doubled_criterion"),
    ],
)
def test_unknown_parts_and_doubled_names_are_refused(criterion, code):
    with pytest.raises(MeasuredItemsError) as refusal:
        with_derived(measured(1, criteria=3), [criterion])
    assert refusal.value.code == code


@pytest.mark.parametrize("parts", [(), ("a", "a")])
def test_a_criterion_of_nothing_or_of_one_part_twice_is_refused(parts):
    with pytest.raises(ValueError, match="different parts"):
        DerivedCriterion("overall", parts)


def test_a_norm_is_compared_on_the_shared_items():
    items = measured(3)
    norm = {item: float(place % 5) for place, item in enumerate(items.items[:20])} | {"elsewhere": 3.0}
    found = against_norm(items, "criterion 1", norm)
    own, other = items.human[:20, 1], [norm[item] for item in items.items[:20]]
    assert found.correlation == pytest.approx(stats.pearsonr(own, other).statistic)
    assert found.mean_absolute_difference == pytest.approx(np.abs(own - other).mean())
    assert (found.n_items, found.n_rated, found.n_norm) == (20, len(items.items), 21)


@pytest.mark.parametrize(
    ("norm", "reason"), [({}, "too_few_items"), ({"item 001": 2.0, "item 002": 2.0}, "constant_ratings")]
)
def test_without_a_correlation_with_the_norm_there_is_a_reason(norm, reason):
    found = against_norm(measured(3), "criterion 0", norm)
    assert np.isnan(found.correlation)
    assert found.reason == reason
