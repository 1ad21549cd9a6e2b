"""Pairs of candidates that a metric puts in another order than the raters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from scoring.stats.choices.orders.coded_orders import Orders


def inversion_rows(
    orders: Orders, candidates: Sequence[Sequence[str]], scores: Mapping[str, Mapping[str, float]]
) -> list[dict[str, Any]]:
    """Count the items in which a metric orders two candidates against most raters, by pair of candidates.

    Parameters
    ----------
    orders
        Of one question.
    candidates
        The candidate of each option of each answer.
    scores
        The score of each option, by item; higher is better. An option without one is left out.

    Returns
    -------
    list of dict
        `first` and `second` in alphabetical order; `n`, items in which both have scores and more raters put
        one above the other than below; `inverted`, those of them in which the metric puts them the other way
        round; `tied`, those in which it gives both the same score; `answers`, the answers to these items that
        put one above the other, and `against`, those of them that the metric contradicts. The most inverted
        pair first.
    """
    found: dict[tuple[str, str], Counter[str]] = {}
    for item, rows in orders.rows_of_items.items():
        of_item = scores.get(item, {})
        for one, other in combinations(range(len(orders.options)), 2):
            names = [candidates[int(rows[0])][place] for place in (one, other)]
            left, right = (of_item.get(orders.options[place]) for place in (one, other))
            if left is None or right is None or names[0] == names[1]:
                continue
            # The lower place is the better one.
            sides = np.sign(orders.place[rows, other] - orders.place[rows, one])
            sides = sides[(orders.place[rows, one] >= 0) & (orders.place[rows, other] >= 0)]
            raters, metric = np.sign(sides.sum()), np.sign(left - right)
            if raters:
                first, second = sorted(names)
                found.setdefault((first, second), Counter()).update(
                    n=1,
                    inverted=int(metric == -raters),
                    tied=int(metric == 0),
                    answers=int((sides != 0).sum()),
                    against=int((sides * metric < 0).sum()),
                )
    counted = ("n", "inverted", "tied", "answers", "against")
    rows_of = [
        {"first": first, "second": second, **{name: counts[name] for name in counted}}
        for (first, second), counts in found.items()
    ]
    return sorted(rows_of, key=lambda row: (-row["inverted"], -row["against"], row["first"], row["second"]))
