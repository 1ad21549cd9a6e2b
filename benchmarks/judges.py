"""Error rates of statements about automatic judges: size of the test, coverage of combined means.

`python -m benchmarks.judges [--studies N]` prints two tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.judges.alternative_annotator import FALSE_DISCOVERIES
from scoring.stats.judges.closeness import EQUAL
from scoring.stats.judges.margin import margin_test
from scoring.stats.judges.prediction_powered import combined_mean

SEED = 7
EPSILON = 0.1
RATERS = 4
TRUTH = 400_000
POINTS = (1, 5)
# Items, and items in each group; 1 where items are independent.
DESIGNS = ((30, 1), (60, 1), (200, 1), (100, 5), (200, 5), (400, 10))
# Items that are rated and scored, and items that are only scored.
SAMPLES = ((15, 60), (15, 1000), (20, 20), (20, 200), (30, 30), (30, 1000), (100, 400))
CORRELATIONS = (0.3, 0.7, 0.9)


def rounded(values: FloatArray) -> FloatArray:
    clipped: FloatArray = np.clip(np.round(values), *POINTS)
    return clipped


def differences(draw: np.random.Generator, items: int, size: int, noise: float) -> FloatArray:
    """Rater closer minus judge closer for the first of the raters; items of a group are alike for both."""
    groups = items // size
    truth = draw.normal(3, 0.8, items) + np.repeat(draw.normal(0, 0.6, groups), size)
    shared = np.repeat(draw.normal(0, 0.5, groups), size) * (size > 1)
    people = rounded(truth[:, None] + draw.normal(0, 0.8, (items, RATERS)))
    judge = rounded(truth + shared + draw.normal(0, noise, items))
    others = people[:, 1:].mean(axis=1)
    advantage = np.abs(people[:, 0] - others) - np.abs(judge - others)
    ahead: FloatArray = (advantage <= EQUAL).astype(np.float64) - (advantage >= -EQUAL).astype(np.float64)
    return ahead


def noise_at_margin(size: int) -> float:
    """The judge's noise at which the rater is ahead by epsilon."""
    low, high = 0.2, 4.0
    for _ in range(30):
        middle = (low + high) / 2
        draw = np.random.default_rng(SEED)
        ahead = differences(draw, TRUTH // size * size, size, middle).mean()
        low, high = (middle, high) if ahead < EPSILON else (low, middle)
    return (low + high) / 2


def sizes(studies: int) -> Iterator[tuple[int, int, float]]:
    for items, size in DESIGNS:
        noise = noise_at_margin(size)
        draw = np.random.default_rng([SEED, items, size])
        units = None if size == 1 else np.repeat(np.arange(items // size), size)
        rejected = sum(
            margin_test(differences(draw, items, size, noise), EPSILON, units).p < FALSE_DISCOVERIES
            for _ in range(studies)
        )
        yield items, size, rejected / studies


def coverages(studies: int) -> Iterator[tuple[int, int, float, float, float]]:
    for n, more in SAMPLES:
        for correlation in CORRELATIONS:
            draw = np.random.default_rng([SEED, n, more, int(10 * correlation)])
            truth = rated_and_scored(draw, TRUTH, correlation)[0].mean()
            held, worth = 0, []
            for _ in range(studies):
                rated, scored = rated_and_scored(draw, n + more, correlation)
                found = combined_mean(rated[:n], scored[:n], scored[n:])
                held += found.combined.low <= truth <= found.combined.high
                worth.append(found.worth / n)
            yield n, more, correlation, held / studies, float(np.median(worth))


def rated_and_scored(
    draw: np.random.Generator, items: int, correlation: float
) -> tuple[FloatArray, FloatArray]:
    """Means of three ratings, and a judge who is too kind and correlates with the truth."""
    truth = draw.normal(0, 1, items)
    rated = rounded(3 + truth[:, None] + draw.normal(0, 0.8, (items, 3))).mean(axis=1)
    own = np.sqrt(1 - correlation**2) * draw.normal(0, 1, items)
    return rated, rounded(3.6 + correlation * truth + own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=10_000)
    studies = parser.parse_args().studies
    print(f"Size of the test at epsilon = {EPSILON:g}, nominal 5%; {studies:,} studies each")
    print("| items | items in a group | rejected |\n|---:|---:|---:|")
    for items, size, share in sizes(studies):
        print(f"| {items} | {size} | {100 * share:.1f}% |")
    print(f"\nCoverage of 95% intervals of combined means; {studies:,} studies each")
    print("| rated | unrated | judge's correlation | coverage | worth |\n|---:|---:|---:|---:|---:|")
    for n, more, correlation, held, worth in coverages(studies):
        print(f"| {n} | {more} | {correlation:g} | {100 * held:.1f}% | {worth:.2f} |")


if __name__ == "__main__":
    main()
