"""Figures of all items of a study as arrays, one a column of the list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.models import FigureColumn, FigureSet
from scoring.stats.base.resampling import FloatArray

STORED = np.dtype("<f8")
DIVERGENCE = "divergence"
KEY, ITEM = "pk", "item"


def divergence_name(criterion: str, metric: str) -> str:
    """The name under which divergences of a criterion from a metric are stored.

    Parameters
    ----------
    criterion, metric : str
        Their names.
    """
    return f"{criterion}.{DIVERGENCE} {metric}"


def as_stored(column: FloatArray) -> bytes:
    """A column as the database keeps it.

    Parameters
    ----------
    column : ndarray, shape (items,)
        NaN where there is no figure.
    """
    return np.ascontiguousarray(column, dtype=STORED).tobytes()


def figure_columns(figure_set: FigureSet, names: Iterable[str]) -> dict[str, FloatArray]:
    """Columns by name, in one query.

    Parameters
    ----------
    figure_set : FigureSet
        Set of the figures.
    names : iterable of str
        What is wanted; `pk` always comes with them.

    Returns
    -------
    dict of ndarray, shape (items,)
        Full of NaN where nothing could be measured.
    """
    wanted = {KEY, *names}
    rows = FigureColumn.objects.filter(made=figure_set, name__in=wanted).values_list("name", "values")
    found = {name: np.frombuffer(values, dtype=STORED).astype(np.float64) for name, values in rows}
    # None are left where newer figures have just taken the place of these.
    size = len(found.get(KEY, ()))
    return {name: found[name] if name in found else np.full(size, np.nan) for name in wanted}


@dataclass(frozen=True)
class Divergences:
    """How far items lie from the score of a metric, by criterion.

    Parameters
    ----------
    place
        Key of a summary → its place in the columns.
    columns
        By criterion.
    """

    place: Mapping[int, int]
    columns: Mapping[str, FloatArray]

    @classmethod
    def of(cls, figure_set: FigureSet, metric: str, keys: Sequence[int]) -> Divergences:
        """Read the divergences of some items from a metric.

        Parameters
        ----------
        figure_set : FigureSet
            Set of the figures.
        metric : str
            The metric; empty for none.
        keys : sequence of int
            Primary keys of the summaries.
        """
        if not metric:
            return cls({}, {})
        names = {name: divergence_name(name, metric) for name in figure_set.metrics[metric]["criteria"]}
        found = figure_columns(figure_set, names.values())
        places = np.flatnonzero(np.isin(found[KEY], np.array(keys, dtype=np.float64)))
        place = dict(zip(found[KEY][places].astype(np.int64).tolist(), range(len(places)), strict=True))
        return cls(place, {name: found[stored][places] for name, stored in names.items()})

    def of_item(self, key: int) -> dict[str, float]:
        """Divergences of one item, by criterion; without those that cannot be measured.

        Parameters
        ----------
        key : int
            Primary key of the summary.
        """
        if key not in self.place:
            return {}
        values = {name: float(column[self.place[key]]) for name, column in self.columns.items()}
        return {name: value for name, value in values.items() if np.isfinite(value)}
