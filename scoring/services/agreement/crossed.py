"""Items that cross two factors, such as noun and phrase: mean ratings of every combination."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd

from annotation.models import Study

MOST_LEVELS = 80


def crossed_means(study: Study, rated: pd.DataFrame) -> dict[str, Any]:
    """Mean rating of every combination of two factors of the items' metadata.

    Parameters
    ----------
    study : Study
        Its items' metadata name the factors.
    rated : DataFrame
        Rows that count: `item`, `name` (criterion) and `value`.

    Returns
    -------
    dict
        `factors` (two keys) and `criteria`: for each the labels of `rows` and `columns`, both ordered by
        their sums, the greatest first, and `means`. Empty where no two factors cross completely.
    """
    metadata = dict(study.items.values_list("key", "metadata"))
    factors = _crossing(list(metadata.values()))
    if not factors:
        return {}
    first, second = factors
    known = rated.dropna(subset=["value"])
    labelled = known.assign(
        first=[str(metadata[item][first]) for item in known["item"]],
        second=[str(metadata[item][second]) for item in known["item"]],
    )
    return {
        "factors": [first, second],
        "criteria": {str(name): _table(rows) for name, rows in labelled.groupby("name", sort=False)},
    }


def _crossing(metadata: list[dict[str, Any]]) -> tuple[str, str] | None:
    """Two keys whose values occur in every combination exactly once."""
    if not metadata:
        return None
    shared = [key for key in metadata[0] if all(key in one for one in metadata)]
    levels = {key: {str(one[key]) for one in metadata} for key in shared}
    usable = [key for key in shared if 2 <= len(levels[key]) <= MOST_LEVELS]
    for first, second in combinations(usable, 2):
        pairs = {(str(one[first]), str(one[second])) for one in metadata}
        if len(pairs) == len(metadata) == len(levels[first]) * len(levels[second]):
            return first, second
    return None


def _table(rows: pd.DataFrame) -> dict[str, Any]:
    means = rows.pivot_table(index="first", columns="second", values="value", aggfunc="mean")
    by_row = means.sum(axis=1).sort_values(ascending=False, kind="stable").index
    by_column = means.sum(axis=0).sort_values(ascending=False, kind="stable").index
    ordered = means.loc[by_row, by_column]
    values = [
        [None if pd.isna(cell) else round(float(cell), 6) for cell in row] for row in ordered.to_numpy()
    ]
    return {"rows": list(ordered.index), "columns": list(ordered.columns), "means": values}
