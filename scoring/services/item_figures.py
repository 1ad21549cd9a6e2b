"""The figures of every item and rater that lists are sorted by: asking a worker, and storing them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from django.db import transaction

from annotation.domain.errors import GroundworkError
from annotation.models import Job, Study, User
from annotation.services.jobs import Lease, enqueue
from scoring.models import FigureSet, ItemFigure, ItemSummary, RaterFigure
from scoring.selectors.answers import StudyAnswers, item_texts, standing, study_answers
from scoring.selectors.item_figures import figures_state, newest_set, out_of_date
from scoring.selectors.metric_scores import MetricScores, metric_scores
from scoring.selectors.rater_list import checks_of
from scoring.services.reports import software
from scoring.stats.answers import Answers
from scoring.stats.disagreement import ItemFigures, alpha_parts, item_figures, standard_of
from scoring.stats.rater_figures import rater_figures
from scoring.stats.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.table import Ratings

KIND = "item_figures"
AT_ONCE = 2000
FORGOTTEN_AT_ONCE = 500


def request_figures(*, study: Study, actor: User | None, announce: bool = True) -> Job:
    """Ask a worker for the figures of all items and raters of a study.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        Who asks.
    announce : bool
        Tell the workers; False where the caller computes them itself.

    Returns
    -------
    Job
        The new job, or the one that is already under way in the study.
    """
    return enqueue(kind=KIND, study=study, params={}, created_by=actor, announce=announce)


def compute_figures(*, lease: Lease) -> FigureSet:
    """Compute and store the figures; the pages go on showing the earlier ones until all are stored.

    Parameters
    ----------
    lease : Lease
        Of a job of kind `item_figures`.

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
    study = lease.job.study
    if study is None:
        raise GroundworkError("A job for item figures needs a study.", code="no_study")
    before = newest_set(study)
    if before is not None and before.software == software() and not out_of_date(study, before):
        return lease.complete(lambda: before)
    state = figures_state(study)
    lease.beat(0, 1, "Reading the ratings")
    found = study_answers(study)
    out = standing(study, found)
    counted = found.answers.only(~(out.raters[found.answers.rater] | out.responses))
    table = _Table(study, found, counted, out.items)
    scores = metric_scores(study, found)
    FigureSet.objects.filter(study=study, ready=False).delete()
    systems = study.items.exclude(system="").order_by("system")
    made = FigureSet.objects.create(
        study=study,
        job=lease.job,
        data_state=state,
        n_items=len(found.item_pks),
        systems=list(systems.values_list("system", flat=True).distinct()),
        criteria=table.criteria(),
        metrics=table.metrics(scores),
        software=software(),
    )
    _store_items(made, table, lease)
    _store_raters(made, found, counted)
    lease.complete(lambda: FigureSet.objects.filter(pk=made.pk).update(ready=True))
    _forget_earlier(made)
    made.refresh_from_db()
    return made


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
        places = self._places(ratings)
        figures = item_figures(ratings)
        self.columns[name] = {key: self._spread(places, getattr(figures, key)) for key in FIGURES}
        included = ratings.keep(~excluded[places][ratings.item])
        parts = alpha_parts(included)
        self.columns[name]["from_alpha"] = self._spread(self._places(included), parts)
        self._alpha[name] = 1 - float(np.nansum(parts)) if np.isfinite(parts).any() else math.nan
        self.categories[name] = ratings.categories
        width = len(ratings.categories)
        cells = places[ratings.item] * width + np.searchsorted(ratings.categories, ratings.value)
        size = self.counted.n_items * width
        self.counts[name] = np.bincount(cells, minlength=size).reshape(self.counted.n_items, width)

    def _places(self, ratings: Ratings) -> IntArray:
        place = {label: code for code, label in enumerate(self.counted.item_labels)}
        return np.array([place[label] for label in ratings.items], dtype=np.int64)

    def _spread(self, places: IntArray, figures: Any) -> FloatArray:
        column = np.full(self.counted.n_items, math.nan)
        column[places] = figures
        return column

    def criteria(self) -> list[dict[str, Any]]:
        """What pages say of each criterion."""
        return [
            {
                "name": name,
                "minimum": self.counted.scales[name][0],
                "maximum": self.counted.scales[name][1],
                "alpha": _null(self._alpha[name]),
            }
            for name in self.columns
        ]

    def metrics(self, scores: MetricScores) -> dict[str, Any]:
        """What divergences from each metric are measured with, by criterion."""
        made: dict[str, Any] = {}
        for metric, column in scores.columns.items():
            found = {name: standard_of(own["mean"], column) for name, own in self.columns.items()}
            made[metric] = {
                "run": scores.runs[metric],
                "sign": scores.signs[metric],
                "criteria": {name: asdict(one) for name, one in found.items() if one is not None},
            }
        return made

    def by_item(self, chosen: BoolArray) -> IntArray:
        """Answers of each item among those chosen."""
        return np.bincount(self.counted.item[chosen], minlength=self.counted.n_items)

    def apart(self) -> FloatArray:
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


def _store_items(made: FigureSet, table: _Table, lease: Lease) -> None:
    """In short transactions of their own, so that raters can save between them."""
    answers = table.counted
    every = np.ones(len(answers), dtype=np.bool_)
    totals = {
        "n_answers": table.by_item(every),
        "n_cannot": table.by_item(answers.cannot),
        "n_context": table.by_item(answers.lacks_context),
    }
    apart = table.apart()
    cannot = {name: table.by_item(answers.cannot & np.isnan(answers.values[name])) for name in table.columns}
    rows = list(item_texts(table.study))
    for start in range(0, len(rows), AT_ONCE):
        piece = range(start, min(start + AT_ONCE, len(rows)))
        summaries = [
            ItemSummary(
                made=made,
                item_id=rows[code][0],
                position=rows[code][1],
                key=rows[code][2],
                group=rows[code][3],
                system=rows[code][4],
                search="\n".join([rows[code][2], *map(str, rows[code][5].values())]).casefold(),
                apart=_null(apart[code]),
                **{name: int(column[code]) for name, column in totals.items()},
            )
            for code in piece
        ]
        with transaction.atomic():
            stored = ItemSummary.objects.bulk_create(summaries)
            figures = _figures_of(table, dict(zip(piece, stored, strict=True)), cannot)
            ItemFigure.objects.bulk_create(figures, batch_size=AT_ONCE)
        lease.beat(start, len(rows), "Storing the figures")


def _figures_of(
    table: _Table, summaries: dict[int, ItemSummary], cannot: dict[str, IntArray]
) -> Iterator[ItemFigure]:
    for name, columns in table.columns.items():
        values = [f"{value:g}" for value in table.categories[name]]
        for code, summary in summaries.items():
            counts = table.counts[name][code]
            yield ItemFigure(
                summary=summary,
                criterion=name,
                n=int(counts.sum()),
                n_cannot=int(cannot[name][code]),
                counts={values[place]: int(counts[place]) for place in np.flatnonzero(counts).tolist()},
                **{key: _null(columns[key][code]) for key in STORED},
            )


def _store_raters(made: FigureSet, found: StudyAnswers, counted: Answers) -> None:
    figures = rater_figures(counted)
    checks = checks_of(made.study)
    RaterFigure.objects.bulk_create(
        RaterFigure(
            made=made,
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
    )


def _forget_earlier(made: FigureSet) -> None:
    """In pieces, and after the new ones are there: nobody waits long for the write lock."""
    for earlier in FigureSet.objects.filter(study=made.study_id, pk__lt=made.pk):
        while True:
            summaries = ItemSummary.objects.filter(made=earlier).order_by("pk").values_list("pk", flat=True)
            some = list(summaries[:FORGOTTEN_AT_ONCE])
            if not some:
                break
            ItemSummary.objects.filter(pk__in=some).delete()
        earlier.delete()


def _null(value: float) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
