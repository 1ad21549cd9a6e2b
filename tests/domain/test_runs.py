"""The probability of a long run is that of counting all sequences."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.runs import expected_run, longest_run, rare_run, run_probability

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


@given(st.integers(1, 7), SHARES)
def test_the_expected_length_is_the_mean_over_all_sequences(n, shares):
    mean = sum(length * share for length, share in counted(n, shares).items())
    assert expected_run(n, shares) == pytest.approx(mean, abs=1e-4)


@given(st.integers(1, 60), SHARES, st.sampled_from([0.001, 0.01, 0.2]))
def test_a_rare_length_is_the_first_that_is_rare(n, shares, rare):
    length = rare_run(n, shares, rare)
    assert run_probability(length, n, shares) <= rare
    assert length == 1 or run_probability(length - 1, n, shares) > rare


@pytest.mark.parametrize(("values", "longest"), [("", 0), ("a", 1), ("abba", 2), ("abbbaa", 3)])
def test_the_longest_run(values, longest):
    assert longest_run(values) == longest
