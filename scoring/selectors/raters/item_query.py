"""The item list of a URL: search, filters, order."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from annotation.domain.base.messages import message
from scoring.models import FigureSet
from scoring.selectors.data.figure_columns import DIVERGENCE
from scoring.stats.raters.disagreement import opposition_bounds, ratio_opposition_bounds

OF_ITEM = ("position", "key", "group", "system", "n_answers", "n_cannot", "n_context", "apart")
OF_CRITERION = ("n", "n_cannot", "mean", "sd", "range", "low", "high", "apart", "from_alpha")
STATES = ("", "included", "excluded")
CONDITION = re.compile(r"(?P<column>.+?)(?P<sign>>=|<=|>|<|=)(?P<value>[^<>=]*)")
MOST_FILTERS, MOST_SORTS = 12, 4
SPLIT_ANY = "any"


@dataclass(frozen=True)
class Where:
    """A bound on a column, such as `quality.sd>=1.2`."""

    column: str
    sign: str
    value: float

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{self.value:g}"


@dataclass(frozen=True)
class ItemView:
    """What an address of the list asks for. `sort` names columns, with a minus for the greatest first.

    `metric` is the one that divergences are taken from; `low` and `high` bound what is opposed.
    """

    q: str = ""
    group: str = ""
    system: str = ""
    state: str = ""
    split: str = ""
    low: float | None = None
    high: float | None = None
    where: tuple[Where, ...] = ()
    sort: tuple[str, ...] = ()
    metric: str = ""
    show: tuple[str, ...] = ()
    problems: tuple[str, ...] = field(default=(), compare=False)

    def query(self, **changed: Any) -> str:
        """The query of the URL, with some parts changed."""
        view, written = replace(self, **changed), QueryDict(mutable=True)
        for name in ("q", "group", "system", "state", "split", "metric"):
            if getattr(view, name):
                written[name] = getattr(view, name)
        for name in ("low", "high"):
            if getattr(view, name) is not None:
                written[name] = f"{getattr(view, name):g}"
        written.setlist("where", [str(one) for one in view.where])
        if view.sort:
            written["sort"] = ",".join(view.sort)
        written.setlist("show", list(view.show))
        return written.urlencode()


def columns_of(figure_set: FigureSet, metric: str = "") -> list[str]:
    """The columns that the list can be sorted and filtered by.

    Parameters
    ----------
    figure_set : FigureSet
        Figures with the names of the criteria.
    metric : str
        Metric whose divergences are columns too.

    Returns
    -------
    list of str
        Columns of the item, then `criterion.figure` for every criterion.
    """
    figures = (*OF_CRITERION, DIVERGENCE) if metric else OF_CRITERION
    return [
        *OF_ITEM,
        *(f"{criterion['name']}.{figure}" for criterion in figure_set.criteria for figure in figures),
    ]


def read_view(asked: QueryDict, figure_set: FigureSet) -> ItemView:
    """Read the view from the query of a URL, leaving out what is invalid.

    Returns
    -------
    ItemView
        With a sentence in `problems` for every part that was left out.
    """
    problems: list[str] = []
    metric = asked.get("metric", "")
    if metric and metric not in figure_set.metrics:
        problems.append(
            message("There are no scores of %(metric)s. Choose another metric.", metric=repr(metric))
        )
        metric = ""
    columns = columns_of(figure_set, metric)
    known = (*OF_CRITERION, DIVERGENCE) if metric else OF_CRITERION
    names = [criterion["name"] for criterion in figure_set.criteria]
    split = asked.get("split", "")
    if split and split not in (SPLIT_ANY, *names):
        problems.append(message("There is no criterion %(name)s. Choose another one.", name=repr(split)))
        split = ""
    state = asked.get("state", "")
    return ItemView(
        q=asked.get("q", "").strip().replace("\x00", ""),
        group=asked.get("group", "").strip().replace("\x00", ""),
        system=asked.get("system", "").strip().replace("\x00", ""),
        state=state if state in STATES else "",
        split=split,
        low=_bound(asked.get("low", ""), problems),
        high=_bound(asked.get("high", ""), problems),
        where=_filters(asked, columns, problems),
        sort=_sorts(asked, columns, problems),
        metric=metric,
        show=tuple(figure for figure in known if figure in asked.getlist("show")),
        problems=tuple(problems),
    )


def bounds_of(figure_set: FigureSet, view: ItemView, criterion: str) -> tuple[float, float]:
    """The bounds of low and high values on a criterion: those of the view, else those of the scale."""
    scale = next(one for one in figure_set.criteria if one["name"] == criterion)
    low, high = _quarters(scale)
    return low if view.low is None else view.low, high if view.high is None else view.high


def _quarters(scale: Mapping[str, Any]) -> tuple[float, float]:
    """The ends of the lowest and the highest quarter; where ratios count, of the logarithms given."""
    low, high = float(scale["minimum"]), float(scale["maximum"])
    return ratio_opposition_bounds(low, high) if scale.get("logarithmic") else opposition_bounds(low, high)


def _bound(text: str, problems: list[str]) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problems.append(message("%(text)s is not a number. The bound was ignored.", text=repr(text)))
        return None
    return value


def _filters(asked: QueryDict, columns: Sequence[str], problems: list[str]) -> tuple[Where, ...]:
    found: list[Where] = []
    texts = [text for text in asked.getlist("where") if text.strip()]
    column, value = asked.get("column", ""), asked.get("value", "").strip()
    if column and value:
        texts.append(f"{column}{asked.get('sign', '>=')}{value}")
    for text in texts[:MOST_FILTERS]:
        parts = CONDITION.fullmatch(text.strip())
        if parts is None or parts["column"] not in columns or parts["column"] in {"key", "group", "system"}:
            problems.append(
                message(
                    "The filter %(filter)s was ignored: it needs a column with numbers.", filter=repr(text)
                )
            )
            continue
        bound = _bound(parts["value"], problems)
        if bound is not None and (one := Where(parts["column"], parts["sign"], bound)) not in found:
            found.append(one)
    return tuple(found)


def _sorts(asked: QueryDict, columns: Sequence[str], problems: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    wanted = [name for text in asked.getlist("sort") for name in text.split(",") if name.strip()]
    then = asked.get("then", "").strip()
    for name in [*wanted, *([then] if then else [])]:
        if name.lstrip("-") not in columns:
            problems.append(message("There is no column %(column)s to sort by.", column=repr(name)))
        elif name.lstrip("-") not in [one.lstrip("-") for one in found]:
            found.append(name)
    return tuple(found[:MOST_SORTS])
