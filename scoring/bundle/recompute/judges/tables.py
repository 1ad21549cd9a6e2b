"""The tables of a report on judges."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, Drawing
from ..metrics.ceiling import compute_leave_one_out
from ..metrics.levels import make_meta_rows
from ..metrics.rated_items import RatedItems
from ..ratings import Ratings
from .judged import JudgedCriterion
from .means import list_means
from .orders import list_reversed
from .replacement import assess_replacement


def make_tables(criterion: JudgedCriterion, epsilon: float, drawing: Drawing) -> dict[str, list[Row]]:
    """Make the rows of every table of one criterion."""
    return {
        "agreement": list(list_agreement(criterion, drawing)),
        "test": [row for judge in criterion.judges for row in list_tests(criterion, judge, epsilon, drawing)],
        "means": [
            {"judge": judge, **row} for judge in criterion.judges for row in list_means(criterion, judge)
        ],
        "orders": [
            {"judge": judge, **row} for judge in criterion.judges for row in list_reversed(criterion, judge)
        ],
        "sizes": [count_sizes(criterion.ratings)],
    }


def list_agreement(criterion: JudgedCriterion, drawing: Drawing) -> Iterator[Row]:
    """Yield the correlation of one person with the others, then that of each judge with the mean."""
    pairable = criterion.ratings.pairable()
    lacking = len(criterion.ratings.raters) < 2 or pairable.n_items < 2 or pairable.constant
    person = compute_leave_one_out(pairable, drawing, lacking=lacking)
    yield {**person, "judge": "", "confidence": CONFIDENCE, "n_answers": len(criterion.ratings.value)}
    for judge in criterion.judges:
        scores = criterion.scores[judge]
        matched = scores.reindex(criterion.means.index).to_numpy()
        if np.isfinite(matched).any():
            (row,) = make_meta_rows(pair_up(criterion, judge, matched), "item", "pearson", drawing)
            yield {**row, "judge": judge, "n_answers": int(scores.notna().sum())}


def pair_up(criterion: JudgedCriterion, judge: str, matched: Array) -> RatedItems:
    """Put mean ratings and answers side by side; an item without a group is a group of its own."""
    means = criterion.means
    groups = criterion.places["group"].reindex(means.index)
    alone = [group or f"\0{item}" for item, group in groups.items()]
    group = pd.factorize(np.array(alone, dtype=object))[0] if (groups != "").any() else None
    sides = means.to_numpy()[:, None], matched[:, None]
    return RatedItems(tuple(means.index), (criterion.name,), (judge,), *sides, group, None, (), {})


def list_tests(criterion: JudgedCriterion, judge: str, epsilon: float, drawing: Drawing) -> Iterator[Row]:
    """Yield the test of a judge, and that of one value for each item that the judge answered."""
    scores, points = criterion.scores[judge], criterion.ratings.categories
    own = scores.reindex(criterion.ratings.items).to_numpy()
    n_off = int(((scores < points[0]) | (scores > points[-1])).sum())
    throughout = np.where(np.isfinite(own), criterion.ratings.value.mean(), np.nan)
    for values, constant in ((own, False), (throughout, True)):
        yield {
            "judge": judge,
            "constant": constant,
            "n_off_scale": 0 if constant else n_off,
            **assess_replacement(criterion.ratings, values, epsilon, drawing),
        }


def count_sizes(ratings: Ratings) -> Row:
    """Count the ratings of the items that have several."""
    several = ratings.sizes[ratings.sizes > 1]
    return {
        "fewest": int(several.min()) if len(several) else 0,
        "most": int(several.max(initial=0)),
        "grouped": ratings.group is not None,
    }
