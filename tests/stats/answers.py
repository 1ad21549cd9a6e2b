"""Answers from a table of who gave which item what."""

from __future__ import annotations

import numpy as np

from scoring.stats.data.answers import Answers
from scoring.stats.data.scale import Scale


def answers_of(cells: list[list[int | None]], seconds: float = 9.0) -> Answers:
    """One row an item, one column a rater; None where the rater did not answer."""
    given_ = [
        (item, rater, value)
        for item, row in enumerate(cells)
        for rater, value in enumerate(row)
        if value is not None
    ]
    item, rater, value = (np.array([one[place] for one in given_], dtype=np.int64) for place in range(3))
    n_raters = max((len(row) for row in cells), default=0)
    return Answers(
        item=item,
        rater=rater,
        form=np.zeros(len(item), dtype=np.int64),
        cannot=np.zeros(len(item), dtype=np.bool_),
        lacks_context=np.zeros(len(item), dtype=np.bool_),
        seconds=np.full(len(item), seconds),
        values={"quality": value.astype(np.float64)},
        scales={"quality": Scale(1.0, 5.0)},
        group=np.full(len(cells), -1, dtype=np.int64),
        item_labels=np.array([f"I{n}" for n in range(len(cells))], dtype=object),
        rater_labels=np.array([f"R{n}" for n in range(n_raters)], dtype=object),
        failed_checks=np.zeros(n_raters, dtype=np.int64),
        number=np.arange(len(item)),
    )
