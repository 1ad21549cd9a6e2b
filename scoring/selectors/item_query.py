"""The item list as its address says it: search, filters, order; answered by the database."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import (
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.http import QueryDict

from annotation.models import Exclusion
from scoring.models import FigureSet, ItemFigure, ItemSummary
from scoring.stats.disagreement import opposition_bounds

OF_ITEM = ("position", "key", "group", "system", "n_answers", "n_cannot", "n_context", "apart")
OF_CRITERION = ("n", "n_cannot", "mean", "sd", "range", "low", "high", "apart", "from_alpha")
DIVERGENCE = "divergence"
STATES = ("", "included", "excluded")
COMPARISONS = {">=": "gte", "<=": "lte", ">": "gt", "<": "lt", "=": "exact"}
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
        """What stands behind the question mark, with some parts changed."""
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


def columns_of(made: FigureSet, metric: str = "") -> list[str]:
    """The columns that the list can be sorted and filtered by.

    Parameters
    ----------
    made : FigureSet
        Names the criteria.
    metric : str
        With one, divergences from it are columns too.

    Returns
    -------
    list of str
        Those of the item, then `criterion.figure` for every criterion.
    """
    figures = (*OF_CRITERION, DIVERGENCE) if metric else OF_CRITERION
    return [*OF_ITEM, *(f"{one['name']}.{figure}" for one in made.criteria for figure in figures)]


def read_view(asked: QueryDict, made: FigureSet) -> ItemView:
    """The view that an address asks for; what cannot be read is left out and told.

    Parameters
    ----------
    asked : QueryDict
        Of the address.
    made : FigureSet
        Names criteria and metrics.

    Returns
    -------
    ItemView
        With a sentence in `problems` for every part that was left out.
    """
    problems: list[str] = []
    metric = asked.get("metric", "")
    if metric and metric not in made.metrics:
        problems.append(f"There are no scores of {metric!r}.")
        metric = ""
    columns = columns_of(made, metric)
    known = (*OF_CRITERION, DIVERGENCE) if metric else OF_CRITERION
    names = [one["name"] for one in made.criteria]
    split = asked.get("split", "")
    if split and split not in (SPLIT_ANY, *names):
        problems.append(f"There is no criterion {split!r}.")
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


def items_of(made: FigureSet, view: ItemView) -> QuerySet[ItemSummary]:
    """The items of a view in its order.

    Parameters
    ----------
    made : FigureSet
        The figures.
    view : ItemView
        What is asked for.

    Returns
    -------
    QuerySet of ItemSummary
        Those without a figure to sort by come last, whichever the direction.
    """
    order = view.sort or ("-apart",)
    found = matching(made, view, [column.lstrip("-") for column in order])
    terms = []
    for column in order:
        expression = F(_lookup(column.lstrip("-"), made))
        down = column.startswith("-")
        terms.append(expression.desc(nulls_last=True) if down else expression.asc(nulls_last=True))
    return found.order_by(*terms, "position", "pk")


class ItemKeys:
    """Keys of the summaries of a view for a paginator: counted without what only sorting needs.

    Parameters
    ----------
    made : FigureSet
        The figures.
    view : ItemView
        What is asked for.
    """

    def __init__(self, made: FigureSet, view: ItemView) -> None:
        self._made, self._view = made, view

    def __getitem__(self, part: slice) -> list[int]:
        """Some of the keys, in order."""
        return list(items_of(self._made, self._view).values_list("pk", flat=True)[part])

    def count(self) -> int:
        """Number of items."""
        return matching(self._made, self._view).count()


def matching(made: FigureSet, view: ItemView, columns: Sequence[str] = ()) -> QuerySet[ItemSummary]:
    """The items of a view in no order.

    Parameters
    ----------
    made : FigureSet
        The figures.
    view : ItemView
        What is asked for.
    columns : sequence of str
        Columns that the caller goes on to use.
    """
    needed = [*columns, *(one.column for one in view.where)]
    found = _joined(ItemSummary.objects.filter(made=made), made, view.metric, needed)
    if view.q:
        found = found.filter(search__contains=view.q.casefold())
    for name in ("group", "system"):
        if getattr(view, name):
            found = found.filter(**{name: getattr(view, name)})
    if view.state:
        out = Exclusion.objects.filter(study=made.study_id, item__isnull=False, lift__isnull=True)
        among = Q(item__in=out.values("item"))
        found = found.filter(among if view.state == "excluded" else ~among)
    for one in view.where:
        found = found.filter(**{f"{_lookup(one.column, made)}__{COMPARISONS[one.sign]}": one.value})
    opposed = _opposed_on(made, view)
    if not opposed:
        return found
    either = Q()
    for name in opposed:
        low, high = bounds_of(made, view, name)
        either |= Q(criterion=name, minimum__lte=low, maximum__gte=high)
    # One look at all figures, and not a join for every criterion.
    return found.filter(Exists(ItemFigure.objects.filter(either, summary=OuterRef("pk"))))


def bounds_of(made: FigureSet, view: ItemView, criterion: str) -> tuple[float, float]:
    """What counts as low and as high on a criterion in a view.

    Parameters
    ----------
    made : FigureSet
        Knows the scales.
    view : ItemView
        May say other bounds.
    criterion : str
        Its name.
    """
    scale = next(one for one in made.criteria if one["name"] == criterion)
    low, high = opposition_bounds(scale["minimum"], scale["maximum"])
    return low if view.low is None else view.low, high if view.high is None else view.high


def excluded_among(made: FigureSet, items: Sequence[int]) -> set[int]:
    """Which of the items are excluded now.

    Parameters
    ----------
    made : FigureSet
        Of their study.
    items : sequence of int
        Keys of items.
    """
    standing = Exclusion.objects.filter(study=made.study_id, item__in=items, lift__isnull=True)
    return set(standing.values_list("item__pk", flat=True))


def divergences(made: FigureSet, metric: str, rows: Sequence[ItemSummary]) -> dict[int, dict[str, float]]:
    """Divergence from a metric by item and criterion, for some items.

    Parameters
    ----------
    made : FigureSet
        Says what divergences are measured with.
    metric : str
        The metric.
    rows : sequence of ItemSummary
        The items.
    """
    chosen = ItemSummary.objects.filter(pk__in=[row.pk for row in rows])
    names = list(made.metrics[metric]["criteria"])
    columns = [f"{name}.{DIVERGENCE}" for name in names]
    found = _joined(chosen, made, metric, columns)
    shown = {f"shown{place}": F(_lookup(column, made)) for place, column in enumerate(columns)}
    return {
        pk: {name: value for name, value in zip(names, values, strict=True) if value is not None}
        for pk, *values in found.annotate(**shown).values_list("pk", *shown)
    }


def _opposed_on(made: FigureSet, view: ItemView) -> list[str]:
    """The criteria on one of which raters have to be opposed."""
    if view.split == SPLIT_ANY:
        return [one["name"] for one in made.criteria]
    return [view.split] if view.split else []


def _joined(
    found: QuerySet[ItemSummary], made: FigureSet, metric: str, columns: Sequence[str]
) -> QuerySet[ItemSummary]:
    """With the figures of the criteria that the columns name, and scores where a divergence is asked for."""
    parts = [column.rpartition(".") for column in dict.fromkeys(columns)]
    for criterion in dict.fromkeys(criterion for criterion, _, _ in parts if criterion):
        figures = FilteredRelation("figures", condition=Q(figures__criterion=criterion))
        found = found.alias(**{_alias(criterion, made): figures})
    diverging = [criterion for criterion, _, figure in parts if figure == DIVERGENCE]
    if not diverging:
        return found
    told = made.metrics[metric]
    of_metric = Q(item__scores__run=told["run"], item__scores__metric=metric)
    found = found.alias(scored=FilteredRelation("item__scores", condition=of_metric))
    for criterion in diverging:
        expression = _divergence(made, told, criterion)
        found = found.alias(**{_lookup(f"{criterion}.{DIVERGENCE}", made): expression})
    return found


def _divergence(made: FigureSet, told: Mapping[str, Any], criterion: str) -> Combinable:
    """As `scoring.stats.disagreement.divergence`, by the database; null where it cannot be measured."""
    standard: Mapping[str, float] | None = told["criteria"].get(criterion)
    if standard is None:
        # PostgreSQL refuses to sort by a bare constant.
        return Cast(Value(None), FloatField())
    human = (F(f"{_alias(criterion, made)}__mean") - standard["mean"]) / standard["sd"]
    score = (F("scored__value") - standard["score_mean"]) / standard["score_sd"]
    return ExpressionWrapper(human - told["sign"] * score, output_field=FloatField())


def _alias(criterion: str, made: FigureSet) -> str:
    place = [one["name"] for one in made.criteria].index(criterion)
    return f"criterion{place}"


def _lookup(column: str, made: FigureSet) -> str:
    criterion, _, figure = column.rpartition(".")
    if not criterion:
        return figure
    alias = _alias(criterion, made)
    return f"{alias}_{DIVERGENCE}" if figure == DIVERGENCE else f"{alias}__{figure}"


def _bound(text: str, problems: list[str]) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problems.append(f"{text!r} is not a number.")
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
            problems.append(f"The filter {text!r} names no column with numbers.")
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
            problems.append(f"There is no column {name!r} to sort by.")
        elif name.lstrip("-") not in [one.lstrip("-") for one in found]:
            found.append(name)
    return tuple(found[:MOST_SORTS])
