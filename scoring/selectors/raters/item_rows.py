"""The rows of the item list, for the page and for a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.models import Item
from annotation.selectors.base.table_types import Table
from annotation.selectors.items.rating_dots import list_ratings, rating_dots
from scoring.models import FigureSet, ItemFigure, ItemSummary
from scoring.selectors.data.figure_columns import DIVERGENCE, Divergences
from scoring.selectors.data.item_texts import text_field
from scoring.selectors.raters.item_matches import excluded_among, matching_keys
from scoring.selectors.raters.item_query import OF_CRITERION, ItemView, bounds_of

CHUNK_SIZE = 500
FILE_FIGURES = (
    "n",
    "n_cannot",
    "mean",
    "sd",
    "low",
    "high",
    "minimum",
    "maximum",
    "range",
    "apart",
    "from_alpha",
)


def page_rows(
    figure_set: FigureSet, view: ItemView, summaries: Sequence[ItemSummary], caught: set[int]
) -> list[dict[str, Any]]:
    """What the page shows of each item, in a fixed number of queries.

    Parameters
    ----------
    figure_set : FigureSet
        The figures.
    view : ItemView
        View with the figures to show.
    summaries : sequence of ItemSummary
        The items of the page.
    caught : set of int
        Keys of items that the rule in the margin catches.

    Returns
    -------
    list of dict
        `summary`, `text`, `excluded`, `caught`, and in `criteria` for each criterion `strip`, `opposed`
        and the figures shown.
    """
    figures = figures_by_summary(summaries)
    texts = dict(Item.objects.filter(pk__in=[one.item_id for one in summaries]).values_list("pk", "fields"))
    excluded = excluded_among(figure_set, [one.item_id for one in summaries])
    diverging = Divergences.of(figure_set, view.metric, [one.pk for one in summaries])
    rows = []
    for summary in summaries:
        fields = texts.get(summary.item_id, {})
        rows.append(
            {
                "summary": summary,
                "text": fields.get(text_field(fields), ""),
                "excluded": summary.item_id in excluded,
                "caught": summary.item_id in caught,
                "criteria": [
                    _cell(
                        figure_set,
                        view,
                        scale,
                        figures[summary.pk].get(scale["name"]),
                        diverging.of_item(summary.pk),
                    )
                    for scale in figure_set.criteria
                ],
            }
        )
    return rows


def figures_by_summary(summaries: Sequence[ItemSummary]) -> dict[int, dict[str, ItemFigure]]:
    """Figures by summary and criterion."""
    found: dict[int, dict[str, ItemFigure]] = defaultdict(dict)
    for figure in ItemFigure.objects.filter(summary__in=[summary.pk for summary in summaries]):
        found[figure.summary_id][figure.criterion] = figure
    return found


def file_table(figure_set: FigureSet, view: ItemView) -> Table:
    """Every item of a view with every figure, streamed.

    Returns
    -------
    Table
        Columns `item, group, system, answers, cannot_rate, lacks_context, apart, excluded`, then for each
        criterion its figures, whether raters are opposed, and with a metric the divergence.
    """
    names = [criterion["name"] for criterion in figure_set.criteria]
    per_criterion = [*FILE_FIGURES, "opposed", *([DIVERGENCE] if view.metric else [])]
    columns = ["item", "group", "system", "answers", "cannot_rate", "lacks_context", "apart", "excluded"]
    columns += [f"{name}.{figure}" for name in names for figure in per_criterion]
    return columns, _file_rows(figure_set, view, columns)


def _file_rows(figure_set: FigureSet, view: ItemView, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    every = matching_keys(figure_set, view).tolist()
    diverging = Divergences.of(figure_set, view.metric, every)
    for start in range(0, len(every), CHUNK_SIZE):
        for row in _item_dicts(figure_set, view, every[start : start + CHUNK_SIZE], diverging):
            by_criterion = row.pop("criteria")
            flat = {
                f"{name}.{key}": value for name, own in by_criterion.items() for key, value in own.items()
            }
            yield dict.fromkeys(columns) | row | flat


def rows_with_figures(figure_set: FigureSet, view: ItemView, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Items with every figure, in a fixed number of queries.

    Parameters
    ----------
    figure_set : FigureSet
        The figures.
    view : ItemView
        View with the bounds of opposition and the metric of divergences.
    keys : sequence of int
        Keys of summaries; the rows follow their order.

    Returns
    -------
    list of dict
        The columns of `file_table` about the item, and in `criteria` its figures by criterion.
    """
    return _item_dicts(figure_set, view, keys, Divergences.of(figure_set, view.metric, keys))


def _item_dicts(
    figure_set: FigureSet, view: ItemView, keys: Sequence[int], diverging: Divergences
) -> list[dict[str, Any]]:
    found = ItemSummary.objects.defer("search").in_bulk(keys)
    summaries = [found[key] for key in keys if key in found]
    figures = figures_by_summary(summaries)
    excluded = excluded_among(figure_set, [summary.item_id for summary in summaries])
    return [
        {
            "item": summary.key,
            "group": summary.group,
            "system": summary.system,
            "answers": summary.n_answers,
            "cannot_rate": summary.n_cannot,
            "lacks_context": summary.n_context,
            "apart": summary.apart,
            "excluded": summary.item_id in excluded,
            "criteria": {
                name: _figure_dict(figure_set, view, figure, diverging.of_item(summary.pk))
                for name, figure in figures[summary.pk].items()
            },
        }
        for summary in summaries
    ]


def _figure_dict(
    figure_set: FigureSet, view: ItemView, figure: ItemFigure, diverging: Mapping[str, float]
) -> dict[str, Any]:
    values = {key: getattr(figure, key) for key in FILE_FIGURES}
    values["opposed"] = _opposed(figure_set, view, figure)
    return values | ({DIVERGENCE: diverging.get(figure.criterion)} if view.metric else {})


def _opposed(figure_set: FigureSet, view: ItemView, figure: ItemFigure) -> bool:
    if figure.minimum is None or figure.maximum is None:
        return False
    low, high = bounds_of(figure_set, view, figure.criterion)
    return figure.minimum <= low and figure.maximum >= high


def _cell(
    figure_set: FigureSet,
    view: ItemView,
    scale: Mapping[str, Any],
    figure: ItemFigure | None,
    diverging: Mapping[str, float],
) -> dict[str, Any]:
    if figure is None:
        return {"name": scale["name"], "strip": None, "figures": [None for _ in view.show], "opposed": False}
    values = {key: getattr(figure, key) for key in OF_CRITERION} | {DIVERGENCE: diverging.get(scale["name"])}
    return {
        "name": scale["name"],
        "strip": rating_dots(scale, figure.counts) if figure.n else None,
        "words": list_ratings(figure.counts),
        "opposed": _opposed(figure_set, view, figure),
        "figures": [values[key] for key in view.show],
    }
