"""Krippendorff's α of the marked characters: does this character belong to a tenor, a vehicle?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling
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
        A unit is a character, so `n_ratings` counts characters, once for each annotator. If an
        annotator did not locate every wording of the part, it is unknown which characters are meant: that
        answer is left out, and where no item has two answers left, the reason is `not_located`.

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
    return alpha_of_characters(
        answers, name, "nominal", VARIANT, identified=table.identified, resampling=resampling, groups=groups
    )


def alpha_of_characters(
    answers: Sequence[tuple[str, str, FloatArray]],
    name: str,
    level: Level,
    variant: str,
    *,
    identified: bool,
    resampling: Resampling,
    groups: Mapping[str, str] | None = None,
) -> Figure:
    """Krippendorff's α of what annotators say of each character of texts.

    Parameters
    ----------
    answers
        Item, annotator, and a value for each character of the item's text; at least one answer.
    name
        Criterion of the figure.
    level
        Level of measurement of the values.
    variant
        Of the figure.
    identified
        Whether annotators are persons.
    resampling
        Replicates, seed and confidence of the bootstrap over items, whose characters stay together, or over
        their groups.
    groups
        Group of each item that has one.
    """
    items = sorted({item for item, _, _ in answers})
    codes, unit = item_units(items, groups)
    frame, times = _frame(answers, dict(zip(items, codes, strict=True)))
    ratings = RatingsTable.from_frame(frame.assign(criterion=name), identified=identified)
    figure = alpha(ratings.criteria[name], level, resampling, times)
    n_items = int(frame.groupby("text")["rater"].nunique().gt(1).sum())
    counts = f"variant:{variant}|items:{n_items}|characters:{figure.n_items}|"
    signature = figure.signature.replace(f"variant:{level}|items:{figure.n_items}|", counts)
    # α sees characters in groups; what was drawn are the items, or the groups of those.
    method = figure.interval_method.replace("groups", unit)
    signature = signature.replace(f"|interval:{figure.interval_method}|", f"|interval:{method}|")
    return replace(figure, variant=variant, n_items=n_items, interval_method=method, signature=signature)


def _frame(
    answers: Sequence[tuple[str, str, FloatArray]], units: Mapping[str, int]
) -> tuple[pd.DataFrame, dict[str, int]]:
    """One row per stretch and annotator, with the unit of its text; and each stretch's number of characters.

    Each annotator gives all characters of a stretch the same value. The first character of a text is a
    stretch of its own, so that a text of several characters is never a single item.
    """
    by_text: dict[str, list[tuple[str, FloatArray]]] = {}
    for item, rater, of_characters in answers:
        by_text.setdefault(item, []).append((rater, of_characters))
    times: dict[str, int] = {}
    rows: list[tuple[str, str, str, str, float]] = []
    for item, of_text in by_text.items():
        starts, sizes = _stretches([values for _, values in of_text])
        labels = [f"{item}\x1f{start}" for start in starts]
        times |= dict(zip(labels, sizes.tolist(), strict=True))
        for rater, of_characters in of_text:
            values = of_characters[starts].tolist()
            rows += [
                (label, item, str(units[item]), rater, value)
                for label, value in zip(labels, values, strict=True)
            ]
    return pd.DataFrame(rows, columns=["item", "text", "group", "rater", "value"]), times


def _stretches(answers: Sequence[FloatArray]) -> tuple[IntArray, IntArray]:
    """Starts and lengths of the stretches in which no annotator's value changes."""
    length = len(answers[0])
    changes = np.zeros(length, dtype=bool)
    changes[:2] = True
    for one in answers:
        changes[1:] |= one[1:] != one[:-1]
    starts = np.flatnonzero(changes)
    return starts, np.diff(starts, append=length)


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
