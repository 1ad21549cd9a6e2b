"""Storing the scores of groups: in place of earlier ones, so that a chunk scored twice is there once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from django.db.models import F

from annotation.models import Job
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.base.webhook_events import announce
from scoring.hauser.base.candidates import Group, Scored
from scoring.hauser.components.extractors import short_name
from scoring.hauser.runs.score_trace import components_json
from scoring.models import ItemComponents, MetricDirection, Score, ScoredItem, ScoreRun
from scoring.selectors.similes.similes import digest_of, fingerprint
from scoring.textmetrics.registry import METRICS

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
        for digests in [[(candidate.key, digest_of(candidate)) for candidate in group.candidates]]
        for print_ in [fingerprint(digests, run.key, whole, belongs=bool(group.key))]
        for simile in group.candidates
    }
    items = [int(member.key) for member in members]
    Score.objects.filter(run=run, item_id__in=items).delete()
    ScoredItem.objects.filter(run=run, item_id__in=items).delete()
    _insert_scores(run, members)
    _insert_explanations(run, members, prints)
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


def _insert_scores(run: ScoreRun, members: Sequence[Scored]) -> None:
    insert_rows(
        Score,
        ["run_id", "item_id", "metric", "value", "reason"],
        (
            (run.pk, int(member.key), metric, score.value, score.reason)
            for member in members
            for metric, score in member.scores.items()
        ),
    )


def _insert_explanations(run: ScoreRun, members: Sequence[Scored], prints: Mapping[str, str]) -> None:
    insert_rows(
        ScoredItem,
        ["run_id", "item_id", "fingerprint", "explanation", "truncated"],
        (
            (
                run.pk,
                int(member.key),
                prints[member.key],
                json.dumps(dict(member.explanation)),
                json.dumps(list(member.truncated)),
            )
            for member in members
        ),
    )


def _store_components(run: ScoreRun, members: Sequence[Scored]) -> None:
    """Store the components used for each item; manual corrections are never replaced."""
    used = {int(member.key): member for member in members if member.source != "corrected"}
    known = ItemComponents.objects.filter(item_id__in=used).in_bulk(field_name="item_id")
    extractor = short_name(run.made_with["extractor"])
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
