"""Coefficients under multiplicities of items and raters: pair by pair, and the ratings as they are."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.brennan_prediger import kappa_n
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet, raw_agreement
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.agreement.new_raters.cells import Cells, ItemPairs
from scoring.stats.agreement.new_raters.held_out import HeldOut
from scoring.stats.agreement.new_raters.pairs import COEFFICIENTS, WeightedPairs
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings
from tests.stats.samples import likert, long_form, ratings_of

ONCE = Resampling(replicates=1)
POINTS = np.arange(1.0, 6.0)
AS_THEY_ARE = {
    ("alpha", "ordinal"): lambda ratings: alpha(ratings, "ordinal", ONCE),
    ("alpha", "interval"): lambda ratings: alpha(ratings, "interval", ONCE),
    ("fleiss", ""): lambda ratings: fleiss(ratings, ONCE),
    ("ac1", ""): lambda ratings: gwet(ratings, "identity", ONCE),
    ("ac2", ""): lambda ratings: gwet(ratings, "quadratic", ONCE),
    ("kappa_n", ""): lambda ratings: kappa_n(ratings, ONCE),
    ("exact", ""): lambda ratings: raw_agreement(ratings, 0, ONCE),
    ("within_one", ""): lambda ratings: raw_agreement(ratings, 1, ONCE),
}
OF_ALL_ITEMS = ("ac1", "ac2", "exact", "within_one")
designs = st.lists(
    st.lists(st.sampled_from([*POINTS, np.nan]), min_size=4, max_size=4), min_size=3, max_size=8
).filter(lambda rows: sum(np.isfinite(row).sum() >= 2 for row in rows) >= 2)
multiplicities = st.lists(st.integers(0, 3), min_size=12, max_size=12)


def weighted(ratings: Ratings, items=None, raters=None) -> WeightedPairs:
    """The ratings under multiplicities, each one value an item or rater; once without."""
    items, raters = (
        np.ones((number, 1)) if given is None else np.array([given], float).T
        for number, given in ((ratings.n_items, items), (len(ratings.raters), raters))
    )
    return WeightedPairs(ItemPairs.of(Cells.of(ratings), raters), items)


def held_out_means(ratings: Ratings, minimum_shared: int, items=None, raters=None):
    items, raters = (
        np.ones((number, 1)) if given is None else np.array([given], float).T
        for number, given in ((ratings.n_items, items), (len(ratings.raters), raters))
    )
    return HeldOut.of(ratings, minimum_shared).under(raters).means(items)


@given(designs)
def test_with_everything_once_every_coefficient_is_what_it_is_of_the_ratings(rows):
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    for key, compute in COEFFICIENTS.items():
        of = ratings if key[0] in OF_ALL_ITEMS else ratings.pairable()
        found = compute(weighted(of))
        expected = AS_THEY_ARE[key](ratings).estimate
        assert found.shape == (1,)
        assert found[0] == pytest.approx(expected, abs=1e-12, nan_ok=True), key


@settings(max_examples=60)
@given(designs, multiplicities, multiplicities)
def test_every_coefficient_is_its_sum_over_pairs_of_copies_of_different_raters(rows, of_items, of_raters):
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    items, raters = of_items[: ratings.n_items], of_raters[: len(ratings.raters)]
    pairs = weighted(ratings, items, raters)
    expected = by_enumeration(ratings, items, raters)
    for key, compute in COEFFICIENTS.items():
        assert compute(pairs)[0] == pytest.approx(expected[key], abs=1e-9, nan_ok=True), key


def test_a_rater_drawn_twice_does_not_agree_with_the_own_copy():
    ratings = ratings_of(long_form([[1.0, 2.0, 5.0]] * 4), scale=(1, 5))
    exact = COEFFICIENTS["exact", ""]
    assert exact(weighted(ratings, raters=[2, 1, 0]))[0] == 0
    assert math.isnan(exact(weighted(ratings, raters=[3, 0, 0]))[0])


@pytest.mark.parametrize("seed", range(3))
def test_replicates_computed_together_are_those_computed_one_by_one(seed):
    """Of items alone the raters are the same in all replicates, and of raters alone the items."""
    rng = np.random.default_rng(seed)
    values = rng.choice([1, 1.5, 2, 3, 4.5, 5], (20, 7))
    values[rng.random(values.shape) < 0.3] = np.nan
    ratings = ratings_of(long_form(values)).pairable()
    items = rng.integers(0, 3, (ratings.n_items, 6)).astype(float)
    raters = rng.integers(0, 3, (7, 6)).astype(float)
    cells, held_out = Cells.of(ratings), HeldOut.of(ratings, 3)
    for of_items, of_raters in (
        (items, raters),
        (items, np.ones((7, 1))),
        (np.ones((len(items), 1)), raters),
    ):
        pairs, others = WeightedPairs(ItemPairs.of(cells, of_raters), of_items), held_out.under(of_raters)
        together = {key: compute(pairs) for key, compute in COEFFICIENTS.items()} | others.means(of_items)
        for place in range(6):
            item, rater = (of[:, min(place, of.shape[1] - 1)] for of in (of_items, of_raters))
            alone = weighted(ratings, item, rater)
            by_itself = {key: compute(alone) for key, compute in COEFFICIENTS.items()}
            for key, value in (by_itself | held_out_means(ratings, 3, item, rater)).items():
                assert together[key][place] == pytest.approx(value[0], abs=1e-12, nan_ok=True), key


def by_enumeration(ratings: Ratings, items: list[int], raters: list[int]) -> dict[tuple[str, str], float]:
    """Every copy of every rating written out; pairs within a copy of an item, of different raters only."""
    copies = [
        (int(item), item_copy, int(rater), value)
        for item, rater, value in zip(ratings.item, ratings.rater, ratings.value, strict=True)
        for item_copy, _ in product(range(items[item]), range(raters[rater]))
    ]
    of_item: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for item, item_copy, rater, value in copies:
        of_item.setdefault((item, item_copy), []).append((rater, value))
    within = {key: [(x, y) for j, x in rated for k, y in rated if j != k] for key, rated in of_item.items()}
    paired = {key: found for key, found in within.items() if found}
    pooled = [value for key in paired for _, value in of_item[key]]
    chance = [
        (x, y)
        for item, one, j, x in copies
        for other_item, other, k, y in copies
        if (item, one) in paired and (other_item, other) in paired and (item, j) != (other_item, k)
    ]
    quadratic = {(x, y): 1 - ((x - y) / 4) ** 2 for x, y in product(POINTS, POINTS)}
    exact = {(x, y): float(x == y) for x, y in product(POINTS, POINTS)}
    shares_of = [
        [float(np.mean([value == point for _, value in rated])) for point in POINTS]
        for rated in of_item.values()
    ]
    mean_shares = np.mean(shares_of or [[math.nan] * 5], axis=0)
    marginals = np.array([pooled.count(point) for point in POINTS])
    place = dict(zip(POINTS, np.cumsum(marginals) - marginals / 2, strict=True))

    def agreement(weights):
        return np.mean([np.mean([weights[pair] for pair in found]) for found in paired.values()] or [np.nan])

    def of_alpha(position):
        if len(set(pooled)) < 2:
            return math.nan
        observed = [
            len(of_item[key]) * np.mean([(position[x] - position[y]) ** 2 for x, y in found])
            for key, found in paired.items()
        ]
        return 1 - sum(observed) / len(pooled) / np.mean(
            [(position[x] - position[y]) ** 2 for x, y in chance]
        )

    def of_gwet(weights):
        by_chance = sum(weights.values()) / 20 * float(mean_shares @ (1 - mean_shares))
        return (agreement(weights) - by_chance) / (1 - by_chance)

    shares = marginals / max(len(pooled), 1)
    same = float(shares @ shares)
    uniform = float(np.mean(list(quadratic.values())))
    return {
        ("alpha", "ordinal"): of_alpha(place),
        ("alpha", "interval"): of_alpha({point: point for point in POINTS}),
        ("fleiss", ""): (agreement(exact) - same) / (1 - same) if len(set(pooled)) > 1 else math.nan,
        ("ac1", ""): of_gwet(exact),
        ("ac2", ""): of_gwet(quadratic),
        ("kappa_n", ""): (agreement(quadratic) - uniform) / (1 - uniform),
        ("exact", ""): agreement(exact),
        ("within_one", ""): agreement({pair: float(abs(pair[0] - pair[1]) <= 1) for pair in exact}),
    }


@pytest.mark.parametrize("seed", range(3))
def test_held_out_correlations_are_those_of_the_ratings_written_out(seed):
    values = likert(seed, 14, 5)
    values[np.random.default_rng(seed).random(values.shape) < 0.2] = np.nan
    ratings = ratings_of(long_form(values), scale=(1, 5)).pairable()
    rng = np.random.default_rng(seed)
    items, raters = rng.integers(0, 3, ratings.n_items), np.array([2, 1, 0, 1, 3])
    found = held_out_means(ratings, 3, items, raters)
    for key, correlate in (("held_out_pearson", "pearsonr"), ("held_out_spearman", "spearmanr")):
        by_rater = []
        for rater in np.flatnonzero(raters):
            pairs = []
            own = ratings.rater == rater
            for item, value in zip(ratings.item[own], ratings.value[own], strict=True):
                others = np.flatnonzero((ratings.item == item) & (ratings.rater != rater))
                weights = raters[ratings.rater[others]]
                if weights.sum():
                    pairs += [(value, np.average(ratings.value[others], weights=weights))] * items[item]
            r = getattr(scipy.stats, correlate)(*np.array(pairs).T)[0]
            by_rater += [r] * raters[rater]
        assert found[key][0] == pytest.approx(np.mean(by_rater), abs=1e-9)


def test_with_everything_once_held_out_correlations_are_those_of_the_ratings():
    values = likert(4, 30, 6)
    values[::3, 2:4] = np.nan
    ratings = ratings_of(long_form(values), scale=(1, 5))
    found = held_out_means(ratings, 10)
    for figure in held_out_figures(ratings, ONCE, each_rater=False):
        if figure.variant == "mean":
            assert found[figure.coefficient][0] == pytest.approx(figure.estimate, abs=1e-9)
