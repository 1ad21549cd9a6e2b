"""Agreement of all annotators on their tuples: F1 over pairs, precision and recall of each."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scoring.stats.character_alpha import character_alpha
from scoring.stats.marks import WHOLE, MarksTable
from scoring.stats.resampling import FloatArray, Resampling
from scoring.stats.result import (
    ANONYMOUS_RATERS,
    NO_OVERLAP,
    NOTHING_MARKED,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    TOO_MANY_RATERS,
    Figure,
    Interval,
    Sample,
    estimated,
    refused,
)
from scoring.stats.spans import MATCHINGS, Matching, Shared, shared

# More raters than this make no readable table of pairs, and pairs that hardly meet.
MOST_RATERS = 30


@dataclass(frozen=True)
class TupleAgreement:
    """Every agreement figure of marked tuples.

    Parameters
    ----------
    figures
        By part, the whole tuple last: F1 over all pairs of annotators, and α of the characters.
    pairs
        Precision, recall and F1 of each pair, the second against the first; empty for slots and beyond 30
        raters.
    fingerprint
        Of the marks they were computed from.
    """

    figures: list[Figure]
    pairs: list[Figure]
    fingerprint: str


def tuple_agreement(
    table: MarksTable, *, name: str, resampling: Resampling, lengths: Mapping[str, int] | None = None
) -> TupleAgreement:
    """Precision, recall and F1 of marked tuples, exactly and by characters, and α of the characters.

    Parameters
    ----------
    table
        Tuples of each annotator, by item.
    name
        Of the criterion; the figures are called by it and the part.
    resampling
        Replicates, seed and confidence of the bootstrap over the items that two annotators have looked at.
    lengths
        Number of characters of each item's text; without them there is no α.

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
            counted = _Counted.of(table, f"{name}:{part}", parts, matching)
            figures += counted.headline(resampling)
            pairs += counted.of_pairs(resampling)
        if part != WHOLE and lengths is not None and _is_located(table, part):
            figures.append(character_alpha(table, lengths, part, f"{name}:{part}", resampling))
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
    """What every two annotators share, shape (items, pairs): of some parts, by one way of matching."""

    criterion: str
    matching: Matching
    raters: list[str]
    identified: bool
    pairs: list[tuple[str, str]]
    hits: FloatArray
    first: FloatArray
    second: FloatArray
    met: FloatArray
    n_tuples: FloatArray

    @classmethod
    def of(cls, table: MarksTable, criterion: str, parts: tuple[str, ...], matching: Matching) -> "_Counted":
        raters = sorted(table.raters)
        by_item: dict[str, list[str]] = {}
        for rater in raters:
            for item in table.raters[rater]:
                by_item.setdefault(item, []).append(rater)
        items = sorted(item for item, seen_by in by_item.items() if len(seen_by) > 1)
        apart = table.identified and len(raters) <= MOST_RATERS
        pairs = list(combinations(raters, 2)) if apart else []
        columns = {pair: place for place, pair in enumerate(pairs)}
        cells = np.zeros((5, len(items), max(len(pairs), 1)))
        for row, item in enumerate(items):
            for one, other in combinations(by_item[item], 2):
                found = shared(table.raters[one][item], table.raters[other][item], parts, matching)
                cells[:, row, columns.get((one, other), 0)] += _told(found)
        return cls(criterion, matching, raters, table.identified, pairs, *cells)

    @property
    def n_items(self) -> int:
        return len(self.hits)

    @property
    def sample(self) -> Sample:
        raters = len(self.raters) if self.identified else None
        return Sample(self.n_items, raters, int(self.n_tuples.sum()))

    def reason(self) -> str:
        if len(self.raters) < 2:
            return TOO_FEW_RATERS
        if self.n_items == 0:
            return NO_OVERLAP
        return "" if (self.first + self.second).any() else NOTHING_MARKED

    def headline(self, resampling: Resampling) -> list[Figure]:
        """F1 over all pairs: of their sums, and as the mean of theirs."""
        pooled = (self.criterion, "f1", f"{self.matching}, pooled")
        mean = (self.criterion, "f1", f"{self.matching}, mean of pairs")
        confidence, reason = resampling.confidence, self.reason()
        if reason:
            return [refused(name, reason, self.sample, confidence) for name in (pooled, mean)]
        whole = np.ones((1, self.n_items))
        of_pooled, of_mean = self._intervals(resampling)
        figure = estimated(pooled, self._pooled(whole)[0], of_pooled, self.sample, confidence)
        if not self.pairs:
            lacking = TOO_MANY_RATERS if self.identified else ANONYMOUS_RATERS
            return [figure, refused(mean, lacking, self.sample, confidence)]
        return [figure, estimated(mean, self._mean(whole)[0], of_mean, self.sample, confidence)]

    def of_pairs(self, resampling: Resampling) -> list[Figure]:
        """Precision, recall and F1 of each pair, the second annotator against the first."""
        if not self.pairs or not self.n_items:
            return []
        whole = self._scores(np.ones((1, self.n_items)))
        replicates = (
            [self._scores(weights) for weights in self._draws(resampling)] if self.n_items > 1 else []
        )
        figures = []
        for column, (one, other) in enumerate(self.pairs):
            for coefficient, estimates in whole.items():
                name = (self.criterion, coefficient, f"{self.matching}, {one}|{other}")
                drawn = [chunk[coefficient][:, column] for chunk in replicates]
                figures.append(self._of_pair(name, column, float(estimates[0, column]), drawn, resampling))
        return figures

    def _of_pair(
        self,
        name: tuple[str, str, str],
        column: int,
        estimate: float,
        drawn: list[FloatArray],
        resampling: Resampling,
    ) -> Figure:
        n_items = int(self.met[:, column].sum())
        sample = Sample(n_items, 2, int(self.n_tuples[:, column].sum()))
        if math.isnan(estimate):
            reason = NOTHING_MARKED if n_items else NO_OVERLAP
            return refused(name, reason, sample, resampling.confidence)
        interval = Interval.missing(TOO_FEW_ITEMS)
        if n_items > 1:
            interval = resampling.interval(np.concatenate(drawn), "items", n_items)
        return estimated(name, estimate, interval, sample, resampling.confidence)

    def _intervals(self, resampling: Resampling) -> tuple[Interval, Interval]:
        if self.n_items < 2:
            return Interval.missing(TOO_FEW_ITEMS), Interval.missing(TOO_FEW_ITEMS)
        drawn = [(self._pooled(weights), self._mean(weights)) for weights in self._draws(resampling)]
        pooled, mean = (np.concatenate(chunks) for chunks in zip(*drawn, strict=True))
        return (
            resampling.interval(pooled, "items", self.n_items),
            resampling.interval(mean, "items", self.n_items),
        )

    def _draws(self, resampling: Resampling) -> Iterator[FloatArray]:
        """How often each item comes, shape (replicates, items)."""
        generator = resampling.generator(self.criterion, self.matching)
        shares = np.full(self.n_items, 1 / self.n_items)
        for size in resampling.chunks(self.n_items + 6 * self.hits.shape[1]):
            yield generator.multinomial(self.n_items, shares, size=size).astype(np.float64)

    def _pooled(self, weights: FloatArray) -> FloatArray:
        return _ratio(2 * (weights @ self.hits.sum(axis=1)), weights @ (self.first + self.second).sum(axis=1))

    def _mean(self, weights: FloatArray) -> FloatArray:
        """Mean F1 of the pairs that have one."""
        scores = self._scores(weights)["f1"]
        defined = np.isfinite(scores)
        return _ratio(np.where(defined, scores, 0.0).sum(axis=1), defined.sum(axis=1).astype(np.float64))

    def _scores(self, weights: FloatArray) -> dict[str, FloatArray]:
        """Of every pair, shape (replicates, pairs)."""
        hits, first, second = (weights @ cells for cells in (self.hits, self.first, self.second))
        return {
            "precision": _ratio(hits, second),
            "recall": _ratio(hits, first),
            "f1": _ratio(2 * hits, first + second),
        }


def _told(found: Shared) -> FloatArray:
    return np.array([found.hits, found.first, found.second, 1.0, found.n_first + found.n_second])


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    empty: FloatArray = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0), dtype=np.float64)
