"""Scores of a study: for an export, and in summary for its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Avg, Count, Max, Min, OuterRef, QuerySet, Subquery

from annotation.domain.base.codebook import SCORES
from annotation.models import Study
from scoring.models import Score, ScoredItem, ScoreRun
from scoring.selectors.data.directions import directions_of

COLUMNS = tuple(SCORES)


def with_truncation(scores: QuerySet[Score]) -> QuerySet[Any]:
    """Scores with `cut`: the metrics for which a model saw only the beginning of the item's text."""
    scored = ScoredItem.objects.filter(run=OuterRef("run"), item=OuterRef("item"))
    return scores.annotate(cut=Subquery(scored.values("truncated")[:1]))


def scores_table(
    study: Study, run: ScoreRun | None = None
) -> tuple[Sequence[str], Iterable[Mapping[str, Any]]]:
    """The scores in long form, one row an item and metric; of one run, or of all."""
    found = with_truncation(Score.objects.filter(run__study=study)).select_related("run", "item")
    if run is not None:
        found = found.filter(run=run)
    rows = (
        {
            "item": score.item.key,
            "metric": score.metric,
            "value": score.value,
            "run": score.run.name,
            "profile": score.run.profile,
            "reason": score.reason,
            "truncated": True if score.metric in (score.cut or ()) else None,
            "caution": score.run.caution,
        }
        for score in found.order_by("run", "item__position", "metric").iterator(chunk_size=2000)
    )
    return COLUMNS, rows


def has_scores(study: Study) -> bool:
    """Whether any item of the study has a score, computed or imported."""
    return Score.objects.filter(run__study=study).exists()


def metric_summaries(study: Study) -> list[dict[str, Any]]:
    """Each metric of each run: how many items have a value, its mean and range, and which way it points."""
    found = (
        Score.objects.filter(run__study=study)
        .values("run", "metric")
        .annotate(
            n_items=Count("pk"),
            n_values=Count("value"),
            mean=Avg("value"),
            least=Min("value"),
            greatest=Max("value"),
        )
        .order_by("run__name", "metric")
    )
    declared, runs = directions_of(study), study.score_runs.in_bulk()
    return [
        {
            **row,
            "run": runs[row["run"]],
            "missing": row["n_items"] - row["n_values"],
            "direction": declared.get(row["metric"], ""),
        }
        for row in found
    ]
