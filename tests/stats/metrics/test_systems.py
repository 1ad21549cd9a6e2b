"""Systems compared with one another: intervals, differences, labels and the best k of them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.base.multiple_testing import MOST_REPLICATES, enough_replicates, smallest_adjusted
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.discrimination import discriminative_power, weighted_f1
from scoring.stats.metrics.comparing.systems import (
    compare_all_systems,
    compare_systems,
    label_of,
    mean_ratings,
    top_k_curve,
)
from scoring.stats.metrics.levels import correlations
from tests.stats.measured_samples import measured, ungrouped

RESAMPLING = Resampling(replicates=400, seed=1)


def test_the_interval_of_a_system_is_that_of_a_t_test_over_its_items():
    items = measured(1, groups=20, missing=0.1)
    for found in mean_ratings(items):
        values = items.human[items.system == items.systems.index(found.system)]
        own = values[:, items.criteria.index(found.criterion)]
        own = own[np.isfinite(own)]
        low, high = stats.t.interval(0.95, len(own) - 1, own.mean(), stats.sem(own))
        assert found.mean == pytest.approx(own.mean())
        assert found.n == len(own)
        assert (found.mean - found.half_width, found.mean + found.half_width) == pytest.approx((low, high))


def test_a_system_with_one_item_has_a_mean_without_interval():
    items = measured(1, groups=1)
    found = mean_ratings(items)[0]
    assert math.isfinite(found.mean)
    assert (math.isnan(found.half_width), found.reason) == (True, "too_few_items")


def test_a_better_system_has_its_label_and_the_sides_are_symmetric():
    items = measured(2, groups=40, systems=3, criteria=1)
    human = items.human + np.array([0.0, 0.0, 3.0])[items.system][:, None]
    found = {(one.first, one.second): one for one in compare_systems(replace(items, human=human), RESAMPLING)}
    assert len(found) == 3
    worse = found["system 0", "system 2"]
    assert worse.label == 2
    assert worse.difference < 0
    assert worse.interval.high < 0
    assert worse.p < 0.05


def test_systems_are_paired_by_group():
    """A second system that is the first plus a constant is sure to be better, however groups vary."""
    items = measured(5, groups=6, systems=2, criteria=1)
    human = items.human.copy()
    human[items.system == 1] = human[items.system == 0] + 0.01
    (found,) = compare_systems(replace(items, human=human), RESAMPLING)
    assert found.label == 2
    assert found.interval.low == pytest.approx(-0.01)


def test_equal_systems_do_not_differ_significantly():
    items = measured(5, groups=6, systems=2, criteria=1)
    human = items.human.copy()
    human[items.system == 1] = human[items.system == 0]
    (found,) = compare_systems(replace(items, human=human), RESAMPLING)
    assert (found.difference, found.p, found.label) == (0, 1, 0)


def test_labels_need_their_share_of_replicates():
    assert label_of(np.array([1.0] * 19 + [-1.0]), 0.95) == 1
    assert label_of(np.array([1.0] * 18 + [-1.0] * 2), 0.95) == 0
    assert label_of(np.array([-1.0] * 19 + [1.0]), 0.95) == 2
    assert label_of(np.array([-1.0] * 19 + [0.0] * 2), 0.95) == 0


LABELS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)


@given(LABELS)
def test_weighted_f1_is_the_mean_of_the_labels_f1_by_support(pairs):
    true, given_ = zip(*pairs, strict=True)
    expected = 0.0
    for label in set(true):
        hits = sum(one == other == label for one, other in pairs)
        precision = hits / given_.count(label) if label in given_ else 0.0
        recall = hits / true.count(label)
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        expected += f1 * true.count(label) / len(pairs)
    assert weighted_f1(true, given_) == pytest.approx(expected)


def test_a_metric_that_equals_the_ratings_has_full_discriminative_power():
    items = measured(6, groups=20, criteria=1, metrics=1)
    scores = np.column_stack([items.human, -items.human])
    items = replace(items, metrics=("same", "against"), scores=scores)
    same, against = discriminative_power(items, RESAMPLING)
    assert same.f1 == 1.0
    assert against.f1 < 1.0
    _, turned = discriminative_power(items, RESAMPLING, {"against": "lower"})
    assert turned.f1 == 1.0


def test_a_criterion_and_a_metric_may_share_a_name():
    items = measured(6, criteria=1, metrics=1)
    (found,) = discriminative_power(replace(items, criteria=("x",), metrics=("x",)), RESAMPLING)
    assert found.n_pairs == 6


def test_the_curve_starts_with_all_systems_and_drops_the_worst():
    items = measured(8, groups=25, systems=6)
    curve = top_k_curve(items, "pearson")
    first = [one for one in curve if one.criterion == "criterion 0" and one.metric == "metric 1"]
    assert [one.k for one in first] == [6, 5, 4, 3]
    assert first[0].estimate == pytest.approx(correlations(items, "system", "pearson").estimate[1, 0])
    means = [items.human[items.system == code, 0].mean() for code in range(6)]
    assert first[-1].systems == tuple(items.systems[code] for code in np.argsort(means)[::-1][:3])
    best = items.only(systems=first[-1].systems)
    assert first[-1].estimate == pytest.approx(correlations(best, "system", "pearson").estimate[1, 0])


def test_a_cut_between_equal_systems_is_marked():
    items = measured(7, groups=4, systems=4, criteria=1, metrics=1)
    curve = top_k_curve(replace(items, human=np.ones_like(items.human)), "kendall")
    assert [(one.k, one.cut_in_tie) for one in curve] == [(4, False), (3, True)]


def test_without_systems_nothing_is_compared():
    with pytest.raises(ValueError, match="no systems"):
        mean_ratings(ungrouped(measured(1)))
    with pytest.raises(ValueError, match="no systems"):
        compare_systems(ungrouped(measured(1)), RESAMPLING)


def well_separated(systems: int) -> MeasuredItems:
    """Systems each of which is better than the one before on every item."""
    items = measured(2, groups=20, systems=systems, criteria=1)
    assert items.system is not None
    return replace(items, human=10.0 * items.system[:, None] + items.human)


@pytest.mark.parametrize("systems", [5, 11, 20])
def test_holm_over_all_pairs_of_systems_can_reject(systems):
    """The smallest p of a bootstrap, (1 + 0)/(1 + B) on either side, is multiplied by the number of pairs."""
    found = compare_all_systems(well_separated(systems), Resampling(2000, seed=1))
    pairs = systems * (systems - 1) // 2
    assert [one.p for one in found.differences] == pytest.approx([2 / (1 + found.replicates)] * pairs)
    assert max(one.p_adjusted for one in found.differences) <= 0.01
    assert found.smallest_p_adjusted == pytest.approx(min(one.p_adjusted for one in found.differences))


def test_replicates_grow_with_the_pairs_up_to_a_cap():
    assert [enough_replicates(2000, tests) for tests in (1, 10, 11, 55, 250)] == [
        2000,
        2000,
        2199,
        10_999,
        49_999,
    ]
    assert enough_replicates(2000, 5000) == MOST_REPLICATES
    assert enough_replicates(80_000, 1) == 80_000
    assert smallest_adjusted(10_999, 55) == pytest.approx(0.01)
    assert smallest_adjusted(MOST_REPLICATES, 5000) == pytest.approx(0.2, abs=1e-5)


def test_the_drawn_means_are_those_of_the_items_drawn():
    """Each replicate draws whole groups; a missing rating is left out of the mean."""
    items = measured(3, groups=7, systems=3, missing=0.2)
    generator = RESAMPLING.generator("systems")
    (found, *_) = compare_systems(items, RESAMPLING)
    differences = []
    assert items.system is not None
    assert items.group is not None
    for _ in range(RESAMPLING.replicates):
        times = generator.multinomial(7, np.full(7, 1 / 7))
        chosen = np.repeat(np.arange(len(items.items)), times[items.group])
        means = [np.nanmean(items.human[chosen[items.system[chosen] == code], 0]) for code in (0, 1)]
        differences.append(means[0] - means[1])
    assert (found.interval.low, found.interval.high) == pytest.approx(
        np.quantile(differences, [0.025, 0.975])
    )
