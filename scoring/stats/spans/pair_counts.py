"""What every two annotators mark alike: F1 over pairs, precision and recall of each, with intervals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol, TypeVar

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
    ANONYMOUS_RATERS,
    NO_OVERLAP,
    NOTHING_MARKED,
    TOO_FEW_RATERS,
    TOO_MANY_RATERS,
    Figure,
    Sample,
    estimated,
    refused,
)
from scoring.stats.data.bootstrap.units import item_units
from scoring.stats.spans.matched_spans import Shared

# More raters than this make no readable table of pairs, and pairs that hardly meet.
MOST_RATERS = 30
Answer = TypeVar("Answer")
Marked_contra = TypeVar("Marked_contra", contravariant=True)


class Compared(Protocol[Marked_contra]):
    """How the answers of two annotators to one item are compared."""

    def shared(self, one: Marked_contra, other: Marked_contra) -> Shared: ...

    def number(self, one: Marked_contra) -> int: ...


@dataclass(frozen=True)
class PairCounts:
    """What every two annotators share, shape (items, pairs), by one way of matching.

    `group` is what each item is drawn with, and `unit` what that is.
    """

    criterion: str
    matching: str
    raters: list[str]
    identified: bool
    pairs: list[tuple[str, str]]
    n_marks: int
    n_meeting: int
    group: IntArray
    unit: str
    hits: FloatArray
    first: FloatArray
    second: FloatArray
    met: FloatArray
    n_of_pairs: FloatArray

    @classmethod
    def of(
        cls,
        answers: Mapping[str, Mapping[str, Answer]],
        criterion: str,
        matching: str,
        compared: Compared[Answer],
        *,
        identified: bool,
        groups: Mapping[str, str] | None,
    ) -> "PairCounts":
        """Compare the answers of every two annotators of an item.

        Parameters
        ----------
        answers
            What each annotator marked, by item.
        criterion
            Name of the figures.
        matching
            How marks are matched; begins the variants of the figures and names their random stream.
        compared
            Counts what two answers to one item have in common, and how many marks each has.
        identified
            Whether annotators are persons; slots share one column.
        groups
            Group of each item that has one.
        """
        raters = sorted(answers)
        by_item: dict[str, list[str]] = {}
        for rater in raters:
            for item in answers[rater]:
                by_item.setdefault(item, []).append(rater)
        items = sorted(item for item, seen_by in by_item.items() if len(seen_by) > 1)
        by_pair = identified and len(raters) <= MOST_RATERS
        pairs = list(combinations(raters, 2)) if by_pair else []
        columns = {pair: position for position, pair in enumerate(pairs)}
        cells = np.zeros((5, len(items), max(len(pairs), 1)))
        for row, item in enumerate(items):
            for one, other in combinations(by_item[item], 2):
                found = compared.shared(answers[one][item], answers[other][item])
                cells[:, row, columns.get((one, other), 0)] += _as_column(found)
        n_marks = sum(compared.number(answers[rater][item]) for item in items for rater in by_item[item])
        n_meeting = len({rater for item in items for rater in by_item[item]})
        drawn_with = item_units(items, groups)
        return cls(criterion, matching, raters, identified, pairs, n_marks, n_meeting, *drawn_with, *cells)

    @property
    def n_items(self) -> int:
        return len(self.hits)

    @property
    def n_units(self) -> int:
        return int(self.group.max(initial=-1)) + 1

    @property
    def sample(self) -> Sample:
        return Sample(self.n_items, self.n_meeting if self.identified else None, self.n_marks)

    def reason(self) -> str:
        if len(self.raters) < 2:
            return TOO_FEW_RATERS
        if self.n_items == 0:
            return NO_OVERLAP
        return "" if (self.first + self.second).any() else NOTHING_MARKED

    def headline(self, drawn: "PairScores", resampling: Resampling) -> list[Figure]:
        """F1 over all pairs: of their sums, and as the mean of theirs."""
        pooled = (self.criterion, "f1", f"{self.matching}, pooled")
        mean = (self.criterion, "f1", f"{self.matching}, mean of pairs")
        reason = self.reason()
        if reason:
            return [refused(name, reason, self.sample, resampling.confidence) for name in (pooled, mean)]
        whole = self._scores(np.ones((self.n_items, 1)))
        figure = self._estimated(pooled, whole.pooled[0], drawn.pooled, resampling)
        if not self.pairs:
            lacking = TOO_MANY_RATERS if self.identified else ANONYMOUS_RATERS
            return [figure, refused(mean, lacking, self.sample, resampling.confidence)]
        return [figure, self._estimated(mean, whole.mean[0], drawn.mean, resampling)]

    def of_pairs(self, drawn: "PairScores", resampling: Resampling) -> list[Figure]:
        """Precision, recall and F1 of each pair, the second annotator against the first."""
        if not self.pairs or not self.n_items:
            return []
        whole = self._scores(np.ones((self.n_items, 1)))
        return [
            self._of_pair(coefficient, column, whole, drawn, resampling)
            for column in range(len(self.pairs))
            for coefficient in whole.of_pairs
        ]

    def drawn(self, resampling: Resampling) -> "PairScores":
        """Scores of the replicates; each draws as many items, or groups, as there are."""
        generator = resampling.generator(self.criterion, self.matching)
        alone = np.ones(self.n_units, dtype=np.int64)
        scores = [
            self._scores(
                draw_units(generator, alone, size)[self.group] if self.n_items else np.zeros((0, size))
            )
            for size in resampling.chunks(self.n_items + 3 * len(self.pairs))
        ]
        return PairScores(
            pooled=np.concatenate([one.pooled for one in scores]),
            of_pairs={
                name: np.concatenate([one.of_pairs[name] for one in scores]) for name in scores[0].of_pairs
            },
        )

    def _estimated(
        self, name: tuple[str, str, str], estimate: float, drawn: FloatArray, resampling: Resampling
    ) -> Figure:
        interval = nothing_to_draw(self.unit)
        if self.n_units >= FEWEST_UNITS:
            interval = resampling.interval(drawn, self.unit, self.n_units)
        return estimated(name, estimate, interval, self.sample, resampling.confidence)

    def _of_pair(
        self, coefficient: str, column: int, whole: "PairScores", drawn: "PairScores", resampling: Resampling
    ) -> Figure:
        one, other = self.pairs[column]
        name = (self.criterion, coefficient, f"{self.matching}, {one}|{other}")
        estimate = float(whole.of_pairs[coefficient][0, column])
        n_items = int(self.met[:, column].sum())
        sample = Sample(n_items, 2, int(self.n_of_pairs[:, column].sum()))
        if math.isnan(estimate):
            reason = NOTHING_MARKED if n_items else NO_OVERLAP
            return refused(name, reason, sample, resampling.confidence)
        interval = nothing_to_draw(self.unit)
        n_units = len(np.unique(self.group[self.met[:, column] > 0]))
        if n_units >= FEWEST_UNITS:
            interval = resampling.interval(drawn.of_pairs[coefficient][:, column], self.unit, n_units)
        return estimated(name, estimate, interval, sample, resampling.confidence)

    def _scores(self, weights: FloatArray) -> "PairScores":
        """Scores of weighted items; weights have the shape (items, replicates)."""
        hits, first, second = (weights.T @ cells for cells in (self.hits, self.first, self.second))
        return PairScores(
            pooled=_ratio(2 * hits.sum(axis=1), (first + second).sum(axis=1)),
            of_pairs={
                "precision": _ratio(hits, second),
                "recall": _ratio(hits, first),
                "f1": _ratio(2 * hits, first + second),
            },
        )


@dataclass(frozen=True)
class PairScores:
    """F1 of all pairs' sums, shape (replicates,), and figures of every pair, shape (replicates, pairs)."""

    pooled: FloatArray
    of_pairs: dict[str, FloatArray]

    @property
    def mean(self) -> FloatArray:
        """Mean F1 of the pairs that have one."""
        scores = self.of_pairs["f1"]
        defined = np.isfinite(scores)
        return _ratio(np.where(defined, scores, 0.0).sum(axis=1), defined.sum(axis=1).astype(np.float64))


def _as_column(found: Shared) -> FloatArray:
    return np.array([found.hits, found.first, found.second, 1.0, found.n_first + found.n_second])


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    empty: FloatArray = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0), dtype=np.float64)
