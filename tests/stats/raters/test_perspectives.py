"""Groups of raters against a plain computation; what is too small is not shown; the test keeps its size."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.data.table import Ratings
from scoring.stats.raters.perspectives import compare_groups
from tests.stats.samples import likert, long_form, ratings_of

GROUPS = {f"R-{n:03d}": "one" if n <= 6 else "two" for n in range(1, 13)} | {"R-013": "few", "R-014": "few"}


def sample(seed: int, shift: float = 0.0) -> Ratings:
    values = likert(seed, 30, 15, missing=0.3)
    values[:, 6:12] += shift
    return ratings_of(long_form(values))


def pairs_of(ratings: Ratings) -> dict[bool, list[tuple[float, float]]]:
    """(squared difference, weight) of pairs of ratings of one item, by whether both are of one group."""
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for item in range(ratings.n_items):
        rows = np.flatnonzero(ratings.item == item)
        own = [
            (GROUPS[label], ratings.value[row])
            for row in rows
            if GROUPS.get(label := ratings.raters[ratings.rater[row]]) in {"one", "two"}
        ]
        for (first, x), (second, y) in combinations(own, 2):
            found[first == second].append(((x - y) ** 2, 1 / (len(own) - 1)))
    return found


def test_disagreement_within_and_between_groups_is_that_of_all_pairs():
    ratings = sample(1, shift=0.7)
    found = compare_groups(ratings, GROUPS, level="interval", seed=1).disagreement
    expected = {
        same: sum(d * w for d, w in pairs) / sum(w for _, w in pairs)
        for same, pairs in pairs_of(ratings).items()
    }
    assert (found.within, found.between) == pytest.approx((expected[True], expected[False]), abs=1e-9)
    assert found.share == pytest.approx(1 - expected[True] / expected[False], abs=1e-9)
    assert found.n_raters == 12


def test_a_group_has_its_own_mean_and_its_difference_from_the_others_on_the_same_items():
    ratings = sample(2, shift=0.7)
    first = compare_groups(ratings, GROUPS, level="interval", seed=1).groups[0]
    own, differences = [], []
    for item in range(ratings.n_items):
        of: dict[str, list[float]] = {"one": [], "two": [], "few": [], "": []}
        for row in np.flatnonzero(ratings.item == item):
            of[GROUPS.get(ratings.raters[ratings.rater[row]], "")].append(ratings.value[row])
        own += [fmean(of["one"])] if of["one"] else []
        differences += [fmean(of["one"]) - fmean(of["two"])] if of["one"] and of["two"] else []
    assert first.name == "one"
    assert (first.mean, first.difference) == pytest.approx((fmean(own), fmean(differences)))
    assert (first.n_items, first.n_shared, first.n_raters) == (len(own), len(differences), 6)


@given(
    st.integers(0, 50),
    st.lists(st.integers(1, 5), min_size=90, max_size=90),
    st.lists(st.booleans(), min_size=90, max_size=90),
)
@settings(max_examples=25)
def test_no_figure_depends_on_the_raters_who_are_not_shown(
    seed: int, answers: list[int], given_by_hidden: list[bool]
) -> None:
    """Otherwise their answers could be computed from figures that are shown."""
    values = likert(seed, 30, 15, missing=0.3)
    changed = values.copy()
    changed[:, 12:] = np.where(given_by_hidden, answers, np.nan).reshape(30, 3)
    found = [
        compare_groups(ratings_of(long_form(one)), GROUPS, level="ordinal", seed=1, permutations=19)
        for one in (values, changed)
    ]
    assert repr(found[0].groups) == repr(found[1].groups)
    assert repr(found[0].disagreement) == repr(found[1].disagreement)


@pytest.mark.parametrize(
    ("others", "items", "reason"), [(5, 20, ""), (5, 4, "too_few_items"), (4, 20, "too_few_raters")]
)
def test_a_difference_that_would_describe_few_raters_or_items_is_refused(
    others: int, items: int, reason: str
) -> None:
    """Five are in the second group; `others` of them rate what the first group rates, and so many items."""
    values = np.array(likert(5, 40, 10))
    values[items:, :5] = np.nan
    values[:items, 5 + others :] = np.nan
    groups = {f"R-{n:03d}": "one" if n <= 5 else "two" for n in range(1, 11)}
    one, two = compare_groups(ratings_of(long_form(values)), groups, level="ordinal", seed=1).groups
    for group in (one, two):
        assert (group.difference_reason, math.isnan(group.difference)) == (reason, bool(reason))
        assert group.n_shared == (0 if reason else items)


def test_a_group_that_is_not_shown_is_mentioned_without_its_size():
    found = compare_groups(sample(3), GROUPS, level="ordinal", seed=1)
    assert [one.name for one in found.groups] == ["one", "two"]
    assert found.suppressed


@pytest.mark.parametrize(
    ("groups", "identified", "reason"),
    [({}, True, "too_few_groups"), (GROUPS, False, "anonymous_raters")],
)
def test_what_cannot_be_computed_has_a_reason(groups: dict[str, str], identified: bool, reason: str):
    ratings = ratings_of(long_form(likert(4, 10, 14)), identified=identified)
    found = compare_groups(ratings, groups, level="ordinal", seed=1).disagreement
    assert (found.reason, math.isnan(found.share), math.isnan(found.p)) == (reason, True, True)


def test_groups_that_differ_are_found_and_random_groups_as_often_as_the_test_says():
    def p(seed: int, shift: float = 0.0) -> float:
        ratings = sample(seed, shift)
        return compare_groups(ratings, GROUPS, level="ordinal", seed=seed, permutations=199).disagreement.p

    assert max(p(seed, shift=1.5) for seed in range(5)) <= 0.05
    alike = [p(seed) for seed in range(80)]
    # Of 80 tests at .05, 4 are expected; 10 or more come once in two hundred.
    assert sum(one <= 0.05 for one in alike) < 10
    assert 0.35 < fmean(alike) < 0.65
