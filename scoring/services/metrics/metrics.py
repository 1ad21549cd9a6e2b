"""Meta-evaluation reports: correlations of the metrics of a study with its ratings, and its systems."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report, Score
from scoring.selectors.data.directions import directions_of
from scoring.selectors.data.staleness import data_state
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.counting import NOTHING_YET, criterion_names, select_ratings
from scoring.services.data.sums import with_sums
from scoring.services.data.tables import ratings_table
from scoring.services.metrics.metric_tables import ceiling_rows, side_tables
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Sample
from scoring.stats.data.rated_items import MeasuredItems, MeasuredItemsError
from scoring.stats.data.table import RatingsTable
from scoring.stats.metrics.levels import Level
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.metrics.meta_figure import MetaFigure
from scoring.stats.metrics.pairwise.accuracy import FOLDS, pairwise_accuracies

KIND = "metrics"
REPLICATES = 2000


def request_metrics(*, study: Study, actor: User | None, without: list[str] | None = None) -> Job:
    """Ask a worker for the correlations of metrics with ratings, unless a job is in progress.

    Parameters
    ----------
    study : Study
        Study of the report.
    actor : User or None
        User who asks for it.
    without : list of str or None
        Systems to exclude, such as human writers.
    """
    params = {"without": sorted(without or []), "replicates": REPLICATES}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def compute_metrics(*, lease: Lease) -> Report:
    """Compute a report outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `metrics`.

    Returns
    -------
    Report
        The report of this job; its figures are copied where the same data were computed the same way before.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`), or they cannot be compared with the scores.
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    lease.beat(0, 1, message("Reading ratings and scores"))
    state = data_state(study, KIND)
    items, table, data = measured_items(study, without=params.get("without", []))
    seed = int(items.fingerprint[:8], 16)
    method = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": seed,
        "without": params.get("without", []),
        "directions": dict(directions_of(study)),
        "folds": FOLDS,
    }
    provenance = Provenance(KIND, items.fingerprint, method, data, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        among_criteria, of_metrics = _evaluate(items, lease, method["replicates"], seed)
        resampling = Resampling(
            method["replicates"],
            seed,
            tick=lambda _: lease.beat(99, 100, message("Comparing systems and metrics")),
        )
        tables = side_tables(items, of_metrics, resampling, method["directions"])
        tables["pairwise"] = _pairwise(items, lease, method)
        tables["ceiling"] = ceiling_rows(table, Resampling(method["replicates"], seed))
        return [figure.to_row() for figure in (*among_criteria, *of_metrics)], tables

    return complete_report(lease, provenance, compute)


def _pairwise(items: MeasuredItems, lease: Lease, method: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of the pairwise accuracy of every metric with every criterion."""
    found = pairwise_accuracies(
        items,
        directions=method["directions"],
        seed=method["seed"],
        replicates=method["replicates"],
        progress=lambda done, total: lease.beat(done, total, message("Comparing pairs of items")),
    )
    return [one.to_row() for one in found]


def measured_items(study: Study, *, without: list[str]) -> tuple[MeasuredItems, RatingsTable, dict[str, Any]]:
    """Mean ratings and scores of a study's items.

    Parameters
    ----------
    study : Study
        The study.
    without : list of str
        Systems to leave out.

    Returns
    -------
    tuple of MeasuredItems, RatingsTable and dict
        The items, the ratings behind their means, and the counts of a report's `data`.

    Raises
    ------
    GroundworkError
        `no_ratings`, or the code of what the items lack.
    """
    counting, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    counting = with_sums(study, counting)
    rated = counting.assign(name=criterion_names(counting)).dropna(subset=["value"])
    if rated.empty:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    human = rated.pivot_table(index="item", columns="name", values="value", aggfunc="mean", sort=False)
    groupings = rated.drop_duplicates("item").set_index("item")[["group", "system"]]
    samples = {
        str(name): Sample(
            rows["item"].nunique(), rows["rater"].nunique() if study.identified else None, len(rows)
        )
        for name, rows in rated.groupby("name", sort=False)
    }
    try:
        scores, cautions = _scores(study, human.index)
        items = MeasuredItems.from_frames(human, scores, groupings, samples)
    except MeasuredItemsError as problem:
        raise GroundworkError(str(problem), code=problem.code) from problem
    if cautions:
        data = {**data, "caution": "; ".join(cautions)}
    left = counting[~counting["system"].isin(without)] if without else counting
    return items.only(without=without), ratings_table(study, left), data


def _scores(study: Study, index: pd.Index) -> tuple[pd.DataFrame, list[str]]:
    """One column per metric, of the newest run that has it; and the warnings about these runs."""
    found = Score.objects.filter(run__study=study).order_by("run__created_at", "run_id")
    rows = list(found.values_list("item__key", "metric", "value", "run__caution"))
    if not rows:
        return pd.DataFrame(index=index), []
    frame = pd.DataFrame(rows, columns=["item", "metric", "value", "caution"]).astype({"value": np.float64})
    newest = frame.drop_duplicates(["item", "metric"], keep="last")
    table = newest.pivot_table(
        index="item", columns="metric", values="value", sort=False, dropna=False, aggfunc="first"
    )
    return table, sorted(set(newest["caution"]) - {""})


def _evaluate(
    items: MeasuredItems, lease: Lease, replicates: int, seed: int
) -> tuple[list[MetaFigure], list[MetaFigure]]:
    """Correlate the criteria with one another, and the metrics with the criteria."""
    levels: list[Level] = ["item"]
    if items.group is not None:
        levels.append("group")
    if len(items.systems) > 1:
        levels.append("system")
    steps = 2 if items.metrics else 1
    among = evaluate_metrics(
        items.among_criteria(),
        levels=levels,
        replicates=replicates,
        seed=seed,
        progress=lambda done, total: lease.beat(done, steps * total, message("Correlating criteria")),
    )
    if not items.metrics:
        return among.figures, []
    result = evaluate_metrics(
        items,
        levels=levels,
        replicates=replicates,
        seed=seed,
        progress=lambda done, total: lease.beat(
            total + done, steps * total, message("Correlating metrics with criteria")
        ),
    )
    return among.figures, result.figures
