"""Agreement of all annotators on their tuples: F1 over pairs, precision and recall of each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

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
from scoring.stats.spans.character_alpha import character_alpha
from scoring.stats.spans.marked_tuples import WHOLE, MarksTable
from scoring.stats.spans.matched_spans import MATCHINGS, Matching, Shared, filter_by_parts, shared

# More raters than this make no readable table of pairs, and pairs that hardly meet.
MOST_RATERS = 30


@dataclass(frozen=True)
class TupleAgreement:
    """Every agreement figure of marked tuples."""

    # By part, the whole tuple last: F1 over all pairs of annotators, and α of the characters
    figures: list[Figure]
    # Precision, recall and F1 of each pair, the second against the first; empty for slots and beyond 30
    # raters
    pairs: list[Figure]
    fingerprint: str  # Of the marks


def tuple_agreement(
    table: MarksTable,
    *,
    name: str,
    resampling: Resampling,
    lengths: Mapping[str, int] | None = None,
    groups: Mapping[str, str] | None = None,
) -> TupleAgreement:
    """Precision, recall and F1 of marked tuples, exactly and by characters, and α of the characters.

    Parameters
    ----------
    table
        Tuples of each annotator, by item.
    name
        Name of the criterion; figures are named by it and the part.
    resampling
        Replicates, seed and confidence of the bootstrap over the items that two annotators have looked at,
        or over their groups.
    lengths
        Number of characters of each item's text; without them there is no α.
    groups
        Group of each item that has one.

    Returns
    -------
    TupleAgreement
        Variant `pooled`: 2 Σ hits / Σ (sizes of both) over all pairs and items. Variant `mean of pairs`: the
        mean of the pairs' F1, of those that have one.

    References
    ----------
    Hripcsak & Rothschild (2005); Krippendorff (2019), chapter 12.
    """
    figures: list[Figure] = []
    pairs: list[Figure] = []
    for part in (*table.parts, WHOLE):
        parts = table.parts if part == WHOLE else (part,)
        for matching in MATCHINGS:
            counted = _Counted.of(table, f"{name}:{part}", parts, matching, groups)
            drawn = counted.drawn(resampling)
            figures += counted.headline(drawn, resampling)
            pairs += counted.of_pairs(drawn, resampling)
        if part != WHOLE and lengths is not None and _is_located(table, part):
            figures.append(character_alpha(table, lengths, part, f"{name}:{part}", resampling, groups))
    return TupleAgreement(figures, pairs, table.fingerprint)


def _is_located(table: MarksTable, part: str) -> bool:
    return any(
        mark.places
        for items in table.raters.values()
        for tuples in items.values()
        for one in tuples
        for mark in one.get(part, ())
    )


@dataclass(frozen=True)
class _Counted:
    """What every two annotators share, shape (items, pairs): of some parts, by one way of matching.

    `group` is what each item is drawn with, and `unit` what that is.
    """

    criterion: str
    matching: Matching
    raters: list[str]
    identified: bool
    pairs: list[tuple[str, str]]
    n_tuples: int
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
        table: MarksTable,
        criterion: str,
        parts: tuple[str, ...],
        matching: Matching,
        groups: Mapping[str, str] | None,
    ) -> "_Counted":
        raters = sorted(table.raters)
        by_item: dict[str, list[str]] = {}
        for rater in raters:
            for item in table.raters[rater]:
                by_item.setdefault(item, []).append(rater)
        items = sorted(item for item, seen_by in by_item.items() if len(seen_by) > 1)
        by_pair = table.identified and len(raters) <= MOST_RATERS
        pairs = list(combinations(raters, 2)) if by_pair else []
        columns = {pair: position for position, pair in enumerate(pairs)}
        cells = np.zeros((5, len(items), max(len(pairs), 1)))
        for row, item in enumerate(items):
            for one, other in combinations(by_item[item], 2):
                found = shared(table.raters[one][item], table.raters[other][item], parts, matching)
                cells[:, row, columns.get((one, other), 0)] += _told(found)
        n_tuples = sum(
            len(filter_by_parts(table.raters[rater][item], parts))
            for item in items
            for rater in by_item[item]
        )
        n_meeting = len({rater for item in items for rater in by_item[item]})
        drawn_with = item_units(items, groups)
        return cls(
            criterion, matching, raters, table.identified, pairs, n_tuples, n_meeting, *drawn_with, *cells
        )

    @property
    def n_items(self) -> int:
        return len(self.hits)

    @property
    def n_units(self) -> int:
        return int(self.group.max(initial=-1)) + 1

    @property
    def sample(self) -> Sample:
        return Sample(self.n_items, self.n_meeting if self.identified else None, self.n_tuples)

    def reason(self) -> str:
        if len(self.raters) < 2:
            return TOO_FEW_RATERS
        if self.n_items == 0:
            return NO_OVERLAP
        return "" if (self.first + self.second).any() else NOTHING_MARKED

    def headline(self, drawn: "_Scores", resampling: Resampling) -> list[Figure]:
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

    def of_pairs(self, drawn: "_Scores", resampling: Resampling) -> list[Figure]:
        """Precision, recall and F1 of each pair, the second annotator against the first."""
        if not self.pairs or not self.n_items:
            return []
        whole = self._scores(np.ones((self.n_items, 1)))
        return [
            self._of_pair(coefficient, column, whole, drawn, resampling)
            for column in range(len(self.pairs))
            for coefficient in whole.of_pairs
        ]

    def drawn(self, resampling: Resampling) -> "_Scores":
        """Scores of the replicates; each draws as many items, or groups, as there are."""
        generator = resampling.generator(self.criterion, self.matching)
        alone = np.ones(self.n_units, dtype=np.int64)
        scores = [
            self._scores(
                draw_units(generator, alone, size)[self.group] if self.n_items else np.zeros((0, size))
            )
            for size in resampling.chunks(self.n_items + 3 * len(self.pairs))
        ]
        return _Scores(
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
        self, coefficient: str, column: int, whole: "_Scores", drawn: "_Scores", resampling: Resampling
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

    def _scores(self, weights: FloatArray) -> "_Scores":
        """Scores of weighted items; weights have the shape (items, replicates)."""
        hits, first, second = (weights.T @ cells for cells in (self.hits, self.first, self.second))
        return _Scores(
            pooled=_ratio(2 * hits.sum(axis=1), (first + second).sum(axis=1)),
            of_pairs={
                "precision": _ratio(hits, second),
                "recall": _ratio(hits, first),
                "f1": _ratio(2 * hits, first + second),
            },
        )


@dataclass(frozen=True)
class _Scores:
    """F1 of all pairs' sums, shape (replicates,), and figures of every pair, shape (replicates, pairs)."""

    pooled: FloatArray
    of_pairs: dict[str, FloatArray]

    @property
    def mean(self) -> FloatArray:
        """Mean F1 of the pairs that have one."""
        scores = self.of_pairs["f1"]
        defined = np.isfinite(scores)
        return _ratio(np.where(defined, scores, 0.0).sum(axis=1), defined.sum(axis=1).astype(np.float64))


def _told(found: Shared) -> FloatArray:
    return np.array([found.hits, found.first, found.second, 1.0, found.n_first + found.n_second])


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    empty: FloatArray = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0), dtype=np.float64)
