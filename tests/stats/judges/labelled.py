"""Random answers of raters and a judge to a question with options, for tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from scoring.stats.data.table import Ratings, RatingsTable


def options_rated(
    seed: int, *, items: int = 40, raters: int = 4, options: int = 3, share: float = 0.7, groups: int = 0
) -> Ratings:
    """Options that raters chose for a share of the items each; the true option is chosen more often."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, options, items)
    rows = [
        (
            f"i{item:03}",
            f"r{rater}",
            "kind",
            int(truth[item] if draw.random() < 0.6 else draw.integers(0, options)),
            f"g{item % groups}" if groups else "",
        )
        for item in range(items)
        for rater in range(raters)
        if rater == item % raters or draw.random() < share
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "criterion", "value", "group"])
    frame = frame if groups else frame.drop(columns="group")
    table = RatingsTable.from_frame(frame, scales={"kind": (0, options - 1)})
    return replace(table.criteria["kind"], nominal=True)


def options_judged(ratings: Ratings, seed: int, missing: float = 0.1) -> np.ndarray:
    """A judge’s option for most items."""
    draw = np.random.default_rng(seed)
    judge = draw.integers(0, len(ratings.categories), ratings.n_items).astype(float)
    judge[draw.random(ratings.n_items) < missing] = np.nan
    return judge


def answers_by_item(ratings: Ratings) -> dict[int, list[int]]:
    """The options that the raters of each item chose."""
    found: dict[int, list[int]] = {item: [] for item in range(ratings.n_items)}
    for item, value in zip(ratings.item, ratings.value, strict=True):
        found[int(item)].append(int(value))
    return found
