"""Differences of two reliabilities: replicates are those of the drawn tables, and tests hold their level."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scoring.stats.agreement.alpha import LEVELS
from scoring.stats.agreement.comparing.differences import compare_reliability, equivalence
from scoring.stats.agreement.comparing.feldt import feldt_independent
from scoring.stats.agreement.comparing.weighted import COMPARED
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.resampling import Resampling, draw_units
from scoring.stats.data.table import Ratings, RatingsTable
from tests.stats.samples import likert, long_form

RESAMPLING = Resampling(replicates=40, seed=5)
SCALE = {"quality": (1, 5), "other": (1, 5)}


def table_of(values, criterion="quality", groups=None):
    frame = long_form(values)
    frame = frame.assign(criterion=criterion, item=[f"item {one}" for one in frame["item"]])
    if groups is not None:
        codes = dict(zip(dict.fromkeys(frame["item"]), groups, strict=True))
        frame["group"] = [f"g{codes[item]}" for item in frame["item"]]
    return RatingsTable.from_frame(frame, scales={criterion: SCALE[criterion]}).criteria[criterion]


def repeated(ratings: Ratings, weights) -> pd.DataFrame:
    """The table in which each item occurs as often as its weight says, each time as an item of its own."""
    rows = []
    for code, often in enumerate(weights):
        inside = ratings.item == code
        rows += [
            {"item": f"{code} {copy}", "rater": ratings.raters[rater], "criterion": "quality", "value": value}
            for copy in range(int(often))
            for rater, value in zip(ratings.rater[inside], ratings.value[inside], strict=True)
        ]
    return pd.DataFrame(rows)


def by_the_report(ratings: Ratings, weights, name: str) -> float:
    """The coefficient of a drawn table as every report computes it, from its ratings."""
    compared = COMPARED[name]
    table = RatingsTable.from_frame(repeated(ratings, weights), scales={"quality": (1, 5)})
    for figure in reliability(table, seed=1, replicates=1, levels=LEVELS).figures:
        same_level = compared.key != "alpha" or figure.variant == compared.variant
        if figure.coefficient == compared.key and same_level:
            return figure.estimate
    raise AssertionError(name)


@pytest.mark.parametrize("name", sorted(COMPARED))
def test_weighted_coefficients_are_those_of_the_table_with_repeated_items(name):
    values = likert(3, 12, 3)
    if not name.startswith(("icc2", "icc3")):
        values = values.astype(float)
        values[2, 1] = values[5, 0] = np.nan
    frame = long_form(values).dropna(subset=["value"]).assign(criterion="quality")
    ratings = RatingsTable.from_frame(frame, scales={"quality": (1, 5)}).criteria["quality"]
    weights = np.random.default_rng(8).multinomial(12, np.full(12, 1 / 12)).astype(float)
    used, statistic = COMPARED[name].prepare(ratings)
    found, together = statistic(np.stack([np.ones(used.n_items), weights]))
    # The mean of k ratings is for the k of the ratings, also where another mean number was drawn.
    if name != "icc1k":
        assert together == pytest.approx(by_the_report(ratings, weights, name), abs=1e-10)
    assert found == pytest.approx(by_the_report(ratings, np.ones(12), name), abs=1e-10)


@pytest.mark.parametrize("grouped", [False, True])
def test_paired_replicates_draw_an_item_equally_often_for_both(grouped):
    groups = np.arange(20) // 2 if grouped else None
    first, second = table_of(likert(1, 20, 3), groups=groups), table_of(likert(2, 20, 4), "other", groups)
    found = compare_reliability(first, second, "alpha-interval", design="paired", resampling=RESAMPLING)
    n_units = 10 if grouped else 20
    drawn = draw_units(RESAMPLING.generator("difference", "paired"), np.ones(n_units, dtype=np.int64), 40).T
    order = {item: place for place, item in enumerate(first.items)}
    differences = []
    for own in drawn:
        # Units have the order of the labels of their items.
        weights = own[first.group] if grouped else own
        sides = [weights[[order[item] for item in one.items]] for one in (first, second)]
        one, other = (
            by_the_report(r, w, "alpha-interval") for r, w in zip((first, second), sides, strict=True)
        )
        differences.append(one - other)
    low, high = np.quantile(differences, [0.025, 0.975])
    assert found.interval.low == pytest.approx(low)
    assert found.interval.high == pytest.approx(high)
    assert found.estimate == pytest.approx(found.first - found.second)
    assert (found.n_shared, found.interval.method.endswith("groups")) == (20, grouped)


def test_a_difference_on_the_same_items_is_surer_than_one_of_two_studies():
    rng = np.random.default_rng(4)
    values = likert(7, 120, 3)
    noisy = np.clip(values + rng.integers(0, 2, values.shape), 1, 5)
    first, second = table_of(values), table_of(noisy, "other")
    paired, independent = (
        compare_reliability(first, second, "icc3", design=design, resampling=Resampling(300, 2))
        for design in ("paired", "independent")
    )
    assert paired.estimate == independent.estimate
    width = [one.interval.high - one.interval.low for one in (paired, independent)]
    assert width[0] < 0.8 * width[1]
    assert paired.narrow.low > paired.interval.low


def test_equivalence_needs_the_whole_interval_within_the_margin():
    row = {"low_90": -0.04, "high_90": 0.06}
    assert equivalence(row, 0.1) == "equivalent"
    assert equivalence(row, 0.05) == "undecided"
    assert equivalence({"low_90": 0.12, "high_90": 0.2}, 0.1) == "beyond_margin"
    assert equivalence({"low_90": None, "high_90": None}, 0.1) is None


def test_what_cannot_be_compared_has_a_reason():
    first, second = table_of(likert(1, 20, 3)), table_of(likert(2, 20, 3), "other")
    incomplete = second.keep(np.arange(second.n_ratings) > 0)
    found = compare_reliability(first, incomplete, "icc2", design="paired", resampling=RESAMPLING)
    assert (found.reason, found.interval.reason) == ("incomplete_design", "incomplete_design")
    assert np.isnan(found.estimate)
    few, others = (one.keep(one.item < 4) for one in (first, second))
    found = compare_reliability(few, others, "icc2", design="independent", resampling=RESAMPLING)
    assert (found.reason, found.interval.reason) == ("", "too_few_items")


def normal(rng, n, k, reliability=0.7):
    """Ratings with the given ICC3k, with severities of the raters."""
    signal = np.sqrt(reliability / (1 - reliability) / k)
    return signal * rng.normal(size=(n, 1)) + rng.normal(size=(n, k)) + np.arange(k)


def ratings_of(values, criterion="quality"):
    return RatingsTable.from_frame(long_form(values).assign(criterion=criterion)).criteria[criterion]


def test_feldt_s_test_rejects_true_hypotheses_at_its_level():
    rng = np.random.default_rng(1)
    found = [
        feldt_independent(ratings_of(normal(rng, 15, 3)), ratings_of(normal(rng, 25, 4))).p
        for _ in range(300)
    ]
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_feldt_s_ratio_has_an_f_distribution_where_raters_are_many():
    rng = np.random.default_rng(2)
    first, second = ratings_of(normal(rng, 12, 400)), ratings_of(normal(rng, 18, 400, 0.9))
    found = feldt_independent(first, second)
    below = stats.f.cdf(found.statistic, 11, 17)
    assert found.p == pytest.approx(2 * min(below, 1 - below), rel=0.02)
    assert feldt_independent(second, first).p == pytest.approx(found.p, rel=1e-6)


def test_feldt_s_test_is_refused_where_its_assumptions_are_not_met():
    first, second = table_of(likert(1, 20, 3)), table_of(likert(2, 20, 3), "other")
    grouped = table_of(likert(1, 20, 3), groups=np.arange(20) // 2)
    assert feldt_independent(grouped, grouped).reason == "grouped_items"
    assert feldt_independent(first.keep(np.arange(60) > 0), second).reason == "incomplete_design"
    paired, independent = (
        compare_reliability(first, second, "icc3k", design=design, resampling=RESAMPLING).feldt
        for design in ("paired", "independent")
    )
    assert paired is None
    assert independent == feldt_independent(first, second)
