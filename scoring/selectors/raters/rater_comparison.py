"""One rater next to the others, from stored figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

from annotation.models import Rater
from scoring.models import FigureSet, RaterFigure

FEWEST_OTHERS = 3
# In percent of the width of a strip.
LEFT, RIGHT = 3.0, 97.0
COLUMNS = ("held_out", "severity", "flat", "seconds", "failed")


@dataclass(frozen=True)
class Compared:
    """A figure of a rater among those of `n` others.

    `rank` counts from the lowest of all, ties as the lowest of them. Positions are percentages of a strip
    from the lowest to the highest value.
    """

    column: str
    value: float
    median: float
    n: int
    rank: int
    x: float
    low: float
    high: float
    middle: float


def compared_with_others(figure_set: FigureSet | None, rater: Rater) -> list[Compared]:
    """The stored figures of a rater, each among those of all other raters, in one query.

    Parameters
    ----------
    figure_set : FigureSet or None
        The stored figures; without them there is nothing to compare.
    rater : Rater
        A rater of the study.

    Returns
    -------
    list of Compared
        Figures that the rater and at least 3 others have.
    """
    if figure_set is None:
        return []
    fields = ("rater", "held_out", "severity", "flat", "seconds", "n_failed", "n_checks")
    own: dict[str, float] = {}
    others: dict[str, list[float]] = {column: [] for column in COLUMNS}
    for key, held_out, severity, flat, seconds, failed, checks in RaterFigure.objects.filter(
        made=figure_set
    ).values_list(*fields):
        share = failed / checks if checks else None
        for column, value in zip(COLUMNS, (held_out, severity, flat, seconds, share), strict=True):
            if value is not None and key == rater.pk:
                own[column] = value
            elif value is not None:
                others[column].append(value)
    return [
        _compared(column, own[column], others[column])
        for column in COLUMNS
        if column in own and len(others[column]) >= FEWEST_OTHERS
    ]


def _compared(column: str, value: float, others: Sequence[float]) -> Compared:
    low, high = min(value, *others), max(value, *others)
    quarters = quantiles(others, n=4, method="inclusive")

    def position(one: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * ((one - low) / (high - low) if high > low else 0.5), 2)

    return Compared(
        column,
        value,
        median=quarters[1],
        n=len(others),
        rank=1 + sum(one < value for one in others),
        x=position(value),
        low=position(quarters[0]),
        high=position(quarters[2]),
        middle=position(quarters[1]),
    )
