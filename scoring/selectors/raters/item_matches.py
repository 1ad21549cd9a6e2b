"""The items of a view of the list, in its order.

The database filters by texts, groups, systems and exclusions; figures are compared and sorted as columns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from annotation.models import Exclusion
from scoring.models import FigureSet, ItemSummary
from scoring.selectors.data.figure_columns import DIVERGENCE, ITEM, KEY, divergence_name, figure_columns
from scoring.selectors.raters.item_query import SPLIT_ANY, ItemView, bounds_of
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray

COMPARISONS: dict[str, Callable[[FloatArray, float], BoolArray]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
BY_SPREAD = ("-apart",)
Columns = dict[str, FloatArray]


class ItemKeys:
    """Keys of the summaries of a view, in its order, for a paginator.

    Parameters
    ----------
    figure_set : FigureSet
        The figures.
    view : ItemView
        Filters and order.
    """

    def __init__(self, figure_set: FigureSet, view: ItemView) -> None:
        self._figure_set, self._view = figure_set, view

    def __getitem__(self, part: slice) -> list[int]:
        """Some of the keys, in order."""
        return [int(key) for key in self._keys[part]]

    def count(self) -> int:
        """Number of items."""
        return len(self._keys)

    @cached_property
    def _keys(self) -> IntArray:
        return matching_keys(self._figure_set, self._view)


def matching_keys(figure_set: FigureSet, view: ItemView) -> IntArray:
    """Keys of the summaries of a view's items, in its order.

    Returns
    -------
    ndarray of int
        Items without a figure to sort by come last, whichever the direction; ties go by position.
    """
    order = view.sort or BY_SPREAD
    opposed = _opposed_on(figure_set, view)
    names = [_stored(column.lstrip("-"), view) for column in (*order, *(one.column for one in view.where))]
    ends = [f"{name}.{end}" for name in opposed for end in ("minimum", "maximum")]
    columns = figure_columns(figure_set, [*names, *ends, *([ITEM] if view.state else [])])
    matching = _of_texts(figure_set, view, columns) & _of_state(figure_set, view, columns)
    for one in view.where:
        matching &= COMPARISONS[one.sign](columns[_stored(one.column, view)], one.value)
    if opposed:
        matching &= np.logical_or.reduce([_opposed(figure_set, view, name, columns) for name in opposed])
    positions = np.flatnonzero(matching)
    # The last key of lexsort is the first to sort by; NaN comes last; what is equal stays in its place.
    by = [_directed(columns[_stored(name.lstrip("-"), view)][positions], name) for name in reversed(order)]
    return columns[KEY][positions[np.lexsort(by)]].astype(np.int64)


def item_keys(figure_set: FigureSet, view: ItemView) -> list[str]:
    """The items of a view by the keys that people see, in its order."""
    key_of = dict(ItemSummary.objects.filter(made=figure_set).values_list("pk", "key"))
    return [key_of[key] for key in matching_keys(figure_set, view).tolist() if key in key_of]


def excluded_among(figure_set: FigureSet, items: Sequence[int]) -> set[int]:
    """Which of the items are excluded now."""
    active = Exclusion.objects.filter(study=figure_set.study_id, item__in=items, lift__isnull=True)
    return set(active.values_list("item__pk", flat=True))


def _stored(column: str, view: ItemView) -> str:
    criterion, _, figure = column.rpartition(".")
    return divergence_name(criterion, view.metric) if criterion and figure == DIVERGENCE else column


def _directed(column: FloatArray, name: str) -> FloatArray:
    return -column if name.startswith("-") else column


def _of_texts(figure_set: FigureSet, view: ItemView, columns: Columns) -> BoolArray:
    """Items with the text that is searched for, of a group and system."""
    found = ItemSummary.objects.filter(made=figure_set)
    asked: dict[str, str] = {name: getattr(view, name) for name in ("group", "system") if getattr(view, name)}
    if view.q:
        asked["search__contains"] = view.q.casefold()
    if not asked:
        return np.ones(len(columns[KEY]), dtype=np.bool_)
    return _among(columns[KEY], found.filter(**asked).order_by().values_list("pk", flat=True))


def _of_state(figure_set: FigureSet, view: ItemView, columns: Columns) -> BoolArray:
    if not view.state:
        return np.ones(len(columns[KEY]), dtype=np.bool_)
    out = Exclusion.objects.filter(study=figure_set.study_id, item__isnull=False, lift__isnull=True)
    excluded = _among(columns[ITEM], out.values_list("item", flat=True))
    return excluded if view.state == "excluded" else ~excluded


def _among(keys: FloatArray, chosen: Any) -> BoolArray:
    wanted = np.fromiter(chosen, dtype=np.int64)
    return np.isin(keys.astype(np.int64), wanted)


def _opposed_on(figure_set: FigureSet, view: ItemView) -> list[str]:
    """The criteria on one of which raters have to be opposed."""
    if view.split == SPLIT_ANY:
        return [criterion["name"] for criterion in figure_set.criteria]
    return [view.split] if view.split else []


def _opposed(figure_set: FigureSet, view: ItemView, criterion: str, columns: Columns) -> BoolArray:
    low, high = bounds_of(figure_set, view, criterion)
    least, greatest = columns[f"{criterion}.minimum"], columns[f"{criterion}.maximum"]
    return np.asarray((least <= low) & (greatest >= high), dtype=np.bool_)
