"""Storing the scores of groups: upserts, so that a chunk scored twice is there once."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

from annotation.models import Job
from annotation.services.base.webhook_events import announce
from scoring.hauser.base.candidates import Group, Scored
from scoring.hauser.runs.score_trace import components_json
from scoring.models import ItemComponents, MetricDirection, Score, ScoredItem, ScoreRun
from scoring.selectors.similes.similes import digest_of, fingerprint
from scoring.textmetrics.registry import METRICS

CHUNK_SIZE = 1000
LOWER = frozenset({"combined"})


def store_scored(
    run: ScoreRun, groups: Sequence[Group], scored: Sequence[Sequence[Scored]], *, whole: str = ""
) -> None:
    """Store scores, explanations and components; called inside a transaction.

    Parameters
    ----------
    run : ScoreRun
        Run that stores them.
    groups : sequence of Group
        The scored groups; keys of candidates are the primary keys of items.
    scored : sequence of sequence of Scored
        A list a group.
    whole : str
        Part of the fingerprints that covers the whole run.
    """
    members = [one for of_group in scored for one in of_group]
    prints = {
        simile.key: print_
        for group in groups
        for digests in [[(one.key, digest_of(one)) for one in group.candidates]]
        for print_ in [fingerprint(digests, run.key, whole, belongs=bool(group.key))]
        for simile in group.candidates
    }
    _store_scores(run, members)
    ScoredItem.objects.bulk_create(
        [
            ScoredItem(
                run=run,
                item_id=int(one.key),
                fingerprint=prints[one.key],
                explanation=dict(one.explanation),
                truncated=list(one.truncated),
            )
            for one in members
        ],
        batch_size=CHUNK_SIZE,
        update_conflicts=True,
        unique_fields=["run", "item"],
        update_fields=["fingerprint", "explanation", "truncated"],
    )
    _store_components(run, members)


def finish_run(run: ScoreRun, job: Job) -> None:
    """Count a run as computed once more, and declare directions of its metrics that have none."""
    if job.score_chunks.exists() or not run.revision:
        ScoreRun.objects.filter(pk=run.pk).update(revision=F("revision") + 1)
    metrics = Score.objects.filter(run=run).order_by("metric").values_list("metric", flat=True).distinct()
    MetricDirection.objects.bulk_create(
        [
            MetricDirection(study_id=run.study_id, metric=metric, direction=direction_of(metric))
            for metric in metrics
        ],
        ignore_conflicts=True,
    )
    announce(study=run.study, event="scores_ready", detail={"run": run.name})


def direction_of(metric: str) -> str:
    """Which way one of a run's metrics points."""
    if metric in METRICS:
        return METRICS[metric].direction
    return "lower" if metric in LOWER else "higher"


def _store_scores(run: ScoreRun, members: Sequence[Scored]) -> None:
    Score.objects.filter(run=run, item_id__in=[int(one.key) for one in members]).delete()
    Score.objects.bulk_create(
        [
            Score(run=run, item_id=int(one.key), metric=metric, value=score.value, reason=score.reason)
            for one in members
            for metric, score in one.scores.items()
        ],
        batch_size=CHUNK_SIZE,
    )


def _store_components(run: ScoreRun, members: Sequence[Scored]) -> None:
    """Store the components used for each item; manual corrections are never replaced."""
    used = {int(one.key): one for one in members if one.source != "corrected"}
    known = ItemComponents.objects.filter(item_id__in=used).in_bulk(field_name="item_id")
    extractor = run.made_with["extractor"]
    new = []
    for item, one in used.items():
        stored = components_json(one.components)
        wanted = {
            "source": one.source,
            "pairs": stored["pairs"],
            "reason": stored["reason"],
            "extractor": extractor if one.source == "extracted" else "",
        }
        if item not in known:
            new.append(ItemComponents(item_id=item, **wanted))
        elif any(getattr(known[item], name) != value for name, value in wanted.items()):
            ItemComponents.objects.filter(item_id=item).exclude(source="corrected").update(**wanted)
    ItemComponents.objects.bulk_create(new, ignore_conflicts=True)
