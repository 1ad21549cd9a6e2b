"""Precision, recall and F1 of tuples of every two raters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import optimize

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, FEWEST_UNITS, Drawing, assign_item_units, draw_units
from ..ratings import MOST_RATERS
from .marks import Tuple, Tuples


def count_shared(
    ones: Sequence[Tuple], others: Sequence[Tuple], parts: Sequence[str], matching: str
) -> Array:
    """Count tuples (or characters) that both have, those of each, items, and tuples of both."""
    ones, others = ([one for one in side if any(one.get(part) for part in parts)] for side in (ones, others))
    sizes = [
        len(side)
        if matching == "exact"
        else sum(mark.length for one in side for part in parts for mark in one.get(part, ()))
        for side in (ones, others)
    ]
    if matching == "exact":
        kinds = [
            Counter(
                tuple(tuple(sorted(m.same_as for m in one.get(part, ()))) for part in parts) for one in side
            )
            for side in (ones, others)
        ]
        hits = float((kinds[0] & kinds[1]).total())
    else:
        hits = match_best([[count_shared_characters(one, other, parts) for other in others] for one in ones])
    return np.array([hits, *sizes, 1, len(ones) + len(others)], dtype=float)


def count_shared_characters(one: Tuple, other: Tuple, parts: Sequence[str]) -> float:
    """Count the characters that two tuples share, with marks of each part matched one to one."""
    return sum(
        match_best([[mark.overlap(mate) for mate in other.get(part, ())] for mark in one.get(part, ())])
        for part in parts
    )


def match_best(gains: Sequence[Sequence[float]]) -> float:
    """Compute the largest sum of a one-to-one matching."""
    if not gains or not gains[0]:
        return 0.0
    table = np.array(gains, dtype=float)
    return float(table[optimize.linear_sum_assignment(table, maximize=True)].sum())


@dataclass(frozen=True)
class SharedTuples:
    """What every two raters share of some parts; `cells` has shape (5, items, pairs)."""

    name: str
    matching: str
    pairs: list[tuple[str, str]]
    unit: Array
    cells: Array
    numbers: Row
    few: bool

    @classmethod
    def of(cls, tuples: Tuples, name: str, parts: Sequence[str], matching: str) -> SharedTuples:
        """Compare the raters of each item that has two or more; slots share one column."""
        raters, seen = sorted(tuples.raters), tuples.raters
        times = Counter(item for items in seen.values() for item in items)
        items = sorted(item for item, number in times.items() if number > 1)
        by_item = {item: [rater for rater in raters if item in seen[rater]] for item in items}
        by_pair = tuples.identified and len(raters) <= MOST_RATERS
        pairs = list(combinations(raters, 2)) if by_pair else []
        column = {pair: position for position, pair in enumerate(pairs)}
        cells = np.zeros((5, len(items), max(len(pairs), 1)))
        for row, item in enumerate(items):
            for one, other in combinations(by_item[item], 2):
                found = count_shared(seen[one][item], seen[other][item], parts, matching)
                cells[:, row, column.get((one, other), 0)] += found
        having = [
            any(one.get(part) for part in parts)
            for item in items
            for rater in by_item[item]
            for one in seen[rater][item]
        ]
        met = {rater for item in items for rater in by_item[item]}
        n_raters = len(met) if tuples.identified else None
        numbers_of = {"n_items": len(items), "n_raters": n_raters, "n_ratings": sum(having)}
        unit, _ = assign_item_units(items, tuples.groups)
        return cls(name, matching, pairs, unit, cells, numbers_of, len(raters) < 2)

    @property
    def n_units(self) -> int:
        """Number of items or groups to draw from."""
        return len(np.unique(self.unit))

    def drawn(self, drawing: Drawing) -> dict[str, Array]:
        """Compute the scores of every replicate."""
        generator, n_items = drawing.stream(self.name, self.matching), self.cells.shape[1]
        if n_items == 0:
            return {}
        alone = np.ones(self.n_units, dtype=int)
        chunks = [
            self.scores(draw_units(generator, alone, size)[self.unit].T)
            for size in drawing.chunks(n_items + 3 * len(self.pairs))
        ]
        return {name: np.concatenate([one[name] for one in chunks]) for name in chunks[0]}

    def scores(self, weights: Array) -> dict[str, Array]:
        """Compute pooled F1, mean F1 of pairs, and each pair's figures for weighted items."""
        hits, first, second = (weights @ cells for cells in self.cells[:3])
        f1 = divide(2 * hits, first + second)
        defined = np.isfinite(f1)
        return {
            "pooled": divide(2 * hits.sum(axis=1), (first + second).sum(axis=1)),
            "mean of pairs": divide(np.where(defined, f1, 0).sum(axis=1), defined.sum(axis=1).astype(float)),
            "precision": divide(hits, second),
            "recall": divide(hits, first),
            "f1": f1,
        }

    def overall(self, drawn: Mapping[str, Array], drawing: Drawing) -> list[Row]:
        """Make the rows of pooled F1 and of the mean F1 of pairs."""
        n_items = self.cells.shape[1]
        whole = self.scores(np.ones((1, n_items))) if n_items and not self.few else {}
        rows = []
        for variant in ("pooled", "mean of pairs"):
            estimate = float(whole[variant][0]) if whole else math.nan
            if variant == "mean of pairs" and not self.pairs:
                estimate = math.nan
            limits = (math.nan, math.nan)
            if math.isfinite(estimate) and self.n_units >= FEWEST_UNITS:
                limits = drawing.limits(drawn[variant], self.n_units)
            rows.append(self.row("f1", variant, (estimate, *limits), self.numbers))
        return rows

    def of_pairs(self, drawn: Mapping[str, Array], drawing: Drawing) -> list[Row]:
        """Make the rows of each pair: precision, recall and F1 of the second against the first rater."""
        if not self.cells.shape[1]:
            return []
        whole = self.scores(np.ones((1, self.cells.shape[1])))
        rows = []
        for position, (one, other) in enumerate(self.pairs):
            met = self.cells[3, :, position]
            numbers_of = {
                "n_items": int(met.sum()),
                "n_raters": 2,
                "n_ratings": int(self.cells[4, :, position].sum()),
            }
            n_units = len(np.unique(self.unit[met > 0]))
            for name in ("precision", "recall", "f1"):
                estimate, limits = float(whole[name][0, position]), (math.nan, math.nan)
                if math.isfinite(estimate) and n_units >= FEWEST_UNITS:
                    limits = drawing.limits(drawn[name][:, position], n_units)
                rows.append(self.row(name, f"{one}|{other}", (estimate, *limits), numbers_of))
        return rows

    def row(self, coefficient: str, variant: str, found: tuple[float, float, float], of: Row) -> Row:
        """Make the row of a figure."""
        name = {"criterion": self.name, "coefficient": coefficient, "variant": f"{self.matching}, {variant}"}
        limits = dict(zip(("estimate", "low", "high"), found, strict=True))
        return {**name, **limits, "confidence": CONFIDENCE, **of}


def divide(above: Array, below: Array) -> Array:
    """Divide; NaN where the denominator is not positive."""
    empty: Array = np.full(np.shape(above), math.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0))
