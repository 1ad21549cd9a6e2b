"""Adaptive pairs and pairs in random turn, with known strengths: rank correlation, and intervals that hold.

`python -m benchmarks.adaptive_pairs [--studies 200]`

The last line is of two candidates that are almost equally strong, in rounds of one comparison: how often the
rounds end because the interval of the difference does not contain 0, and how often the order is then wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import kendalltau

from scoring.stats.choices.adaptive_pairs import (
    ORDER_KNOWN,
    Fit,
    PairCount,
    PairingLimits,
    first_round,
    fitted,
    next_round,
)

ALMOST_EQUAL, MOST_LOOKS = 0.001, 200
SETTINGS = ((10, 2.0, 150), (10, 2.0, 200), (15, 1.0, 300), (15, 2.5, 300))


@dataclass
class Simulated:
    """A study with true strengths; the candidates are their numbers."""

    truth: np.ndarray
    generator: np.random.Generator
    counts: dict[str, PairCount]

    def ask(self, items: Sequence[str]) -> None:
        """Answer each item once."""
        for item in items:
            one = self.counts[item]
            first, second = int(one.first), int(one.second)
            won = int(self.generator.random() < expit(self.truth[first] - self.truth[second]))
            self.counts[item] = replace(
                one, wins=one.wins + won, losses=one.losses + 1 - won, slots=one.slots + 1
            )

    def fit(self) -> Fit:
        return fitted(list(self.counts.values()))


def simulate(candidates: int, spread: float, comparisons: int, seed: int, *, adaptive: bool) -> Simulated:
    """A study that spends its comparisons on chosen pairs, or on all pairs in random turn."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, spread, candidates)
    pairs = combinations(range(candidates), 2)
    counts = {f"{a}-{b}": PairCount(f"{a}-{b}", f"{a:03d}", f"{b:03d}") for a, b in pairs}
    study = Simulated(truth, generator, counts)
    limits = PairingLimits(comparisons, candidates, comparisons, comparisons)
    if not adaptive:
        keys, turns = list(counts), comparisons // len(counts) + 1
        study.ask([key for _ in range(turns) for key in generator.permutation(keys)][:comparisons])
        return study
    items, number = first_round(list(counts.values()), limits, seed=seed).items, 1
    while items:
        study.ask(items)
        number += 1
        items = next_round(list(study.counts.values()), limits, seed=seed, number=number).items
    return study


def measure(study: Simulated) -> tuple[float, float]:
    """Kendall's tau of fitted and true strengths, and the share of plain 95% intervals that hold."""
    fit, own = study.fit(), np.diag(study.fit().covariance)
    one, other = np.triu_indices(len(own), 1)
    error = fit.strengths[one] - fit.strengths[other] - study.truth[one] + study.truth[other]
    spread = np.sqrt(own[one] + own[other] - 2 * fit.covariance[one, other])
    tau = float(kendalltau(fit.strengths, study.truth).statistic)
    return tau, float(np.mean(np.abs(error) <= ndtri(0.975) * spread))


def ends_by_chance(seed: int) -> tuple[bool, bool]:
    """Whether the rounds of two almost equal candidates end with an order, and whether it is a wrong one."""
    counts = {"0-1": PairCount("0-1", "0", "1")}
    study = Simulated(np.array([0.0, ALMOST_EQUAL]), np.random.default_rng(seed), counts)
    limits = PairingLimits(MOST_LOOKS, 1, MOST_LOOKS, MOST_LOOKS)
    study.ask(["0-1"])
    number, found = 2, next_round(list(counts.values()), limits, seed=seed, number=2)
    while found.items:
        study.ask(found.items)
        number += 1
        found = next_round(list(counts.values()), limits, seed=seed, number=number)
    first, second = study.fit().strengths
    ended = found.stopped == ORDER_KNOWN
    return ended, bool(ended and first > second)


def main() -> None:
    """Print a row of the table of the documentation for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200)
    studies = parser.parse_args().studies
    for candidates, spread, comparisons in SETTINGS:
        found = [
            np.mean(
                [
                    measure(simulate(candidates, spread, comparisons, seed, adaptive=adaptive))
                    for seed in range(studies)
                ],
                axis=0,
            )
            for adaptive in (True, False)
        ]
        (tau, holds), (tau_turn, holds_turn) = found
        print(
            f"| {candidates}, {spread} | {comparisons} | {tau:.3f} | {tau_turn:.3f} "
            f"| {holds:.1%} | {holds_turn:.1%} |"
        )
    ended, wrong = np.mean([ends_by_chance(seed) for seed in range(studies)], axis=0)
    print(f"almost equal candidates: {ended:.1%} end with an order, {wrong:.1%} with a wrong one")


if __name__ == "__main__":
    main()
