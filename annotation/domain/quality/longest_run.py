"""The longest run of one value, and its distribution when answers are independent."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

# The expected length is a sum over lengths of decreasing probability.
NEGLIGIBLE = 1e-6
# The expected length has converged when it changes by less than this.
SETTLED = 0.1
# Factors from answer to answer that differ by less count as equal.
STEADY = 1e-14


def longest_run(values: Iterable[Hashable]) -> int:
    """The greatest number of equal values in a row; 0 without values."""
    return max((sum(1 for _ in run) for _, run in itertools.groupby(values)), default=0)


def run_probability(length: int, n: int, shares: Sequence[float]) -> float:
    """The probability that some value comes at least `length` times in a row among n answers.

    Exact for answers drawn independently with the probabilities `shares`, which add up to 1: the
    probability that no run has become so long is carried from answer to answer, separately for each
    value that may come last. Soon it falls by the same factor with each answer; when it has for as many
    answers as the run has, the others are not carried one by one.
    """
    if length > n:
        return 0.0
    present = [(share, share ** (length - 1)) for share in shares if share > 0]
    begun: list[list[float]] = [[0.0] for _ in present]
    ending = [0.0] * len(present)
    short, factor, steady = 1.0, 0.0, 0
    for answer in range(1, n + 1):
        before, short = short, 0.0
        for value, (share, rest) in enumerate(present):
            begins = share * (before - ending[value])
            begun[value].append(begins)
            ends = share * ending[value] + begins
            if answer >= length:
                ends -= begun[value][answer - length + 1] * rest
            ending[value] = ends
            short += ends
        if answer > length and before > 0:
            steady = steady + 1 if abs(short / before - factor) < STEADY else 0
            factor = short / before
        if steady == length:
            short *= factor ** (n - answer)
            break
    return min(1.0, max(0.0, 1.0 - short))


def expected_run(n: int, shares: Sequence[float], enough: float = math.inf) -> float:
    """The mean length of the longest run among n independent answers with these shares of values.

    If it is at least `enough`, the result may be any number from `enough` on.
    """
    if max(shares, default=0.0) >= 1.0:
        return float(n)
    total = 0.0
    for length in range(1, n + 1):
        probability = run_probability(length, n, shares)
        total += probability
        if probability < NEGLIGIBLE or total >= enough:
            break
    return total


def shares_of(values: Sequence[Hashable]) -> list[float]:
    """The share of each value that occurs, most frequent first."""
    return [count / len(values) for _, count in Counter(values).most_common()]


def shares_without_long_run(values: Sequence[Hashable]) -> list[float]:
    """The shares of values where the longest run counts only as far as chance would make it.

    A rater who stops reading half way has given one value often because of the run that is judged.
    So the run is shortened to the length expected under the shares, these are computed again, and so
    on until nothing changes: the shares fall from step to step, so it ends.
    """
    value, longest = max(
        ((value, sum(1 for _ in run)) for value, run in itertools.groupby(values)), key=lambda run: run[1]
    )
    counts = Counter(values)
    others = counts[value] - longest
    length = float(longest)
    while True:
        weights = [others + length, *(count for other, count in counts.items() if other != value)]
        shares = [weight / sum(weights) for weight in weights]
        expected = min(length, expected_run(len(values), shares, enough=length))
        if length - expected < SETTLED:
            return shares
        length = expected


def shortest_rare_run(n: int, shares: Sequence[float], rare: float) -> int:
    """The shortest run whose probability is at most `rare`; n + 1 if there is none."""
    low, high = 1, n + 1
    while low < high:
        middle = (low + high) // 2
        if run_probability(middle, n, shares) <= rare:
            high = middle
        else:
            low = middle + 1
    return low
