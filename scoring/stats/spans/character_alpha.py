"""Krippendorff's α of the marked characters: does this character belong to a tenor, a vehicle?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import NOT_LOCATED, Figure, Sample, refused
from scoring.stats.data.bootstrap.units import item_units
from scoring.stats.data.table import RatingsTable
from scoring.stats.spans.marked_tuples import MarkedTuple, MarksTable

VARIANT = "nominal, characters"


def character_alpha(
    table: MarksTable,
    lengths: Mapping[str, int],
    part: str,
    name: str,
    resampling: Resampling,
    groups: Mapping[str, str] | None = None,
) -> Figure:
    """Nominal α of the characters' membership in a part.

    Parameters
    ----------
    table
        Tuples of each annotator, by item.
    lengths
        Number of characters of each item's text.
    part
        `tenor`, `vehicle`, ...
    name
        Criterion of the figure.
    resampling
        Replicates, seed and confidence of the bootstrap over items, whose characters stay together, or over
        their groups.
    groups
        Group of each item that has one.

    Returns
    -------
    Figure
        A unit is a character, so `n_ratings` counts characters, once for each annotator. Of an annotator
        who did not locate every wording of the part nobody knows which characters are meant: that answer is
        left out, and where no item keeps two for that, the reason is `not_located`.

    References
    ----------
    Krippendorff (2019), chapter 12.
    """
    answers = [
        (item, rater, _marked(tuples, part, lengths[item]))
        for rater, items in table.raters.items()
        for item, tuples in items.items()
        if _is_located(tuples, part)
    ]
    if _none_met(item for item, _, _ in answers) and not _none_met(_looked_at(table)):
        sample = Sample(0, len(table.raters) if table.identified else None, 0)
        return refused((name, "alpha", VARIANT), NOT_LOCATED, sample, resampling.confidence)
    items = sorted({item for item, _, _ in answers})
    codes, unit = item_units(items, groups)
    frame = _frame(answers, dict(zip(items, codes, strict=True))).assign(criterion=name)
    ratings = RatingsTable.from_frame(frame, identified=table.identified)
    figure = alpha(ratings.criteria[name], "nominal", resampling)
    n_items = int(frame.groupby("text")["rater"].nunique().gt(1).sum())
    counts = f"variant:{VARIANT}|items:{n_items}|characters:{figure.n_items}|"
    signature = figure.signature.replace(f"variant:nominal|items:{figure.n_items}|", counts)
    # α sees characters in groups; what was drawn are the items, or the groups of those.
    method = figure.interval_method.replace("groups", unit)
    signature = signature.replace(f"|interval:{figure.interval_method}|", f"|interval:{method}|")
    return replace(figure, variant=VARIANT, n_items=n_items, interval_method=method, signature=signature)


def _frame(answers: Sequence[tuple[str, str, FloatArray]], units: Mapping[str, int]) -> pd.DataFrame:
    """One row a character and annotator: 1 where it is marked, else 0; drawn with its text's unit."""
    sizes = [len(marked) for _, _, marked in answers]
    return pd.DataFrame(
        {
            "item": [
                f"{item}\x1f{position}" for item, _, marked in answers for position in range(len(marked))
            ],
            "text": np.repeat(np.array([item for item, _, _ in answers], dtype=object), sizes),
            "group": np.repeat(np.array([str(units[item]) for item, _, _ in answers], dtype=object), sizes),
            "rater": np.repeat(np.array([rater for _, rater, _ in answers], dtype=object), sizes),
            "value": np.concatenate([np.zeros(0), *(marked for _, _, marked in answers)]),
        }
    )


def _is_located(tuples: Sequence[MarkedTuple], part: str) -> bool:
    """Whether every wording of the part is; also where there is none."""
    return all(mark.places for one in tuples for mark in one.get(part, ()))


def _looked_at(table: MarksTable) -> Iterable[str]:
    return (item for items in table.raters.values() for item in items)


def _none_met(items: Iterable[str]) -> bool:
    """Whether no item comes twice."""
    return max(Counter(items).values(), default=0) < 2


def _marked(tuples: Sequence[MarkedTuple], part: str, length: int) -> FloatArray:
    marked = np.zeros(length)
    marked[[position for one in tuples for mark in one.get(part, ()) for position in mark.places]] = 1.0
    return marked
