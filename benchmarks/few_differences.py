"""Error rates where judge and rater seldom differ, and of the intervals of probabilities of judges.

`python -m benchmarks.few_differences [--studies N] [--scan]` prints five tables. The first is counted over
all outcomes, the others are simulated. In tables of tests the rater is ahead of the judge by exactly epsilon.
`--scan` counts the greatest size over many numbers of items instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray, Resampling
from scoring.stats.data.table import Ratings
from scoring.stats.judges.alternative_annotator import (
    FALSE_DISCOVERIES,
    FEWEST_ITEMS,
    alternative_annotator_test,
)
from scoring.stats.judges.calibration import calibration
from scoring.stats.judges.closeness import Comparisons, compare_with_raters
from scoring.stats.judges.margin import margin_test
from scoring.stats.judges.soft_labels import soft_label_scores
from scoring.stats.judges.unit_sums import Units

SEED = 23
TRUTH = 400_000
EPSILONS = (0.0, 0.1, 0.2)
ITEMS = (10, 20, 30, 50, 100, 300)
# Share of items on which rater or judge is ahead.
DIFFERING = (0.02, 0.05, 0.1, 0.12, 0.2, 0.3, 0.5, 1.0)
# Groups, and how alike the items of a group are.
GROUPS = ((20, 0.3), (20, 1.0), (30, 0.3), (30, 1.0), (60, 0.3), (60, 1.0))
# Items in each group: of all, or of half, of a quarter of them, and of the others.
FIVE, HALF_OF_ONE, QUARTER_OF_TWENTY = "5", "1 or 2 to 8", "20 or 1 to 3"
# Whole tests and intervals take longer: fewer studies.
INTERVAL_STUDIES = 2
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
    """Whether the paper's test, and the one in use, reject each outcome; beyond the margin neither does."""
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


def greatest_sizes() -> Iterator[Row]:
    """The greatest size of the test in use over numbers of items and shares that differ, and where it is."""
    for margin in (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5):
        shares = (*(margin + step for step in (0, 0.01, 0.02, 0.04)), *np.arange(0.02, 1.001, 0.02))
        possible = [float(share) for share in shares if max(margin, 0.001) <= share <= 1]
        found: list[tuple[float, int, float]] = []
        for n in (*range(FEWEST_ITEMS, 121), 150, 200, 250, 300):
            cells = outcomes(n)
            own = cells[cells[:, 0] - cells[:, 1] < margin * n]
            p = [margin_test(np.repeat([1.0, -1.0, 0.0], cell), margin, None).p for cell in own]
            rejected = own[np.array(p) < FALSE_DISCOVERIES]
            found += [(100 * _size(rejected, n, share, margin), n, share) for share in possible]
        size, n, share = max(found)
        yield margin, f"{size:.2f}", n, f"{share:.2f}"


def _size(rejected: IntArray, n: int, share: float, margin: float) -> float:
    """Probability of these outcomes."""
    behind = (share - margin) / 2
    chances = [behind + margin, behind, max(1 - share, 0.0)]
    return float(scipy.stats.multinomial.pmf(rejected, n, chances).sum())


def _sizes(cells: IntArray, rejects: tuple[BoolArray, BoolArray], share: float, margin: float) -> str:
    if share < margin:
        return ""
    n = int(cells[0].sum())
    return " / ".join(f"{100 * _size(cells[one], n, share, margin):.1f}" for one in rejects)


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
ERRORS, LARGER_ERRORS = (0.01, 0.03, 0.1), (0.03, 0.1, 0.25)
SIZES = (30, 50, 100, 300)


def simulated_sizes(
    studies: int, errors: Sequence[float], compared: Callable[[Comparisons], tuple[IntArray, FloatArray]]
) -> Iterator[Row]:
    """Sizes where every rater is ahead by the margin, of what is `compared`: items and differences.

    Items are independent, so studies are drawn as one and cut.
    """
    for design in DESIGNS:
        for person in errors:
            for margin in EPSILONS:
                judge = design.at_margin(person, margin)
                cells = []
                for n in SIZES:
                    draw = np.random.default_rng([SEED, n, int(1000 * person), int(100 * margin)])
                    found = compare_with_raters(*design.study(draw, n * studies, person, judge))
                    items, differences = compared(found)
                    cuts = np.searchsorted(items, n * np.arange(1, studies))
                    cells.append(_rejected(np.split(differences, cuts), margin))
                yield design.name, person, margin, *cells


def of_first_rater(found: Comparisons) -> tuple[IntArray, FloatArray]:
    """The differences of one rater."""
    own = found.rater == 0
    return found.item[own], found.difference[own]


def of_all_ratings(found: Comparisons) -> tuple[IntArray, FloatArray]:
    """The mean difference over the raters of each item."""
    items, code = np.unique(found.item, return_inverse=True)
    return items, np.bincount(code, found.difference) / np.bincount(code)


def _rejected(studies: list[FloatArray], margin: float) -> str:
    """Per cent of studies with enough items in which the test of the paper, and the one in use, rejects."""
    large = [one for one in studies if len(one) >= FEWEST_ITEMS]
    if not large:
        return "refused"
    p = [(p_of_the_paper(one, margin), margin_test(one, margin, None).p) for one in large]
    shares = (np.array(p) < FALSE_DISCOVERIES).mean(axis=0)
    return " / ".join(f"{100 * share:.1f}" for share in shares)


def passes(studies: int) -> Iterator[Row]:
    """How often a judge passes where every rater is ahead of it by the margin."""
    for design in DESIGNS:
        if design.share < 1:
            continue
        judge = design.at_margin(0.03, 0.1)
        cells = []
        for n in SIZES[:-1]:
            draw = np.random.default_rng([SEED, n])
            found = 0
            for _ in range(studies):
                drawn = design.study(draw, n, 0.03, judge)
                test = alternative_annotator_test(*drawn, "J", epsilon=0.1, resampling=Resampling(1))
                found += bool(test.passes)
            cells.append(f"{100 * found / studies:.1f}")
        yield design.name, *cells


def group_sizes(draw: np.random.Generator, groups: int, kind: str) -> IntArray:
    """The number of items of each group."""
    place = np.arange(groups)
    if kind == HALF_OF_ONE:
        return np.where(place % 2 == 0, 1, draw.integers(2, 9, groups))
    if kind == QUARTER_OF_TWENTY:
        return np.where(place % 4 == 0, 20, draw.integers(1, 4, groups))
    return np.full(groups, 5)


def grouped_sizes(studies: int) -> Iterator[Row]:
    """Sizes with items in groups: each item has the outcome of its group, or one of its own."""
    for kind in (FIVE, HALF_OF_ONE, QUARTER_OF_TWENTY):
        for groups, alike in GROUPS:
            for margin in EPSILONS:
                cells = []
                for share in DIFFERING[2:]:
                    if share < margin:
                        cells.append("")
                        continue
                    draw = np.random.default_rng([SEED, groups, int(100 * margin), int(100 * share)])
                    behind = (share - margin) / 2
                    chances = np.array([behind + margin, behind, 1 - share])
                    rejected = [_grouped(draw, groups, kind, alike, chances, margin) for _ in range(studies)]
                    cells.append(f"{100 * float(np.mean(rejected)):.1f}")
                yield kind, groups, alike, margin, *cells


def _grouped(
    draw: np.random.Generator, groups: int, kind: str, alike: float, chances: FloatArray, margin: float
) -> bool:
    """Whether the test rejects in one study, whose items differ between rater and judge by chance."""
    units = np.repeat(np.arange(groups), group_sizes(draw, groups, kind))
    shared = draw.choice([1.0, -1.0, 0.0], p=chances, size=groups)[units]
    own = draw.choice([1.0, -1.0, 0.0], p=chances, size=len(units))
    outcome = np.where(draw.random(len(units)) < np.sqrt(alike), shared, own)
    return margin_test(outcome, margin, units).p < FALSE_DISCOVERIES


KINDS = ("probabilities", "too sure", "five samples")
COVERED = ("overconfidence", "brier", "manhattan", "wasserstein", "cross-entropy")


def distributions(
    draw: np.random.Generator, groups: int, size: int, answers: int, kind: str
) -> tuple[FloatArray, FloatArray]:
    """Distributions of a judge, and shares of four raters; items of a group are alike."""
    truth = draw.dirichlet(np.full(answers, 0.6), groups * size)
    if size > 1:
        truth = (truth + np.repeat(draw.dirichlet(np.full(answers, 0.6), groups), size, axis=0)) / 2
    people = draw.multinomial(4, truth) / 4
    judge = 0.8 * truth + 0.2 * draw.dirichlet(np.full(answers, 2.0), len(truth))
    if kind == "too sure":
        judge = judge**3 / (judge**3).sum(axis=1, keepdims=True)
    if kind == "five samples":
        judge = draw.multinomial(5, judge) / 5
    return judge, people


def covered(studies: int) -> Iterator[Row]:
    """Coverage of the intervals of calibration and of soft labels."""
    for kind in KINDS:
        for answers in (2, 5):
            for groups, size in ((30, 1), (60, 1), (200, 1), (30, 5), (60, 5)):
                draw = np.random.default_rng([SEED, KINDS.index(kind), answers, groups, size])
                truth = _means(*distributions(draw, TRUTH // 4, size, answers, kind))
                units = Units.of(np.repeat(np.arange(groups), size) if size > 1 else None, groups * size)
                held, given = np.zeros(5), np.zeros(5)
                for _ in range(studies):
                    limits = _limits(*distributions(draw, groups, size, answers, kind), units)
                    held += (limits[0] <= truth) & (truth <= limits[1])
                    given += np.isfinite(limits[0])
                shares = np.where(given > 0, 100 * held / np.maximum(given, 1), np.nan)
                cells = ["refused" if np.isnan(share) else f"{share:.1f}" for share in shares]
                yield kind, answers, groups, size, *cells


def _means(judge: FloatArray, people: FloatArray) -> FloatArray:
    units = Units.of(None, len(judge))
    found = calibration(judge, people, units)
    scores = soft_label_scores(judge, people, np.arange(judge.shape[1], dtype=np.float64), units)
    return np.array([found.overconfidence, found.brier, *(one.estimate for one in scores)])


def _limits(judge: FloatArray, people: FloatArray, units: Units) -> FloatArray:
    """Lower and upper limits, a row each."""
    found = calibration(judge, people, units)
    scores = soft_label_scores(judge, people, np.arange(judge.shape[1], dtype=np.float64), units)
    intervals = [found.overconfidence_interval, found.brier_interval, *(one.interval for one in scores)]
    return np.array([[one.low for one in intervals], [one.high for one in intervals]])


def _print(title: str, heading: tuple[str, ...], rows: Iterator[Row]) -> None:
    print(f"\n{title}\n| {' | '.join(heading)} |\n|{'---:|' * len(heading)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=4000)
    parser.add_argument("--scan", action="store_true")
    asked = parser.parse_args()
    if asked.scan:
        heading = ("epsilon", "greatest size", "items", "share that differs")
        _print("Greatest size in per cent, 30 to 300 items", heading, greatest_sizes())
        return
    studies = asked.studies
    few = studies // INTERVAL_STUDIES
    shares = [f"{share:g}" for share in DIFFERING]
    _print(
        "Size in per cent, of the paper's test / of the test in use, counted; by share of items that differ",
        ("epsilon", "items", *shares),
        counted_sizes(),
    )
    _print(
        f"The same for the first rater, {studies:,} studies each; by number of items",
        ("answers", "people err", "epsilon", *map(str, SIZES)),
        simulated_sizes(studies, ERRORS, of_first_rater),
    )
    _print(
        f"The same for all ratings together, {studies:,} studies each; by number of items",
        ("answers", "people err", "epsilon", *map(str, SIZES)),
        simulated_sizes(studies, LARGER_ERRORS, of_all_ratings),
    )
    _print(
        f"Per cent of judges that pass, {few:,} studies each, epsilon = 0.1; by number of items",
        ("answers", *map(str, SIZES[:-1])),
        passes(few),
    )
    _print(
        f"Size in per cent, items in groups, {few:,} studies each; by share of items that differ",
        ("items of a group", "groups", "alike", "epsilon", *shares[2:]),
        grouped_sizes(few),
    )
    _print(
        f"Coverage of 95% intervals in per cent, {few:,} studies each",
        ("judge", "answers", "items or groups", "items in each", *COVERED),
        covered(few),
    )


if __name__ == "__main__":
    main()
