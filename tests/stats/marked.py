"""Marked tuples for tests: made by hand, and generated."""

from __future__ import annotations

import pandas as pd
from hypothesis import strategies as st

from scoring.stats.spans.marked_tuples import COLUMNS, Mark

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
