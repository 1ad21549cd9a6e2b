"""Agreement on marked tuples: precision, recall and F1 of two annotators, and α of the marked characters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from scoring.stats.alpha import alpha
from scoring.stats.resampling import FloatArray, Resampling
from scoring.stats.result import Figure
from scoring.stats.table import RatingsTable

Matching = Literal["exact", "overlap"]
PARTS = ("tenor", "vehicle", "ground")
WHOLE = "tuple"


@dataclass(frozen=True)
class Span:
    """What was marked: characters of the text, or a wording that does not stand in it.

    Parameters
    ----------
    text
        The wording.
    start, end
        In Unicode code points of the item's text; None for a wording of the annotator's own.
    """

    text: str
    start: int | None = None
    end: int | None = None

    @property
    def length(self) -> int:
        """Number of characters."""
        return len(self.text) if self.start is None or self.end is None else self.end - self.start

    def overlap(self, other: "Span") -> int:
        """Characters both have: of the text, or all of them where a free wording is the same."""
        if self.start is None or self.end is None or other.start is None or other.end is None:
            return self.length if self.text == other.text else 0
        return max(0, min(self.end, other.end) - max(self.start, other.start))


MarkedTuple = Mapping[str, Span]
Marks = Mapping[str, Sequence[MarkedTuple]]


@dataclass(frozen=True)
class SpanAgreement:
    """Two annotators on one part of their tuples.

    Parameters
    ----------
    part
        `tenor`, `vehicle`, `ground`, or `tuple` for all parts together.
    matching
        `exact` counts tuples, `overlap` characters.
    precision, recall, f1
        Of the second annotator against the first; NaN where there is nothing to divide by. F1 is the same in
        both directions.
    n_items
        Items both have looked at.
    n_first, n_second
        Tuples of the two that have the part.
    """

    part: str
    matching: Matching
    precision: float
    recall: float
    f1: float
    n_items: int
    n_first: int
    n_second: int


def span_agreement(first: Marks, second: Marks, part: str, matching: Matching) -> SpanAgreement:
    """Compare the tuples of two annotators on the items both have looked at.

    Parameters
    ----------
    first, second
        Tuples of each item; an item without tuples has an empty list.
    part
        `tenor`, `vehicle`, `ground`, or `tuple`.
    matching
        `exact`: a tuple agrees where its marks are the same. `overlap`: by characters.

    Returns
    -------
    SpanAgreement
        Tuples of an item are matched one to one so that what they share is greatest.

    References
    ----------
    Hripcsak & Rothschild (2005): F1 as agreement where true negatives are not counted.
    """
    parts = PARTS if part == WHOLE else (part,)
    shared = sorted(first.keys() & second.keys())
    hits = sizes_first = sizes_second = 0.0
    n_first = n_second = 0
    for item in shared:
        ones, others = _having(first[item], parts), _having(second[item], parts)
        n_first, n_second = n_first + len(ones), n_second + len(others)
        hits += _matched(_gains(ones, others, parts, matching))
        sizes_first += _size(ones, parts, matching)
        sizes_second += _size(others, parts, matching)
    precision = hits / sizes_second if sizes_second else float("nan")
    recall = hits / sizes_first if sizes_first else float("nan")
    both = sizes_first + sizes_second
    f1 = 2 * hits / both if both else float("nan")
    return SpanAgreement(part, matching, precision, recall, f1, len(shared), n_first, n_second)


def _having(tuples: Sequence[MarkedTuple], parts: Sequence[str]) -> list[MarkedTuple]:
    return [one for one in tuples if any(part in one for part in parts)]


def _gains(
    ones: Sequence[MarkedTuple], others: Sequence[MarkedTuple], parts: Sequence[str], matching: Matching
) -> FloatArray:
    """What each two tuples share, shape (ones, others)."""
    if matching == "exact":
        gains = [[float(_same(one, other, parts)) for other in others] for one in ones]
    else:
        gains = [[float(_overlap(one, other, parts)) for other in others] for one in ones]
    return np.array(gains, dtype=np.float64).reshape(len(ones), len(others))


def _same(one: MarkedTuple, other: MarkedTuple, parts: Sequence[str]) -> bool:
    return all(one.get(part) == other.get(part) for part in parts)


def _overlap(one: MarkedTuple, other: MarkedTuple, parts: Sequence[str]) -> int:
    return sum(one[part].overlap(other[part]) for part in parts if part in one and part in other)


def _matched(gains: FloatArray) -> float:
    rows, columns = linear_sum_assignment(gains, maximize=True)
    return float(gains[rows, columns].sum())


def _size(tuples: Sequence[MarkedTuple], parts: Sequence[str], matching: Matching) -> float:
    if matching == "exact":
        return float(len(tuples))
    return float(sum(one[part].length for one in tuples for part in parts if part in one))


def character_alpha(
    marks: Mapping[str, Marks], lengths: Mapping[str, int], part: str, resampling: Resampling
) -> Figure:
    """Krippendorff's nominal α of the question: does this character belong to a tenor, a vehicle?

    Parameters
    ----------
    marks
        Tuples of each annotator, by item.
    lengths
        Number of characters of each item's text.
    part
        `tenor`, `vehicle` or `ground`.
    resampling
        Replicates, seed and confidence of the bootstrap over items, whose characters stay together.

    Returns
    -------
    Figure
        A unit is a character. Wordings that do not stand in the text are left out.
    """
    rows = [
        (f"{item}\x1f{place}", item, annotator, float(marked))
        for annotator, of_items in marks.items()
        for item, tuples in of_items.items()
        for place, marked in enumerate(_marked(tuples, part, lengths[item]))
    ]
    frame = pd.DataFrame(rows, columns=["item", "group", "rater", "value"]).assign(criterion=part)
    return alpha(RatingsTable.from_frame(frame).criteria[part], "nominal", resampling)


def _marked(tuples: Sequence[MarkedTuple], part: str, length: int) -> list[bool]:
    marked = [False] * length
    for one in tuples:
        span = one.get(part)
        if span is not None and span.start is not None and span.end is not None:
            for place in range(span.start, min(span.end, length)):
                marked[place] = True
    return marked
