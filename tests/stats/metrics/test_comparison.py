"""Two metrics on one criterion: the difference, its interval, and tests that keep their error rate."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.metric_tests import simulate_systems
from scoring.stats.base.association import COEFFICIENTS
from scoring.stats.base.multiple_testing import adjusted
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.rated_items import MeasuredItems, MeasuredItemsError
from scoring.stats.metrics.comparing.comparison import bootstrap_p, compare_family, compare_metrics
from scoring.stats.metrics.comparing.permutation import permutation_p
from scoring.stats.metrics.comparing.williams import williams
from scoring.stats.metrics.levels import LEVELS, correlations, system_means
from tests.stats.measured_samples import measured, ungrouped

RESAMPLING = Resampling(replicates=200, seed=2)


def compared(items, level="group", coefficient="pearson", metrics=("metric 0", "metric 1"), **options):
    settings = {"level": level, "coefficient": coefficient, "resampling": RESAMPLING, **options}
    return compare_metrics(items, "criterion 0", metrics, **settings)


def with_scores(items, *columns):
    """The items with these columns as metrics 0, 1, ..."""
    names = tuple(f"metric {place}" for place in range(len(columns)))
    return replace(items, metrics=names, scores=np.column_stack(columns))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_difference_is_that_of_the_absolute_correlations(level, coefficient):
    items = measured(1, groups=12)
    r = correlations(items, level, coefficient).estimate[:, 0]
    found = compared(items, level, coefficient)
    assert found.difference == pytest.approx(abs(r[0]) - abs(r[1]))
    assert (found.r_first, found.r_second) == pytest.approx((r[0], r[1]))
    assert level == "system" or found.interval.low <= found.difference <= found.interval.high


@pytest.mark.parametrize("level", LEVELS)
def test_the_order_of_the_metrics_changes_signs_alone(level):
    items = measured(2, groups=12)
    one, other = compared(items, level), compared(items, level, metrics=("metric 1", "metric 0"))
    assert one.difference == pytest.approx(-other.difference)
    assert (one.p_permutation, one.williams.p) == pytest.approx((other.p_permutation, other.williams.p))
    assert one.p_bootstrap == pytest.approx(other.p_bootstrap, nan_ok=True)
    turned = (-other.interval.high, -other.interval.low)
    assert (one.interval.low, one.interval.high) == pytest.approx(turned, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_a_metric_turned_over_is_the_same_metric_once_its_direction_is_declared(level):
    items = measured(3, groups=12)
    plain = compared(items, level, directions={"metric 0": "higher", "metric 1": "higher"})
    turned = with_scores(items, items.scores[:, 0], -items.scores[:, 1])
    again = compared(turned, level, directions={"metric 0": "higher", "metric 1": "lower"})
    assert again.difference == pytest.approx(plain.difference)
    assert again.williams.t == pytest.approx(plain.williams.t)
    assert again.p_permutation == pytest.approx(plain.p_permutation)
    assert again.p_bootstrap == pytest.approx(plain.p_bootstrap, nan_ok=True)


def test_a_metric_that_points_the_wrong_way_loses_where_its_direction_is_declared():
    items = measured(4, groups=30)
    wrong = with_scores(items, items.scores[:, 0], -items.scores[:, 0])
    assert compared(wrong).difference == pytest.approx(0)
    declared = compared(wrong, directions={"metric 0": "higher", "metric 1": "higher"})
    assert declared.difference > 0.3
    assert declared.p_bootstrap < 0.05
    assert declared.p_permutation < 0.05


def test_williams_takes_the_items_all_three_have():
    items = ungrouped(measured(5, groups=20, missing=0.2))
    found = compared(items, "item")
    x, y = items.scores[:, 0], items.scores[:, 1]
    human = items.human[:, 0]
    valid = np.isfinite(x) & np.isfinite(y) & np.isfinite(human)
    r12, r13, r23 = (
        stats.pearsonr(one[valid], other[valid]).statistic for one, other in ((x, human), (y, human), (x, y))
    )
    expected = williams(r12, r13, r23, int(valid.sum()))
    assert found.williams.t == pytest.approx(expected.t)
    assert found.decides == "williams"
    assert found.p == found.williams.p
    assert (found.n_items, found.n_dropped) == (valid.sum(), (~valid).sum())


def test_at_group_level_the_bootstrap_decides_and_williams_is_as_in_the_paper():
    found = compared(measured(6, groups=12))
    assert (found.decides, found.williams_label) == ("bootstrap", "as in the paper")
    assert found.p == found.p_bootstrap
    assert found.williams.df == 12 - 3


def test_clustered_items_are_not_one_sample_either():
    assert compared(measured(6), "item").decides == "bootstrap"


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_over_systems_the_p_is_of_new_systems_and_there_is_no_interval_of_unknown_coverage(coefficient):
    found = compared(measured(6, groups=12, systems=6), "system", coefficient)
    assert (found.decides, found.p) == (
        ("permutation", found.p_permutation) if coefficient == "kendall" else ("williams", found.williams.p)
    )
    assert found.holds_for == "new systems"
    assert math.isnan(found.p_bootstrap)
    row = found.to_row()
    assert (row["low"], row["high"], row["p_bootstrap"]) == (None, None, None)
    assert row["interval_method"] == "none:unknown_coverage"


def test_groups_where_one_of_both_is_undefined_are_dropped_for_both():
    items = measured(7, groups=6)
    scores = items.scores[:, 1].copy()
    scores[items.unit_codes == 3] = 2.0
    found = compared(with_scores(items, items.scores[:, 0], scores))
    assert (found.n_groups, found.n_dropped) == (5, 1)


def system_points(items):
    """One item a system, with the system's means."""
    once = np.ones((1, len(items.items)))
    human, scores = (system_means(items, values, once)[0] for values in (items.human, items.scores))
    places = pd.DataFrame({"system": items.systems}, items.systems)
    return MeasuredItems.from_frames(
        pd.DataFrame(human, items.systems, list(items.criteria)),
        pd.DataFrame(scores, items.systems, list(items.metrics)),
        places,
    )


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_the_permutation_test_is_the_share_of_all_exchanges_of_groups_or_of_systems(seed):
    full = measured(seed, groups=7, metrics=2, criteria=1)
    few_of_one = np.arange(len(full.items)) % 4 == 1
    items = full.keep(~few_of_one | (full.unit_codes > 4))
    for level in LEVELS:
        exact = []
        points = system_points(items) if level == "system" else items
        for swaps in itertools.product([False, True], repeat=points.n_units):
            swapped = np.array(swaps)[points.unit_codes]
            spread = (points.scores - points.scores.mean(axis=0)) / points.scores.std(axis=0)
            scores = np.where(swapped[:, None], spread[:, ::-1], spread)
            r = correlations(replace(points, scores=scores), level, "pearson").estimate[:, 0]
            exact.append(abs(r[0] - r[1]))
        expected = np.mean(np.array(exact) >= exact[0] - 1e-12)
        p = permutation_p(items, level, "pearson", lambda r: r[..., 0] - r[..., 1], Resampling(4000, 1))
        assert p == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("coefficient", ["kendall", "spearman"])
@pytest.mark.parametrize("level", ["item", "system"])
def test_the_permutation_test_of_ranks_does_not_depend_on_the_scales_of_the_metrics(level, coefficient):
    """Perplexity and a bounded score have little but their order in common."""
    plain = measured(3, groups=30, metrics=2, criteria=1)
    plain = system_points(plain) if level == "system" else plain
    bent = np.column_stack([np.exp(2 * plain.scores[:, 0]), -np.exp(-2 * plain.scores[:, 1])])
    points = replace(plain, scores=bent)
    first, second = (
        permutation_p(one, "item", coefficient, lambda r: r[..., 0] - r[..., 1], Resampling(200, 1))
        for one in (plain, points)
    )
    assert first == second


@pytest.mark.parametrize("factor", [1e200, 1e-200])
def test_the_permutation_test_does_not_depend_on_the_unit_of_a_metric(factor):
    plain = measured(3, groups=30, metrics=2, criteria=1)
    scaled = replace(plain, scores=plain.scores * [factor, 1.0])
    first, second = (
        permutation_p(one, "item", "pearson", lambda r: r[..., 0] - r[..., 1], Resampling(200, 1))
        for one in (plain, scaled)
    )
    assert first == pytest.approx(second, abs=0.011)


def null_sample(seed):
    """Two metrics that are equally good, in groups that share an effect."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(30), 6)
    latent = rng.normal(size=180) + rng.normal(size=30)[group]
    keys = [str(place) for place in range(180)]
    human = pd.DataFrame({"criterion 0": latent + rng.normal(size=180)}, keys)
    scores = pd.DataFrame({f"metric {one}": latent + rng.normal(size=180) for one in (0, 1)}, keys)
    return MeasuredItems.from_frames(
        human, scores, pd.DataFrame({"group": [f"g{one}" for one in group]}, keys)
    )


@pytest.mark.parametrize("level", ["item", "group"])
def test_equally_good_metrics_differ_significantly_about_five_times_in_a_hundred(level):
    found = [compared(null_sample(seed), level) for seed in range(120)]
    assert np.mean([one.p_bootstrap < 0.05 for one in found]) < 0.13
    assert np.mean([one.p_permutation < 0.05 for one in found]) < 0.12


def null_systems(seed):
    """Ten systems in thirty groups; two metrics favour systems of their own, but both alike."""
    rng = np.random.default_rng(seed)
    system, group = np.tile(np.arange(10), 30), np.repeat(np.arange(30), 10)
    latent = rng.normal(0, 0.7, 10)[system] + rng.normal(size=300)
    keys = [str(place) for place in range(300)]
    human = pd.DataFrame({"criterion 0": latent + rng.normal(size=300)}, keys)
    own = [latent + rng.normal(0, 0.5, 10)[system] + rng.normal(size=300) for _ in range(2)]
    scores = pd.DataFrame({f"metric {place}": column for place, column in enumerate(own)}, keys)
    places = pd.DataFrame(
        {"group": [f"g{one}" for one in group], "system": [f"s{one}" for one in system]}, keys
    )
    return MeasuredItems.from_frames(human, scores, places)


def null_items(seed):
    """Forty independent items; two metrics that are equally good."""
    some = ungrouped(null_sample(seed))
    return some.keep(np.arange(len(some.items)) % 6 < (np.arange(len(some.items)) < 60) * 4)


@pytest.mark.parametrize(("null", "level"), [(null_items, "item"), (null_systems, "system")])
def test_kendalls_tau_has_a_test_that_rejects_up_to_five_times_in_a_hundred(null, level):
    """Williams's statistic is made for Pearson's r; of τ it rejects a true null hypothesis hardly ever."""
    found = [compared(null(seed), level, "kendall", resampling=Resampling(99, 1)) for seed in range(120)]
    assert {one.decides for one in found} == {"permutation"}
    rejected = np.mean([one.p < 0.05 for one in found])
    assert rejected < 0.1
    # Ten systems have few values of τ, so that the test keeps to less than its level.
    assert level == "system" or rejected > 0.015


def noisy_systems(seed):
    """Both metrics have the same true means of systems, but the items of the second have much more noise."""
    values = simulate_systems(seed, (0.3, 0.6), (0.3, 2.0))
    system, group = (side.ravel() for side in np.indices(values[0].shape))
    keys = [str(place) for place in range(len(system))]
    human, first, second = (one.ravel() for one in values)
    places = {"group": [f"g{one}" for one in group], "system": [f"s{one}" for one in system]}
    return MeasuredItems.from_frames(
        pd.DataFrame({"criterion 0": human}, keys),
        pd.DataFrame({"metric 0": first, "metric 1": second}, keys),
        pd.DataFrame(places, keys),
    )


def test_of_metrics_that_see_systems_alike_the_one_with_less_noise_hardly_ever_wins():
    """A bootstrap of the groups adds the noise a second time: it rejects 20 true hypotheses in a hundred."""
    found = [compared(noisy_systems(seed), "system", resampling=Resampling(1, 1)) for seed in range(100)]
    assert np.mean([one.p < 0.05 for one in found]) <= 0.1


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_williams_decides_for_independent_items_only_by_r_and_rho(coefficient):
    assert compared(ungrouped(measured(6)), "item", coefficient).decides == "williams"
    assert compared(measured(6), "system", coefficient).williams_label == "two-sided"
    assert compared(measured(6), "system", "kendall").williams_label == "as in the paper"


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50))
def test_the_bootstrap_p_is_never_zero_nor_above_one(differences):
    assert 0 < bootstrap_p(np.array(differences), 20) <= 1


@given(st.lists(st.floats(-1, 1).map(lambda one: round(one, 3)), min_size=60, max_size=200))
def test_the_bootstrap_p_is_below_the_level_exactly_where_the_interval_leaves_zero_out(differences):
    replicates = np.array(differences)
    interval = Resampling(len(replicates), 1).interval(replicates, "items", 40)
    p = bootstrap_p(replicates, 40)
    if abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == (interval.low > 0 or interval.high < 0)


def test_a_metric_compared_with_itself_is_no_different():
    items = measured(9)
    found = compared(with_scores(items, items.scores[:, 0], items.scores[:, 0]))
    assert (found.difference, found.p_bootstrap, found.p_permutation) == (0, 1, 1)
    assert found.williams.reason or found.williams.t == 0


def test_without_a_correlation_there_is_a_reason():
    items = measured(9)
    found = compared(with_scores(items, items.scores[:, 0], np.ones(len(items.items))))
    assert found.reason == "undefined_correlation"
    assert found.interval.reason == "undefined_correlation"
    assert math.isnan(found.difference)
    json.dumps(found.to_row(), allow_nan=False)


@pytest.mark.parametrize(
    ("criterion", "metric", "code"),
    [("taste", "metric 1", "unknown_criterion"), ("criterion 0", "luck", "unknown_metric")],
)
def test_a_name_that_is_not_there_is_refused(criterion, metric, code):
    with pytest.raises(MeasuredItemsError) as refusal:
        compare_metrics(
            measured(1),
            criterion,
            ("metric 0", metric),
            level="item",
            coefficient="pearson",
            resampling=RESAMPLING,
        )
    assert refusal.value.code == code


def test_a_family_is_every_pair_with_adjusted_p():
    items = measured(10, groups=10, metrics=4)
    family = compare_family(
        items, "criterion 0", items.metrics, level="group", coefficient="pearson", resampling=RESAMPLING
    )
    assert [(one.first[-1], one.second[-1]) for one in family] == list(itertools.combinations("0123", 2))
    expected = adjusted(np.array([one.p for one in family]), "holm")
    assert [one.p_adjusted for one in family] == pytest.approx(list(expected))
    assert {one.adjustment for one in family} == {"holm"}


P_VALUES = st.lists(st.floats(0, 1) | st.just(math.nan), min_size=1, max_size=12).map(np.array)


@given(P_VALUES)
def test_holm_rejects_what_its_steps_reject(p):
    known = sorted(p[np.isfinite(p)])
    for level in (0.01234567, 0.05678901, 0.3141592):
        rejected = 0
        for step, value in enumerate(known):
            if value > level / (len(known) - step):
                break
            rejected += 1
        assert (adjusted(p, "holm") <= level).sum() == rejected


@given(P_VALUES)
def test_adjusted_p_are_never_smaller_and_keep_their_order(p):
    for method in ("holm", "benjamini-hochberg"):
        found = adjusted(p, method)
        known = np.isfinite(p)
        assert (np.isnan(found) == ~known).all()
        assert (found[known] >= p[known] - 1e-12).all()
        assert (np.diff(found[known][np.argsort(p[known])]) >= -1e-12).all()


def test_benjamini_hochberg_is_scipys_over_the_tests_with_a_result():
    p = np.array([0.01, math.nan, 0.04, 0.03])
    found = adjusted(p, "benjamini-hochberg")
    assert found[[0, 2, 3]] == pytest.approx(stats.false_discovery_control([0.01, 0.04, 0.03]))
