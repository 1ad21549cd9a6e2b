"""Internal consistency of a set of tests: KR-20, and what each test adds to it."""

import math
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import (
    FEWEST_UNITS,
    FloatArray,
    IntArray,
    Resampling,
    draw_units,
    nothing_to_draw,
)
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    TOO_FEW_ITEMS,
    TOO_FEW_TESTS,
    Figure,
    Sample,
    estimated,
    finite_or_none,
    refused,
)

FEWEST_TESTS = 2
FEWEST_RESPONSES = 2


@dataclass(frozen=True)
class BinarySet:
    """Responses in which every yes/no test of a set was answered."""

    criterion: str  # Name of the sum in statistics
    tests: tuple[str, ...]  # Names of the tests, shape (tests,)
    passed: IntArray  # 1 for yes and 0 for no, shape (responses, tests)
    unit: IntArray  # Item or group of each response, from 0, shape (responses,)
    unit_kind: str  # `items` or `groups`
    sample: Sample  # Items, raters and responses


def kr20(answers: BinarySet, resampling: Resampling) -> Figure:
    """Kuder–Richardson formula 20, which is Cronbach's α of yes/no tests.

    Parameters
    ----------
    answers
        Complete responses to the tests of one set; each rater's response to an item is one row.
    resampling
        Replicates, seed and confidence of the percentile bootstrap over items or groups, each drawn with all
        its responses; five of them are needed.

    Returns
    -------
    Figure
        Coefficient `kr20`; the variant is the number of tests. With k tests, share pⱼ of yes and variance s²
        of the sums (both with divisor n), KR-20 = k/(k − 1) · (1 − Σ pⱼ(1 − pⱼ)/s²).

    References
    ----------
    Kuder and Richardson (1937), formula 20; Cronbach (1951).
    """
    name = (answers.criterion, "kr20", f"k={len(answers.tests)}")
    reason = _reason(answers)
    if reason:
        return refused(name, reason, answers.sample, resampling.confidence)
    totals = _Totals.of(answers)
    estimate = float(totals.kr20(np.ones((1, totals.n_units)))[0])
    interval = nothing_to_draw(answers.unit_kind)
    if totals.n_units >= FEWEST_UNITS:
        generator = resampling.generator(answers.criterion, "kr20")
        each = np.ones(totals.n_units, dtype=np.int64)
        replicates = [
            totals.kr20(draw_units(generator, each, size).T)
            for size in resampling.chunks(max(totals.n_units, len(answers.tests)))
        ]
        interval = resampling.interval(np.concatenate(replicates), answers.unit_kind, totals.n_units)
    return estimated(name, estimate, interval, answers.sample, resampling.confidence)


def _reason(answers: BinarySet) -> str:
    if len(answers.tests) < FEWEST_TESTS:
        return TOO_FEW_TESTS
    if len(answers.passed) < FEWEST_RESPONSES:
        return TOO_FEW_ITEMS
    sums = answers.passed.sum(axis=1)
    return CONSTANT_RATINGS if sums.min() == sums.max() else ""


@dataclass(frozen=True)
class _Totals:
    """Sums over the responses of each unit; whole numbers, so that no variance is a rounding error."""

    n: FloatArray  # Responses, shape (units,)
    passed: FloatArray  # Yes to each test, shape (units, tests)
    sums: FloatArray  # Sums of the responses, and their squares, each of shape (units,)
    squares: FloatArray

    @classmethod
    def of(cls, answers: BinarySet) -> "_Totals":
        n_units, sums = int(answers.unit.max()) + 1, answers.passed.sum(axis=1).astype(np.float64)
        passed = np.zeros((n_units, len(answers.tests)))
        np.add.at(passed, answers.unit, answers.passed)
        n, total, squares = (
            np.bincount(answers.unit, weights=weights, minlength=n_units).astype(np.float64)
            for weights in (np.ones(len(sums)), sums, sums**2)
        )
        return cls(n, passed, total, squares)

    @property
    def n_units(self) -> int:
        return len(self.n)

    def kr20(self, weights: FloatArray) -> FloatArray:
        """KR-20 for each row of unit weights, shape (replicates, units)."""
        n, passed, sums, squares = (weights @ part for part in (self.n, self.passed, self.sums, self.squares))
        k = passed.shape[1]
        # Both times n².
        of_tests = (n[:, None] * passed - passed**2).sum(axis=1)
        of_sums = n * squares - sums**2
        ratio = np.divide(of_tests, of_sums, out=np.full(len(weights), math.nan), where=of_sums > 0)
        return np.asarray(k / (k - 1) * (1 - ratio), dtype=np.float64)


def analyse_tests(answers: BinarySet) -> list[dict[str, str | float | int | None]]:
    """Item analysis: one row for each test.

    Parameters
    ----------
    answers
        As for `kr20`.

    Returns
    -------
    list of dict
        `criterion` (of the sum), `test`, `n` responses, `share` of yes (the difficulty), `item_total`
        (Pearson correlation of the test with the sum of the others) and `without` (KR-20 of the others); None
        where it is not defined.
    """
    passed = answers.passed.astype(np.float64)
    sums = passed.sum(axis=1)
    rows: list[dict[str, str | float | int | None]] = []
    for place, test in enumerate(answers.tests):
        own = passed[:, place]
        others = passed[:, np.arange(len(answers.tests)) != place]
        rows.append(
            {
                "criterion": answers.criterion,
                "test": test,
                "n": len(own),
                "share": finite_or_none(float(own.mean())) if len(own) else None,
                "item_total": finite_or_none(_pearson(own, sums - own)),
                "without": finite_or_none(_kr20_of(others)),
            }
        )
    return rows


def _kr20_of(passed: FloatArray) -> float:
    n, k = passed.shape
    sums = passed.sum(axis=1)
    if n < FEWEST_RESPONSES or k < FEWEST_TESTS or sums.min() == sums.max():
        return math.nan
    one_unit = np.ones((1, 1))
    totals = _Totals(
        np.array([float(n)]),
        passed.sum(axis=0)[None, :],
        sums.sum(keepdims=True),
        (sums**2).sum(keepdims=True),
    )
    return float(totals.kr20(one_unit)[0])


def _pearson(one: FloatArray, other: FloatArray) -> float:
    n = len(one)
    if n < FEWEST_RESPONSES:
        return math.nan
    # Whole numbers: a constant side has a variance of exactly 0.
    product = n * (one @ other) - one.sum() * other.sum()
    spread = (n * (one @ one) - one.sum() ** 2) * (n * (other @ other) - other.sum() ** 2)
    return float(product / math.sqrt(spread)) if spread > 0 else math.nan
