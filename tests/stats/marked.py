"""Marked tuples for tests: made by hand, and generated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from hypothesis import strategies as st

from scoring.stats.spans.marked_tuples import COLUMNS, Mark, Marks
from scoring.stats.spans.matched_spans import Matching, shared

LENGTH = 12
RATERS = ("A", "B", "C")
ITEMS = ("i1", "i2", "i3")

places = st.frozensets(st.integers(0, LENGTH - 1), min_size=1, max_size=5)
marks = st.one_of(
    places.map(lambda found: Mark("", found)), st.sampled_from(["quiet", "loud sound"]).map(Mark)
)
parts = st.lists(marks, max_size=2, unique=True)
tuples = st.lists(st.fixed_dictionaries({"tenor": parts, "vehicle": parts}), max_size=4)
marked_items = st.dictionaries(st.sampled_from(ITEMS), tuples, min_size=1)

spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 4)).map(
    lambda pair: (pair[0], min(LENGTH, pair[0] + pair[1]))
)
rows = st.builds(
    lambda item, rater, number, part, span: {
        "item": item,
        "rater": rater,
        "tuple": number,
        "part": part,
        "start": span[0],
        "end": span[1],
        "text": f"{part} {span}",
    },
    st.sampled_from(ITEMS),
    st.sampled_from(RATERS),
    st.integers(1, 2),
    st.sampled_from(("tenor", "vehicle", "ground")),
    spans,
)
frames = st.lists(rows, min_size=1, max_size=25, unique_by=lambda row: tuple(row.values())).map(
    lambda found: pd.DataFrame(found, columns=list(COLUMNS))
)


def frame_of(*marked: tuple[object, ...]) -> pd.DataFrame:
    """Rows of item, rater, tuple, part, start, end, text."""
    return pd.DataFrame(marked, columns=list(COLUMNS)).astype(object)


@dataclass(frozen=True)
class PairAgreement:
    """Precision and recall of the second annotator against the first, and F1, summed over the items."""

    precision: float
    recall: float
    f1: float
    n_items: int
    n_first: int
    n_second: int


def span_agreement(first: Marks, second: Marks, parts: Sequence[str], matching: Matching) -> PairAgreement:
    """Two annotators on the items that both have looked at; NaN where there is nothing to divide by."""
    items = sorted(first.keys() & second.keys())
    found = [shared(first[item], second[item], parts, matching) for item in items]
    hits, ones, others = (sum(getattr(one, name) for one in found) for name in ("hits", "first", "second"))
    return PairAgreement(
        precision=hits / others if others else math.nan,
        recall=hits / ones if ones else math.nan,
        f1=2 * hits / (ones + others) if ones + others else math.nan,
        n_items=len(items),
        n_first=sum(one.n_first for one in found),
        n_second=sum(one.n_second for one in found),
    )
