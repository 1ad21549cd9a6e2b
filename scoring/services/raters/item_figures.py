"""The figures of every item and rater that lists are sorted by: asking a worker, and storing them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import repeat
from typing import Any

import numpy as np
from django.db import transaction

from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.items.rating_dots import logarithmic_scale, open_scale
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import FigureColumn, FigureSet, ItemFigure, ItemSummary, RaterFigure
from scoring.selectors.data.answers import StudyAnswers, active_exclusions, study_answers
from scoring.selectors.data.figure_columns import ITEM, KEY, as_stored, divergence_name
from scoring.selectors.data.item_texts import item_texts
from scoring.selectors.data.metric_scores import MetricScores, metric_scores
from scoring.selectors.data.staleness import data_state
from scoring.selectors.raters.item_figures import figures_state, newest_set, out_of_date
from scoring.selectors.raters.rater_list import checks_of
from scoring.services.base.report_store import complete_with_study_locked, software, study_of
from scoring.services.base.single_raters import erased_raters
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.answers import Answers
from scoring.stats.data.table import Ratings
from scoring.stats.raters.disagreement import (
    ItemFigures,
    Standard,
    alpha_parts,
    divergence,
    item_figures,
    standard_of,
)
from scoring.stats.raters.rater_figures import RaterFigures, rater_figures, with_excluded_raters

KIND = "item_figures"
CHUNK_SIZE = 2000
SUMMARIES_DELETED_AT_A_TIME = 500


def request_figures(*, study: Study, actor: User | None) -> Job:
    """Ask a worker for the figures of all items and raters of a study, unless a job is under way.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        User who asks for it.
    """
    return enqueue(kind=KIND, study=study, params={}, created_by=actor)


def refresh_figures(*, study: Study) -> None:
    """Ask for the figures again after scores were computed, in a study in which they were asked for before.

    Parameters
    ----------
    study : Study
        The study: its figures include the distance of each item from the scores.
    """
    if study.jobs.filter(kind=KIND).exists():
        request_figures(study=study, actor=None)


def compute_figures(*, lease: Lease) -> FigureSet:
    """Compute and store the figures; the pages go on showing the earlier ones until all are stored.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `item_figures`.

    Returns
    -------
    FigureSet
        The newest; that of before where the data are still the same.

    Raises
    ------
    GroundworkError
        The job has no study (`no_study`).
    LeaseLost
        Another worker has taken the job over.
    """
    study = study_of(lease.job)
    before = newest_set(study)
    if before is not None and before.software == software() and not out_of_date(study, before):
        return lease.complete(lambda: before)
    state = figures_state(study)
    lease.beat(0, 1, message("Reading the ratings"))
    found = study_answers(study)
    out = active_exclusions(study, found)
    counted = found.answers.only(~(out.raters[found.answers.rater] | out.responses))
    table = _Table(study, found, counted, out.items)
    scores = metric_scores(study, found)
    FigureSet.objects.filter(study=study, ready=False).delete()
    systems = study.items.exclude(system="").order_by("system")
    figure_set = FigureSet.objects.create(
        study=study,
        job=lease.job,
        data_state=state,
        n_items=len(found.item_pks),
        systems=list(systems.values_list("system", flat=True).distinct()),
        criteria=table.criteria(),
        metrics=table.metrics(scores),
        software=software(),
    )
    _store_items(figure_set, table, scores, lease)
    figures = with_excluded_raters(rater_figures(counted), found.answers.only(~out.responses), out.raters)
    of_raters = _rater_figures(figure_set, found, figures)
    complete_with_study_locked(lease, study, lambda: _finish(figure_set, of_raters))
    _delete_earlier(figure_set)
    if data_state(study, "metrics", responses=False)["n_score_runs"] != state["n_score_runs"]:
        refresh_figures(study=study)
    figure_set.refresh_from_db()
    return figure_set


class _Table:
    """The figures of one study, an entry an item code."""

    def __init__(self, study: Study, found: StudyAnswers, counted: Answers, excluded: BoolArray) -> None:
        self.study, self.found, self.counted = study, found, counted
        self.columns: dict[str, dict[str, FloatArray]] = {}
        self.counts: dict[str, IntArray] = {}
        self.categories: dict[str, FloatArray] = {}
        self._alpha: dict[str, float] = {}
        for name in found.criteria:
            self._add(name, counted.ratings(name), excluded)

    def _add(self, name: str, ratings: Ratings, excluded: BoolArray) -> None:
        positions = self._places(ratings)
        figures = item_figures(ratings)
        self.columns[name] = {key: self._spread(positions, getattr(figures, key)) for key in FIGURES}
        scale = self.counted.scales[name]
        for limit in ("low", "high"):
            self.columns[name][limit] = np.clip(self.columns[name][limit], scale.low, scale.high)
        included = ratings.keep(~excluded[positions][ratings.item])
        parts = alpha_parts(included)
        self.columns[name]["from_alpha"] = self._spread(self._places(included), parts)
        self._alpha[name] = 1 - float(np.nansum(parts)) if np.isfinite(parts).any() else math.nan
        self.categories[name] = ratings.categories
        width = len(ratings.categories)
        cells = positions[ratings.item] * width + np.searchsorted(ratings.categories, ratings.value)
        size = self.counted.n_items * width
        self.counts[name] = np.bincount(cells, minlength=size).reshape(self.counted.n_items, width)

    def _places(self, ratings: Ratings) -> IntArray:
        code_of = {label: code for code, label in enumerate(self.counted.item_labels)}
        return np.array([code_of[label] for label in ratings.items], dtype=np.int64)

    def _spread(self, positions: IntArray, figures: Any) -> FloatArray:
        column = np.full(self.counted.n_items, math.nan)
        column[positions] = figures
        return column

    def criteria(self) -> list[dict[str, Any]]:
        """Facts of each criterion for pages."""
        return [
            {"name": name, **self._ends(name), "alpha": _null(self._alpha[name])} for name in self.columns
        ]

    def _ends(self, name: str) -> dict[str, Any]:
        """The ends of the scale; if it has none, the least and the greatest number given."""
        scale, given = self.counted.scales[name], self.given(name)
        if scale.bounded or not len(given):
            return {"minimum": scale.low, "maximum": scale.high}
        return (logarithmic_scale if scale.logarithmic else open_scale)(given.tolist())

    def given(self, name: str) -> FloatArray:
        """The values given on a criterion as raters gave them, in ascending order."""
        return self._in_numbers(name, self.categories[name])

    def stored(self, name: str, figure: str) -> FloatArray:
        """A figure as it is stored: where ratios count, a mean is the geometric mean of the numbers."""
        own = self.columns[name][figure]
        return self._in_numbers(name, own) if figure in OF_NUMBERS else own

    def _in_numbers(self, name: str, values: FloatArray) -> FloatArray:
        return np.exp(values).round(DECIMALS) if self.counted.scales[name].logarithmic else values

    def standards(self, scores: FloatArray) -> dict[str, Standard]:
        """What divergences from a metric are measured with, by criterion; without those that cannot be."""
        found = {name: standard_of(own["mean"], scores) for name, own in self.columns.items()}
        return {name: one for name, one in found.items() if one is not None}

    def metrics(self, scores: MetricScores) -> dict[str, Any]:
        """Of each metric the run, the sign and what divergences are measured with."""
        return {
            metric: {
                "run": scores.runs[metric],
                "sign": scores.signs[metric],
                "criteria": {name: asdict(one) for name, one in self.standards(column).items()},
            }
            for metric, column in scores.columns.items()
        }

    def divergences(self, scores: MetricScores) -> Iterator[tuple[str, FloatArray]]:
        """Names of columns, and the distance of each item from the scores of a metric on a criterion."""
        for metric, column in scores.columns.items():
            for name, standard in self.standards(column).items():
                means = self.columns[name]["mean"]
                yield (
                    divergence_name(name, metric),
                    divergence(means, column, standard, scores.signs[metric]),
                )

    def by_item(self, chosen: BoolArray) -> IntArray:
        """Answers of each item among those chosen."""
        return np.bincount(self.counted.item[chosen], minlength=self.counted.n_items)

    def mean_difference(self) -> FloatArray:
        """Mean absolute difference of two raters, averaged over the criteria that have one."""
        if not self.columns:
            return np.full(self.counted.n_items, math.nan)
        every = np.array([own["apart"] for own in self.columns.values()])
        defined = np.isfinite(every)
        number = defined.sum(axis=0)
        return np.where(number > 0, np.where(defined, every, 0).sum(axis=0) / np.maximum(number, 1), math.nan)


FIGURES = tuple(
    key for key in (*ItemFigures.__dataclass_fields__, "range") if key not in {"items", "from_alpha"}
)
STORED = ("mean", "sd", "low", "high", "minimum", "maximum", "range", "apart", "from_alpha")
# Figures in the numbers that raters gave; the others are differences.
OF_NUMBERS = ("mean", "low", "high", "minimum", "maximum")
# The logarithm of a number and back again is not quite the number.
DECIMALS = 8
TEXTS = ("item_id", "position", "key", "group", "system", "search")
OF_CRITERION = ("n", "n_cannot", "counts", *STORED)
COUNTED = ("n_answers", "n_cannot", "n_context", "apart")


def _store_items(figure_set: FigureSet, table: _Table, scores: MetricScores, lease: Lease) -> None:
    """Store the items in short transactions, so that raters can save between them."""
    texts, total = list(item_texts(table.study)), 2 * table.counted.n_items
    summary = _summary_columns(table)
    for piece in _pieces(len(texts)):
        rows = zip(map(_searched, texts[piece]), *(column[piece] for column in summary), strict=True)
        with transaction.atomic():
            insert_rows(
                ItemSummary,
                ("made_id", *TEXTS, *COUNTED),
                ((figure_set.pk, *row[0], *row[1:]) for row in rows),
            )
        lease.beat(piece.start, total, message("Storing the results"))
    keys = dict(ItemSummary.objects.filter(made=figure_set).order_by().values_list("item", "pk"))
    owners = [keys[row[0]] for row in texts]
    _store_columns(figure_set, [(KEY, owners), *_item_columns(texts), *zip(COUNTED, summary, strict=True)])
    _store_columns(figure_set, table.divergences(scores))
    for name in table.columns:
        columns = _figure_columns(table, name)
        for piece in _pieces(len(texts)):
            rows = zip(owners[piece], repeat(name), *(column[piece] for column in columns))
            with transaction.atomic():
                insert_rows(ItemFigure, ("summary_id", "criterion", *OF_CRITERION), rows)
            lease.beat(len(texts) + piece.start, total, message("Storing the results"))
        figures = zip(OF_CRITERION, columns, strict=True)
        _store_columns(
            figure_set, ((f"{name}.{figure}", own) for figure, own in figures if figure != "counts")
        )
    analyze_tables(len(texts), ItemSummary, ItemFigure)


def _store_columns(figure_set: FigureSet, columns: Iterable[tuple[str, Any]]) -> None:
    """Store the columns one by one, because together they are large."""
    for name, column in columns:
        values = as_stored(np.array(column, dtype=np.float64))
        FigureColumn.objects.create(made=figure_set, name=name, values=values)


def _item_columns(texts: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Columns of the items themselves; for texts, their ranks in alphabetical order."""
    columns = {name: [row[rank_of] for row in texts] for rank_of, name in enumerate(TEXTS[:-1])}
    yield ITEM, columns["item_id"]
    yield "position", columns["position"]
    for name in ("key", "group", "system"):
        rank_of = {text: number for number, text in enumerate(sorted(set(columns[name])))}
        yield name, [rank_of[text] for text in columns[name]]


def _pieces(total: int) -> Iterator[slice]:
    for start in range(0, total, CHUNK_SIZE):
        yield slice(start, min(start + CHUNK_SIZE, total))


def _searched(row: Any) -> tuple[Any, ...]:
    """Cells of the columns `TEXTS` of an item."""
    pk, position, key, group, system, fields = row
    return pk, position, key, group, system, "\n".join([key, *map(str, fields.values())]).casefold()


def _summary_columns(table: _Table) -> list[list[Any]]:
    """Cells of the columns `COUNTED`, an entry an item code."""
    answers = table.counted
    every = np.ones(len(answers), dtype=np.bool_)
    numbers = [table.by_item(chosen).tolist() for chosen in (every, answers.cannot, answers.lacks_context)]
    return [*numbers, _nulls(table.mean_difference())]


def _figure_columns(table: _Table, name: str) -> list[list[Any]]:
    """Cells of the figures of a criterion, an entry an item code."""
    answers, counts = table.counted, table.counts[name]
    cannot = table.by_item(answers.cannot & np.isnan(answers.values[name]))
    figures = [_nulls(table.stored(name, key)) for key in STORED]
    return [counts.sum(axis=1).tolist(), cannot.tolist(), _as_json(counts, table.given(name)), *figures]


def _as_json(counts: IntArray, categories: FloatArray) -> list[str]:
    """How often each value was given, written once for all items that were rated alike."""
    patterns, of_item = np.unique(counts, axis=0, return_inverse=True)
    values = [f"{value:g}" for value in categories]
    written = [
        json.dumps({value: number for value, number in zip(values, row, strict=True) if number})
        for row in patterns.tolist()
    ]
    return [written[pattern] for pattern in of_item.ravel().tolist()]


def _nulls(column: FloatArray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in column.tolist()]


def _rater_figures(figure_set: FigureSet, found: StudyAnswers, figures: RaterFigures) -> list[RaterFigure]:
    checks = checks_of(figure_set.study)
    return [
        RaterFigure(
            made=figure_set,
            rater_id=pk,
            n_answers=int(figures.n_answers[code]),
            n_cannot=int(figures.n_cannot[code]),
            seconds=_null(figures.seconds[code]),
            n_checks=checks.get(pk, (0, 0))[0],
            n_failed=checks.get(pk, (0, 0))[1],
            n_shared=int(figures.n_shared[code]),
            severity=_null(figures.severity[code]),
            severity_low=_null(figures.low[code]),
            severity_high=_null(figures.high[code]),
            held_out=_null(figures.held_out[code]),
            flat=_null(figures.flat[code]),
            longest_run=int(figures.longest_run[code]),
        )
        for code, pk in enumerate(found.rater_pks.tolist())
    ]


def _finish(figure_set: FigureSet, of_raters: Sequence[RaterFigure]) -> None:
    """Store the figures of raters whose data were not erased meanwhile, and show the set."""
    erased = set(erased_raters(figure_set.study).values())
    RaterFigure.objects.bulk_create(one for one in of_raters if one.rater_id not in erased)
    FigureSet.objects.filter(pk=figure_set.pk).update(ready=True)


def _delete_earlier(figure_set: FigureSet) -> None:
    """Delete earlier figures in pieces, after the new ones are stored, to hold the write lock briefly."""
    for earlier in FigureSet.objects.filter(study=figure_set.study_id, pk__lt=figure_set.pk):
        while True:
            summaries = ItemSummary.objects.filter(made=earlier).order_by("pk").values_list("pk", flat=True)
            some = list(summaries[:SUMMARIES_DELETED_AT_A_TIME])
            if not some:
                break
            ItemSummary.objects.filter(pk__in=some).delete()
        earlier.delete()


def _null(value: float) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
