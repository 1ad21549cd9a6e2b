"""Words for the columns and filters of the item list, and the links of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.models import FigureSet
from scoring.selectors.data.figure_columns import DIVERGENCE
from scoring.selectors.raters.item_query import OF_CRITERION, ItemView


def figure_names() -> dict[str, str]:
    """Each column of the list in words."""
    return {
        "position": _("position"),
        "key": _("Item"),
        "group": _("Group"),
        "system": _("System"),
        "n_answers": _("Responses"),
        "n_cannot": _("can’t rate"),
        "n_context": _("not enough context"),
        "apart": _("mean difference"),
        "n": _("ratings"),
        "mean": _("mean"),
        "sd": _("SD"),
        "range": _("range"),
        "low": _("95% CI, lower limit"),
        "high": _("95% CI, upper limit"),
        "from_alpha": _("contribution to 1 − α"),
        DIVERGENCE: _("difference from metric"),
    }


def column_words(column: str) -> str:
    """`quality.sd` → `quality, sd`; `group` → `Group`."""
    criterion, _dot, figure = column.rpartition(".")
    name = figure_names()[figure]
    return f"{criterion}, {name}" if criterion else name


def column_choices(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Columns with their words, for a list to choose from."""
    return [(column, column_words(column)) for column in columns]


def heads(view: ItemView) -> dict[str, dict[str, str]]:
    """Columns of the item with the link and the sort direction of each."""
    return {name: _head(view, name) for name in ("key", "group", "system", "n_answers", "n_cannot", "apart")}


def criterion_heads(figure_set: FigureSet, view: ItemView) -> list[dict[str, Any]]:
    """The criteria with their scales, and the heads of the figures shown of each."""
    return [
        {
            **scale,
            "head": _head(view, f"{scale['name']}.sd"),
            "figures": [_head(view, f"{scale['name']}.{figure}") for figure in view.show],
        }
        for scale in figure_set.criteria
    ]


def named_figures(cell: Mapping[str, Any], view: ItemView) -> dict[str, Any]:
    """A criterion of an item, with each figure shown after its name."""
    names = figure_names()
    figures = [(names[key], value) for key, value in zip(view.show, cell["figures"], strict=True)]
    return {**cell, "figures": figures}


def chips(view: ItemView) -> list[dict[str, str]]:
    """The active filters, each with the URL of the view without it."""
    found = []
    for one in view.where:
        left = tuple(other for other in view.where if other != one)
        words = f"{column_words(one.column)} {one.sign} {one.value:g}"
        found.append({"words": words, "without": view.query(where=left)})
    return found


def _head(view: ItemView, column: str) -> dict[str, str]:
    """The first click sorts by the column in descending order, the second reverses it."""
    first = view.sort[0] if view.sort else ("-apart" if column == "apart" else "")
    down, up = f"-{column}", column
    starts_down = column not in {"key", "group", "system"}
    if first == down:
        wanted = up
    elif first == up:
        wanted = down
    else:
        wanted = down if starts_down else up
    others = tuple(one for one in view.sort if one.lstrip("-") != column)
    way = {down: "descending", up: "ascending"}.get(first, "")
    figure = column.rpartition(".")[2]
    return {"words": figure_names()[figure], "query": view.query(sort=(wanted, *others)[:4]), "way": way}


def figure_choices(view: ItemView) -> list[tuple[str, str]]:
    """The figures that can be shown of each criterion, with their words."""
    names = figure_names()
    figures = (*OF_CRITERION, DIVERGENCE) if view.metric else OF_CRITERION
    return [(figure, names[figure]) for figure in figures]
