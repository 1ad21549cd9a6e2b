"""Tie-calibrated pairwise accuracy: the exact maximum over every threshold, and honest figures with it."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.base.resampling import Resampling
from scoring.stats.data.bootstrap.bootstrap_draws import unit_draws
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.pairwise.accuracy import Grouping, allowed_groupings, pairwise_accuracies
from tests.stats.measured_samples import measured, ungrouped


def accuracy(scores, human, block, epsilon):
    """Mean over blocks of the share of pairs on which both agree, exactly; None without a pair."""
    shares = []
    for code in sorted(set(block)):
        pairs = list(combinations([at for at, own in enumerate(block) if own == code], 2))
        if pairs:
            right = 0
            for one, other in pairs:
                difference, rated = scores[one] - scores[other], human[one] - human[other]
                if abs(difference) <= epsilon:
                    right += rated == 0
                else:
                    right += difference * rated > 0
            shares.append(Fraction(right, len(pairs)))
    return sum(shares) / len(shares) if shares else None


def best_threshold(scores, human, block):
    """The smallest threshold of the greatest accuracy, among 0 and all differences within blocks."""
    pairs = [(a, b) for a, b in combinations(range(len(block)), 2) if block[a] == block[b]]
    tried = sorted({Fraction(0), *(abs(scores[a] - scores[b]) for a, b in pairs)})
    found = [(accuracy(scores, human, block, epsilon), -epsilon) for epsilon in tried]
    best, epsilon = max(found)
    return best, -epsilon


def rated(scores, human, block):
    keys = [f"item {place}" for place in range(len(scores))]
    return MeasuredItems.from_frames(
        pd.DataFrame({"c": [float(one) for one in human]}, keys),
        pd.DataFrame({"m": [float(one) for one in scores]}, keys),
        pd.DataFrame({"group": [f"g{code}" for code in block]}, keys),
    )


ITEMS = st.lists(
    st.tuples(st.integers(-30, 30), st.integers(2, 10), st.integers(0, 2)), min_size=2, max_size=14
)


@given(ITEMS)
@settings(max_examples=150, deadline=None)
def test_the_search_finds_the_maximum_over_every_threshold(drawn):
    """Scores in tenths and ratings in halves, which computers round: equal differences must stay equal."""
    scores = [Fraction(one, 10) for one, _, _ in drawn]
    human = [Fraction(one, 2) for _, one, _ in drawn]
    block = [code for _, _, code in drawn]
    blocks: dict[Grouping, list[int]] = {"group": block, "none": [0] * len(block)}
    for grouping, own in blocks.items():
        found = pairwise_accuracies(
            rated(scores, human, block), directions={}, seed=1, replicates=0, groupings=[grouping]
        )[0]
        if accuracy(scores, human, own, 0) is None:
            assert np.isnan(found.estimate)
            assert found.reason == "no_defined_group"
            continue
        best, epsilon = best_threshold(scores, human, own)
        assert found.estimate == pytest.approx(float(best), abs=1e-12)
        assert found.epsilon == pytest.approx(float(epsilon), abs=1e-9)
        assert found.at_zero == pytest.approx(float(accuracy(scores, human, own, 0)), abs=1e-12)
        assert found.all_tied == pytest.approx(float(accuracy(scores, human, own, 10**6)), abs=1e-12)
        assert found.estimate >= max(found.at_zero, found.all_tied) - 1e-12


def test_the_table_of_the_paper_comes_out():
    """Ties that both have count as right, ties of one side as wrong (Deutsch et al. 2023, equation 8)."""
    human, scores = [1, 1, 2, 3], [0.1, 0.1, 0.2, 0.2]
    found = pairwise_accuracies(rated(scores, human, [0] * 4), directions={}, seed=1, replicates=0)[0]
    # Pairs: one tied by both, one tied by the metric alone, four in order.
    assert found.at_zero == pytest.approx(5 / 6)
    assert (found.n_pairs, found.epsilon) == (6, 0)


def test_scores_that_differ_by_many_powers_of_ten_are_no_ties():
    """Published scores go from 1e-5 to 1e-174; near the greatest one all others look equal."""
    human = list(range(1, 11))
    scores = [10.0 ** (15 * place - 160) for place in human]
    found = pairwise_accuracies(
        rated(scores, human, list(range(5)) * 2), directions={}, seed=1, replicates=50, groupings=["none"]
    )[0]
    assert (found.estimate, found.at_zero, found.epsilon) == pytest.approx((1, 1, 0))
    assert (found.interval.low, found.interval.high) == pytest.approx((1, 1))


def test_each_grouping_has_its_own_pairs_and_lower_metrics_are_turned():
    items = measured(5, groups=6, systems=4, missing=0.1)
    assert allowed_groupings(items) == ["group", "none", "system"]
    found = pairwise_accuracies(items, directions={}, seed=1, replicates=0)
    turned = MeasuredItems(**{**vars_of(items), "scores": -items.scores})
    lower = pairwise_accuracies(
        turned, directions=dict.fromkeys(items.metrics, "lower"), seed=1, replicates=0
    )
    for one, other in zip(found, lower, strict=True):
        valid = np.isfinite(items.scores[:, items.metrics.index(one.metric)])
        valid &= np.isfinite(items.human[:, items.criteria.index(one.criterion)])
        codes = {"group": items.group, "none": np.zeros(24, int), "system": items.system}[one.grouping]
        block = np.asarray(codes)
        scores = items.scores[valid, items.metrics.index(one.metric)]
        human = items.human[valid, items.criteria.index(one.criterion)]
        exact = accuracy(list(scores), list(human), list(block[valid]), one.epsilon + 1e-9)
        assert one.estimate == pytest.approx(float(exact))
        assert (one.estimate, one.epsilon) == (other.estimate, other.epsilon)
    assert {one.n_pairs for one in pairwise_accuracies(ungrouped(items), directions={}, seed=1, replicates=0)}


def vars_of(items):
    return {name: getattr(items, name) for name in items.__dataclass_fields__}


def test_held_out_thresholds_are_not_fitted_on_the_pairs_they_judge():
    """With scores of noise, the fitted threshold looks better than chance, the held-out one does not."""
    fitted, held_out = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        human, scores = rng.integers(1, 4, 30), rng.normal(size=30)
        found = pairwise_accuracies(
            rated(scores, human, list(np.repeat(np.arange(10), 3))),
            directions={},
            seed=seed,
            replicates=0,
            groupings=["group"],
        )[0]
        fitted.append(found.estimate)
        held_out.append(found.held_out)
    # A third of pairs is tied, and half of the others has the order of the scores.
    assert np.mean(held_out) == pytest.approx(1 / 3, abs=0.06)
    assert np.mean(fitted) > np.mean(held_out) + 0.05


def test_intervals_draw_groups_and_no_item_pairs_with_itself():
    """At a fixed threshold each replicate is the accuracy of the drawn units, pair by pair."""
    items = measured(7, groups=6, systems=3, metrics=1, criteria=1)
    alone = ungrouped(items)
    cases: list[tuple[MeasuredItems, Grouping]] = [
        (items, "group"),
        (items, "none"),
        (items, "system"),
        (alone, "none"),
    ]
    for table, grouping in cases:
        found = pairwise_accuracies(table, directions={}, seed=4, replicates=60, groupings=[grouping])[0]
        weights = np.concatenate(list(draws_of(table, 4, 60)))
        block = {"group": table.group, "system": table.system}.get(grouping)
        block = np.zeros(len(table.items), int) if block is None else block
        shares = [drawn(table, block, found.epsilon, own, grouping) for own in weights]
        low, high = np.quantile(shares, [0.025, 0.975])
        assert found.interval.low == pytest.approx(low)
        assert found.interval.high == pytest.approx(high)
        assert found.interval.method.endswith(":at epsilon")


def draws_of(table, seed, replicates):
    return unit_draws(table.n_units, len(table.items), Resampling(replicates, seed))()


def drawn(table, block, epsilon, weights, grouping):
    totals: dict[int, tuple[float, float]] = {}
    times: dict[int, float] = {}
    unit, scores, human = table.unit_codes, table.scores[:, 0], table.human[:, 0]
    for one, other in combinations(range(len(unit)), 2):
        if block[one] == block[other]:
            difference, rating = scores[one] - scores[other], human[one] - human[other]
            right = rating == 0 if abs(difference) <= epsilon + 1e-9 else difference * rating > 0
            often = weights[unit[one]] * (weights[unit[other]] if unit[one] != unit[other] else 1)
            count, agreed = totals.get(block[one], (0, 0))
            totals[block[one]] = (count + often, agreed + often * right)
            times[block[one]] = weights[block[one]] if grouping == "group" else 1
    shares = [(times[code], agreed / count) for code, (count, agreed) in totals.items() if count]
    return sum(time * share for time, share in shares) / sum(time for time, _ in shares)


def test_what_cannot_be_computed_has_a_reason():
    items = ungrouped(measured(3, metrics=1, criteria=1))
    by_group = pairwise_accuracies(items, directions={}, seed=1, replicates=0, groupings=["group"])[0]
    pooled = pairwise_accuracies(items, directions={}, seed=1, replicates=0, groupings=["none"])[0]
    assert (by_group.reason, by_group.held_out_reason) == ("no_groups", "no_groups")
    assert pooled.reason == ""
    one_group = rated([1, 2, 3], [1, 2, 3], [0, 0, 0])
    found = pairwise_accuracies(one_group, directions={}, seed=1, replicates=20, groupings=["group"])[0]
    assert found.estimate == 1
    assert (found.held_out_reason, found.interval.reason) == ("nothing_held_out", "too_few_groups")
