"""The probability of a long run is that of counting all sequences."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.quality.longest_run import (
    expected_run,
    longest_run,
    run_probability,
    shares_of,
    shares_without_long_run,
    shortest_rare_run,
)

SHARES = (
    st.lists(st.integers(0, 5), min_size=1, max_size=3)
    .filter(any)
    .map(lambda weights: [weight / sum(weights) for weight in weights])
)


def counted(n: int, shares: list[float]) -> dict[int, float]:
    """Probability of each length of the longest run, over all sequences of n answers."""
    lengths: dict[int, float] = dict.fromkeys(range(n + 1), 0.0)
    for sequence in itertools.product(range(len(shares)), repeat=n):
        lengths[longest_run(sequence)] += math.prod(shares[value] for value in sequence)
    return lengths


@given(st.integers(1, 7), SHARES, st.data())
def test_the_probability_is_that_of_all_sequences(n, shares, data):
    length = data.draw(st.integers(1, n + 1))
    every = counted(n, shares)
    assert run_probability(length, n, shares) == pytest.approx(
        sum(share for longest, share in every.items() if longest >= length), abs=1e-9
    )


def through_generating_function(length: int, n: int, shares: list[float]) -> float:
    """The same from the coefficients of 1 / (1 - Σ (x - x^length) / (1 - x^length)), x = share z."""
    terms = [0.0] * (n + 1)
    for power in range(1, n + 1):
        sign = {0: -1, 1: 1}.get(power % length, 0)
        terms[power] = sign * math.fsum(share**power for share in shares)
    short = [1.0]
    for answer in range(1, n + 1):
        short.append(math.fsum(terms[power] * short[answer - power] for power in range(1, answer + 1)))
    return 1 - short[n]


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(40, 250), SHARES)
def test_the_probability_among_many_answers_is_exact_too(length, n, shares):
    exact = through_generating_function(length, n, shares)
    assert run_probability(length, n, shares) == pytest.approx(exact, abs=1e-9)


@given(st.integers(1, 60), SHARES, st.floats(0, 10))
def test_an_expected_length_beyond_what_is_enough_need_not_be_known(n, shares, enough):
    whole, some = expected_run(n, shares), expected_run(n, shares, enough)
    assert some == whole or whole >= some >= enough


@given(st.integers(1, 7), SHARES)
def test_the_expected_length_is_the_mean_over_all_sequences(n, shares):
    mean = sum(length * share for length, share in counted(n, shares).items())
    assert expected_run(n, shares) == pytest.approx(mean, abs=1e-4)


@given(st.integers(1, 60), SHARES, st.sampled_from([0.001, 0.01, 0.2]))
def test_a_rare_length_is_the_first_that_is_rare(n, shares, rare):
    length = shortest_rare_run(n, shares, rare)
    assert run_probability(length, n, shares) <= rare
    assert length == 1 or run_probability(length - 1, n, shares) > rare


@pytest.mark.parametrize(("values", "longest"), [("", 0), ("a", 1), ("abba", 2), ("abbbaa", 3)])
def test_the_longest_run(values, longest):
    assert longest_run(values) == longest


VALUES = st.lists(st.integers(1, 5), min_size=1, max_size=40)


@given(VALUES)
def test_without_the_run_its_value_is_no_more_frequent(values):
    own, remaining = shares_of(values), shares_without_long_run(values)
    assert sum(own) == pytest.approx(1)
    assert sum(remaining) == pytest.approx(1)
    assert min(remaining[0], max(own)) == pytest.approx(remaining[0])
    assert longest_run(values) > 1 or sorted(remaining) == pytest.approx(sorted(own))


def flagged(values: list[int]) -> bool:
    return run_probability(longest_run(values), len(values), shares_without_long_run(values)) <= 0.001


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (1, 2, 4, 2, 1), (1, 2, 1), (1, 8, 1)])
def test_who_answers_each_item_on_its_own_is_rarely_flagged_and_who_gives_up_is(weights):
    rng = random.Random(8)
    points = range(1, len(weights) + 1)
    careful = [rng.choices(points, weights, k=40) for _ in range(150)]
    assert sum(map(flagged, careful)) <= 2
    if max(weights) <= sum(weights) / 2:
        given_up = [values[:20] + [3] * 20 for values in careful]
        assert sum(map(flagged, given_up)) > 0.5 * len(given_up)
