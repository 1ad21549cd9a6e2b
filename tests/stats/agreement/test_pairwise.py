"""Agreement of every two raters, over the items both rated and no others."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from scoring.stats.agreement.gwet import Weights
from scoring.stats.agreement.pairwise import connected_raters, rater_pairs
from tests.stats.samples import long_form, ratings_of

designs = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0, np.nan]), min_size=4, max_size=4), min_size=3, max_size=15
).filter(lambda rows: np.isfinite(rows).any(axis=0).all())
STATSMODELS: dict[Weights, str | None] = {"identity": None, "linear": "linear", "quadratic": "quadratic"}


def same(found: float, expected: float) -> bool:
    return bool(np.isnan(found) and np.isnan(expected)) or found == pytest.approx(expected, abs=1e-9)


@given(designs)
def test_every_pair_is_what_scipy_and_statsmodels_say_of_their_shared_items(rows):
    values = np.array(rows)
    pairs = rater_pairs(ratings_of(long_form(rows), scale=(1, 4)))
    places = {(int(a), int(b)): n for n, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True))}
    for one, other in combinations(range(4), 2):
        both = np.isfinite(values[:, one]) & np.isfinite(values[:, other])
        x, y = values[both, one], values[both, other]
        if not both.any():
            assert (one, other) not in places
            continue
        place = places[one, other]
        assert pairs.shared[place] == both.sum()
        assert pairs.exact[place] == pytest.approx(np.mean(x == y))
        assert pairs.within_one[place] == pytest.approx(np.mean(np.abs(x - y) <= 1))
        assert pairs.difference[place] == pytest.approx(np.mean(x - y))
        table = np.histogram2d(x, y, bins=[np.arange(0.5, 5)] * 2)[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert same(pairs.pearson[place], stats.pearsonr(x, y)[0] if len(x) > 1 else np.nan)
            assert same(pairs.spearman[place], stats.spearmanr(x, y)[0] if len(x) > 1 else np.nan)
            for weighting, name in STATSMODELS.items():
                expected = cohens_kappa(table, wt=name, return_results=False) if len(x) > 1 else np.nan
                assert same(pairs.kappa[weighting][place], expected)


def test_a_connected_design_is_one_component():
    rows = [[1, 2, np.nan], [np.nan, 2, 3]]
    assert connected_raters(ratings_of(long_form(rows))).tolist() == [0, 0, 0]


def test_raters_without_shared_items_are_in_different_components():
    rows = [[1, 2, np.nan, np.nan], [np.nan, np.nan, 2, 3]]
    assert connected_raters(ratings_of(long_form(rows))).tolist() == [0, 0, 1, 1]


def test_anonymous_slots_have_no_pairs():
    with pytest.raises(ValueError, match="identified"):
        rater_pairs(ratings_of(long_form([[1, 2], [2, 2]]), identified=False))
