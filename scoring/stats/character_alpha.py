"""Krippendorff's α of the marked characters: does this character belong to a tenor, a vehicle?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from scoring.stats.alpha import alpha
from scoring.stats.marks import MarkedTuple, MarksTable
from scoring.stats.resampling import FloatArray, Resampling
from scoring.stats.result import Figure
from scoring.stats.table import RatingsTable

VARIANT = "nominal, characters"


def character_alpha(
    table: MarksTable, lengths: Mapping[str, int], part: str, name: str, resampling: Resampling
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
        What the figure calls its criterion.
    resampling
        Replicates, seed and confidence of the bootstrap over items, whose characters stay together.

    Returns
    -------
    Figure
        A unit is a character: `n_items` counts characters. Wordings that are not located are left out.

    References
    ----------
    Krippendorff (2019), chapter 12.
    """
    frames = [
        pd.DataFrame(
            {
                "item": [f"{item}\x1f{place}" for place in range(lengths[item])],
                "group": item,
                "rater": rater,
                "value": _marked(tuples, part, lengths[item]),
            }
        )
        for rater, items in table.raters.items()
        for item, tuples in items.items()
    ]
    empty = pd.DataFrame(columns=["item", "group", "rater", "value"])
    frame = pd.concat(frames or [empty], ignore_index=True).assign(criterion=name)
    ratings = RatingsTable.from_frame(frame, identified=table.identified)
    figure = alpha(ratings.criteria[name], "nominal", resampling)
    signature = figure.signature.replace("variant:nominal", f"variant:{VARIANT}")
    return replace(figure, variant=VARIANT, signature=signature)


def _marked(tuples: Sequence[MarkedTuple], part: str, length: int) -> FloatArray:
    marked = np.zeros(length)
    marked[[place for one in tuples for mark in one.get(part, ()) for place in mark.places]] = 1.0
    return marked
