"""Error rates of statements about judges of choices and pairs: size of the test, coverage, false cautions.

`python -m benchmarks.judged_options [--studies N]` prints three tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, Resampling
from scoring.stats.data.table import Ratings
from scoring.stats.judges.alternative_annotator import FALSE_DISCOVERIES
from scoring.stats.judges.closeness import compare_with_raters
from scoring.stats.judges.label_agreement import Chance, agreement_of_judge
from scoring.stats.judges.margin import margin_test
from scoring.stats.judges.pair_bias import both_orders, paired_shares
from scoring.stats.judges.unit_sums import Units

SEED = 11
EPSILON = 0.1
TRUTH = 1_000_000
# Shares that two judges know; the judge at the margin is interpolated between them.
KNOWN = (0.25, 0.75)
REPLICATES = 1000
COVERAGE_STUDIES = 2


@dataclass(frozen=True)
class Answering:
    """How raters answer: with the right option of the item, or at random; a share of them at each item."""

    name: str
    options: int
    raters: int
    share: float  # Probability that a rater answers an item
    right: float  # Probability of the right option, beyond chance

    def options_of(self, draw: np.random.Generator, truth: IntArray, right: float | FloatArray) -> IntArray:
        """An answer to each item; `right` of a judge, or of items."""
        knows = draw.random(len(truth)) < right
        return np.where(knows, truth, draw.integers(0, self.options, len(truth)))

    def study(
        self, draw: np.random.Generator, items: int, size: int, judge: float
    ) -> tuple[Ratings, FloatArray]:
        """Ratings, and the answers of a judge who knows a share of the right options beyond chance.

        Items of a group are easy or difficult together, for raters and judge.
        """
        truth = draw.integers(0, self.options, items)
        ease = np.repeat(draw.uniform(-0.2, 0.2, items // size), size) if size > 1 else np.zeros(items)
        answers = [self.options_of(draw, truth, self.right + ease) for _ in range(self.raters)]
        given = draw.random((self.raters, items)) < self.share
        given[0] = True
        rater, item = np.nonzero(given)
        order = np.argsort(item, kind="stable")
        rater, item = rater[order], item[order]
        ratings = Ratings(
            criterion="kind",
            item=item,
            rater=rater,
            value=np.stack(answers)[rater, item].astype(np.float64),
            items=np.arange(items).astype(str),
            raters=tuple(f"r{place}" for place in range(self.raters)),
            group=np.repeat(np.arange(items // size), size) if size > 1 else None,
            categories=np.arange(self.options, dtype=np.float64),
            identified=True,
            cannot_rate=0,
            nominal=True,
        )
        return ratings, self.options_of(draw, truth, judge + ease).astype(np.float64)


DESIGNS = (
    Answering("one of three", 3, 4, 1.0, 0.6),
    Answering("one of three, half of the answers", 3, 6, 0.5, 0.6),
    Answering("pair", 2, 4, 1.0, 0.5),
    Answering("pair with ties", 3, 3, 1.0, 0.5),
    Answering("pair, half of the answers", 2, 6, 0.5, 0.5),
)
# Items, and items in each group; 1 where items are independent.
SIZES = ((30, 1), (60, 1), (200, 1), (200, 5))


def ahead(
    design: Answering, draw: np.random.Generator, items: int, size: int, judge: float
) -> tuple[FloatArray, IntArray]:
    """Rater closer minus judge closer for the first rater, and the item of each comparison."""
    ratings, answers = design.study(draw, items, size, judge)
    found = compare_with_raters(ratings, answers)
    own = found.rater == 0
    return found.difference[own], found.item[own]


def at_margin(design: Answering, size: int) -> float:
    """What the judge knows when the rater is ahead by epsilon: how far ahead is linear in that."""
    low, high = KNOWN
    behind = [
        ahead(design, np.random.default_rng(SEED), TRUTH // size * size, size, known)[0].mean()
        for known in KNOWN
    ]
    return low + (high - low) * float((behind[0] - EPSILON) / (behind[0] - behind[1]))


def sizes(studies: int) -> Iterator[tuple[str, int, int, float]]:
    """Items are independent but for their groups, so all studies of a design are drawn as one and cut."""
    for place, design in enumerate(DESIGNS):
        known = {size: at_margin(design, size) for size in {size for _, size in SIZES}}
        for items, size in SIZES:
            draw = np.random.default_rng([SEED, place, items, size])
            difference, item = ahead(design, draw, items * studies, size, known[size])
            cuts = np.searchsorted(item, items * np.arange(1, studies))
            pieces = zip(np.split(difference, cuts), np.split(item, cuts), strict=True)
            rejected = sum(
                margin_test(own, EPSILON, None if size == 1 else which // size).p < FALSE_DISCOVERIES
                for own, which in pieces
            )
            yield design.name, items, size, rejected / studies


def coverages(studies: int) -> Iterator[tuple[str, int, int, float, float]]:
    """Coverage of the intervals of exact agreement and of the coefficient corrected for chance."""
    for place, design in enumerate((DESIGNS[0], DESIGNS[2])):
        for items, size in SIZES:
            chance: Chance = "uniform" if place else "shares"
            truth = agreement_of_judge(
                *design.study(np.random.default_rng(SEED), TRUTH // size * size, size, 0.4),
                "J",
                chance,
                Resampling(1),
            )
            draw = np.random.default_rng([SEED, place, items, size])
            held = np.zeros(2)
            for number in range(studies):
                drawn = design.study(draw, items, size, 0.4)
                found = agreement_of_judge(*drawn, "J", chance, Resampling(REPLICATES, number))
                held += [
                    one.interval.low <= whole.estimate <= one.interval.high
                    for one, whole in zip(found, truth, strict=True)
                ]
            yield design.name, items, size, *(held / studies)


def false_cautions(studies: int) -> Iterator[tuple[int, float, float]]:
    """How often a judge of pairs without a bias gets a caution, texts being on sides at random."""
    for items in (20, 60, 300):
        draw = np.random.default_rng([SEED, items])
        found = np.zeros(2)
        for _ in range(studies):
            better = draw.beta(1, 1, items)
            people = draw.binomial(4, better) / 4
            judge = (draw.random(items) < 1 / (1 + np.exp(-6 * (better - 0.5)))).astype(np.float64)
            units = Units.of(None, items)
            again = (draw.random(items) < 1 / (1 + np.exp(-6 * (better - 0.5)))).astype(np.float64)
            found += [
                paired_shares(judge, people, units).differs,
                both_orders(judge, 1 - again, units).differs,
            ]
        yield items, *(found / studies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=4000)
    studies = parser.parse_args().studies
    print(f"Size of the test at epsilon = {EPSILON:g}, nominal 5%; {studies:,} studies each")
    print("| answers | items | items in a group | rejected |\n|---|---:|---:|---:|", flush=True)
    for name, items, size, share in sizes(studies):
        print(f"| {name} | {items} | {size} | {100 * share:.1f}% |", flush=True)
    few = studies // COVERAGE_STUDIES
    print(f"\nCoverage of 95% intervals of agreement; {few:,} studies each")
    print("| answers | items | items in a group | exact | corrected |\n|---|---:|---:|---:|---:|", flush=True)
    for name, items, size, exact, corrected in coverages(few):
        print(f"| {name} | {items} | {size} | {100 * exact:.1f}% | {100 * corrected:.1f}% |", flush=True)
    print(f"\nCautions for a judge of pairs without a bias, nominal 5%; {studies:,} studies each")
    print("| items | difference from raters | both orders |\n|---:|---:|---:|", flush=True)
    for items, paired, orders in false_cautions(studies):
        print(f"| {items} | {100 * paired:.1f}% | {100 * orders:.1f}% |", flush=True)


if __name__ == "__main__":
    main()
