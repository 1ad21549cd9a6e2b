"""Error rates of the test of replacement where judge and rater seldom differ, and of intervals of probabilities.

`python -m benchmarks.few_differences [--studies N]` prints five tables. The first is counted over all outcomes, the
others are simulated; in all of them the rater is ahead of the judge by exactly epsilon.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray, Resampling
from scoring.stats.data.table import Ratings
from scoring.stats.judges.alternative_annotator import FALSE_DISCOVERIES, FEWEST_ITEMS, alternative_annotator_test
from scoring.stats.judges.calibration import calibration
from scoring.stats.judges.closeness import compare_with_raters
from scoring.stats.judges.margin import margin_test
from scoring.stats.judges.soft_labels import soft_label_scores
from scoring.stats.judges.unit_sums import Units

SEED = 23
TRUTH = 400_000
EPSILONS = (0.0, 0.1, 0.2)
ITEMS = (10, 20, 30, 50, 100, 300)
# Share of items on which rater or judge is ahead.
DIFFERING = (0.02, 0.05, 0.1, 0.12, 0.2, 0.3, 0.5, 1.0)
# Groups, items in each, and how alike the items of a group are.
GROUPS = ((20, 5, 0.3), (20, 5, 1.0), (30, 5, 0.3), (30, 5, 1.0), (60, 5, 0.3), (60, 5, 1.0))
REPLICATES = 1000
# Intervals are drawn again for each study: fewer studies.
INTERVAL_STUDIES = 4
Row = tuple[object, ...]


def p_of_the_paper(difference: FloatArray, margin: float) -> float:
    """The paired t test for independent items, as published; 0 or 1 where all differences are equal."""
    error = float(difference.std(ddof=1)) / np.sqrt(len(difference))
    if error == 0:
        return float(difference.mean() >= margin)
    return float(scipy.stats.t.cdf((difference.mean() - margin) / error, len(difference) - 1))


def outcomes(n: int) -> IntArray:
    """All numbers of items with the rater, the judge and neither ahead, a row each."""
    rater, judge = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    both = np.stack([rater, judge, n - rater - judge], axis=-1).reshape(-1, 3)
    return both[both[:, 2] >= 0]


def rejections(cells: IntArray, margin: float) -> tuple[BoolArray, BoolArray]:
    """Whether the paper's test, and the one in use, reject each outcome; neither does at or above the margin."""
    found = np.zeros((2, len(cells)), dtype=np.bool_)
    n = int(cells[0].sum())
    for place in np.flatnonzero(cells[:, 0] - cells[:, 1] < margin * n):
        difference = np.repeat([1.0, -1.0, 0.0], cells[place])
        p = p_of_the_paper(difference, margin), margin_test(difference, margin, None).p
        found[:, place] = np.array(p) < FALSE_DISCOVERIES
    return found[0], found[1]


def counted_sizes() -> Iterator[Row]:
    """Exact sizes by number of items and share of items that differ."""
    for margin in EPSILONS:
        for n in ITEMS:
            if n < FEWEST_ITEMS:
                yield margin, n, *["refused"] * len(DIFFERING)
                continue
            cells = outcomes(n)
            rejects = rejections(cells, margin)
            yield margin, n, *(_sizes(cells, rejects, share, margin) for share in DIFFERING)


def _sizes(cells: IntArray, rejects: tuple[BoolArray, BoolArray], share: float, margin: float) -> str:
    if share < margin:
        return ""
    behind = (share - margin) / 2
    chances = [behind + margin, behind, 1 - share]
    chance = scipy.stats.multinomial.pmf(cells, int(cells[0].sum()), chances)
    return " / ".join(f"{100 * chance[one].sum():.1f}" for one in rejects)


@dataclass(frozen=True)
class Answers:
    """Raters and a judge who nearly always give the right answer to an item."""

    name: str
    options: int
    raters: int
    share: float  # Probability that a rater answers an item
    nominal: bool

    def drawn(self, draw: np.random.Generator, truth: IntArray, error: float) -> IntArray:
        """The right answer, or another: of a scale a neighbouring point, of options any."""
        wrong = draw.random(len(truth)) < error
        if self.nominal:
            other = (truth + draw.integers(1, self.options, len(truth))) % self.options
        else:
            step = np.where(draw.random(len(truth)) < 0.5, 1, -1)
            other = np.where((truth + step < 0) | (truth + step >= self.options), truth - step, truth + step)
        return np.where(wrong, other, truth)

    def study(
        self, draw: np.random.Generator, items: int, person: float, judge: float
    ) -> tuple[Ratings, FloatArray]:
        """Ratings by people and answers of a judge, who err with these probabilities."""
        truth = draw.integers(0, self.options, items)
        answers = np.stack([self.drawn(draw, truth, person) for _ in range(self.raters)])
        given = draw.random(answers.shape) < self.share
        given[0] = True
        item, rater = np.nonzero(given.T)
        ratings = Ratings(
            criterion="kind",
            item=item,
            rater=rater,
            value=answers[rater, item].astype(np.float64),
            items=np.arange(items).astype(str),
            raters=tuple(f"r{place}" for place in range(self.raters)),
            group=None,
            categories=np.arange(self.options, dtype=np.float64),
            identified=True,
            cannot_rate=0,
            nominal=self.nominal,
        )
        return ratings, self.drawn(draw, truth, judge).astype(np.float64)

    def at_margin(self, person: float, margin: float) -> float:
        """How often the judge errs if the first rater is ahead by the margin: that is linear in it."""
        ahead = []
        for judge in (0.0, 1.0):
            found = compare_with_raters(*self.study(np.random.default_rng(SEED), TRUTH, person, judge))
            ahead.append(float(found.difference[found.rater == 0].mean()))
        return (margin - ahead[0]) / (ahead[1] - ahead[0])


DESIGNS = (
    Answers("five points", 5, 4, 1.0, nominal=False),
    Answers("five points, half of the answers", 5, 6, 0.5, nominal=False),
    Answers("one of three", 3, 4, 1.0, nominal=True),
    Answers("one of three, half of the answers", 3, 6, 0.5, nominal=True),
    Answers("pair", 2, 4, 1.0, nominal=True),
)
# How often people err.
ERRORS = (0.01, 0.03, 0.1)


def simulated_sizes(studies: int) -> Iterator[Row]:
    """Sizes of the test of the first rater and of all ratings, and how often a judge passes the whole test."""
    for design in DESIGNS:
        for person in ERRORS:
            for margin in EPSILONS:
                judge = design.at_margin(person, margin)
                cells = [_simulated(design, n, studies, person, judge, margin) for n in (30, 50, 100, 300)]
                yield design.name, person, margin, *cells


def _simulated(
    design: Answers, n: int, studies: int, person: float, judge: float, margin: float
) -> str:
    draw = np.random.default_rng([SEED, n, int(1000 * person), int(100 * margin)])
    found = np.zeros(3)
    for _ in range(studies):
        test = alternative_annotator_test(
            *design.study(draw, n, person, judge), "J", epsilon=margin, resampling=Resampling(1)
        )
        first = test.raters[0]
        found += [first.p < FALSE_DISCOVERIES, test.all_raters.p < FALSE_DISCOVERIES, bool(test.passes)]
    return " / ".join(f"{100 * one / studies:.1f}" for one in found)
