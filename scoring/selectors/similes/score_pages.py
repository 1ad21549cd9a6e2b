"""Queries for the pages of scoring runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from django.db.models import (
    Avg,
    Case,
    Count,
    F,
    FloatField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Ln

from annotation.domain.base.states import JobState
from annotation.domain.questions.kinds.registry import ON_RATIOS
from annotation.models import Criterion, Item, Job, Rating, Study
from annotation.selectors.questions.counting import ON_SCALES, Counting, counted
from annotation.services.base.jobs import PAUSED
from scoring.hauser.metrics.combine import RATIO
from scoring.models import Score, ScoredItem, ScoreRun
from scoring.selectors.base.metric_labels import metric_label
from scoring.selectors.base.reason_words import in_words
from scoring.selectors.base.run_names import MODELS
from scoring.selectors.similes.similes import literal_field
from scoring.stats.base.proportions import mean_interval
from scoring.stats.base.result import Interval

KIND = "score"
MAIN = ("quality", "relevance", "logic", "sentiment", "creativity", "informativeness", "combined")
JOBS_SHOWN = 5
LONGEST_NUMBER = 18


class ScoredText(NamedTuple):
    """How a run read a text."""

    truncated: list[str]  # Names of metrics for which a model read only the beginning of the text
    pairs: list[dict[str, str]]  # Topic and vehicle of each pair; empty where they are not named


NOT_SCORED = ScoredText([], [])


def computed_runs(study: Study) -> list[ScoreRun]:
    """The runs that this installation computed, newest first, each with its number of items."""
    return list(_runs(study).order_by("-pk"))


def _runs(study: Study) -> QuerySet[ScoreRun]:
    """Runs with `n_items` of `n_all` items scored, and the state of the last job of each."""
    scored = ScoredItem.objects.filter(run=OuterRef("pk")).order_by().values("run").annotate(n=Count("pk"))
    every = Item.objects.filter(study=OuterRef("study")).order_by().values("study").annotate(n=Count("pk"))
    last = Job.objects.filter(score_chunks__run=OuterRef("pk")).order_by("-pk")
    paused = When(last_code=PAUSED, last_state=JobState.CANCELLED, then=Value(PAUSED))
    return (
        ScoreRun.objects.filter(study=study)
        .exclude(key="")
        .annotate(
            n_items=Coalesce(Subquery(scored.values("n")), 0),
            n_all=Coalesce(Subquery(every.values("n")), 0),
            last_state=Subquery(last.values("state")[:1]),
            last_code=Subquery(last.values("error_code")[:1]),
        )
        .annotate(shown_state=Case(paused, default=F("last_state")))
    )


def chosen_run(study: Study, wanted: str) -> ScoreRun | None:
    """The requested run, else the newest complete run, else the newest run."""
    unfinished = Case(When(revision=0, then=1), default=0)
    runs = _runs(study).order_by(unfinished, "-pk")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < LONGEST_NUMBER else None
    return (runs.filter(pk=number).first() if number else None) or runs.first()


def recent_jobs(study: Study) -> list[dict[str, Any]]:
    """The latest unfinished jobs, without those that a later job with the same settings continued."""
    jobs = list(Job.objects.filter(study=study, kind=KIND).order_by("-pk")[:JOBS_SHOWN])
    rows = []
    for job in jobs:
        later = any(other.params == job.params and other.pk > job.pk for other in jobs)
        paused = job.state == JobState.CANCELLED and job.error_code == PAUSED
        if job.state == JobState.DONE or later:
            continue
        models = str(MODELS.get(job.params.get("profile", ""), ""))
        rows.append(
            {"job": job, "state": PAUSED if paused else job.state, "paused": paused, "models": models}
        )
    return rows


def metrics_of(run: ScoreRun) -> list[str]:
    """The metrics of a run, those of HAUSER first."""
    found = list(Score.objects.filter(run=run).order_by("metric").values_list("metric", flat=True).distinct())
    return sorted(found, key=lambda name: (_rank(name), name))


def _rank(metric: str) -> int:
    plain = metric.partition("[")[0]
    return MAIN.index(plain) if plain in MAIN else len(MAIN)


def columns_of(metrics: Sequence[str], sort: str) -> list[str]:
    """The columns of the list of items: the main metrics, and the one that it is sorted by."""
    shown = [metric for metric in metrics if _rank(metric) < len(MAIN)]
    return [*shown, sort] if sort in metrics and sort not in shown else shown


def sorted_items(study: Study, run: ScoreRun, sort: str, *, descending: bool) -> QuerySet[Item]:
    """Items in the order of one of their scores, those without a value last; by position without one."""
    items = study.items.all()
    if not sort:
        return items.order_by("position", "pk")
    score = Score.objects.filter(run=run, item=OuterRef("pk"), metric=sort)
    value = F("score_value").desc(nulls_last=True) if descending else F("score_value").asc(nulls_last=True)
    return items.annotate(score_value=Subquery(score.values("value")[:1])).order_by(value, "position", "pk")


def scores_of(run: ScoreRun, items: Sequence[Item], metrics: Sequence[str]) -> dict[int, dict[str, Score]]:
    """Scores by item and metric."""
    found: dict[int, dict[str, Score]] = defaultdict(dict)
    for score in Score.objects.filter(run=run, item__in=items, metric__in=metrics):
        found[score.item_id][score.metric] = score
    return found


def scored_texts(run: ScoreRun, items: Sequence[Item]) -> dict[int, ScoredText]:
    """What a run took of the texts of items, by item."""
    found = ScoredItem.objects.filter(run=run, item__in=items)
    listed = found.values_list("item_id", "truncated", "explanation__components__pairs")
    return {
        item: ScoredText([metric_label(key) for key in keys], [_named(pair) for pair in pairs or []])
        for item, keys, pairs in listed
    }


def _named(pair: Mapping[str, Any]) -> dict[str, str]:
    return {name: (pair.get(name) or {}).get("text", "") for name in ("topic", "vehicle")}


def _ranking_scores(run: ScoreRun, items: Sequence[Item]) -> dict[int, dict[str, Score]]:
    """What groups are ranked by, of each item."""
    wanted = Q(metric__in=("quality", "creativity", "informativeness", "combined"))
    found: dict[int, dict[str, Score]] = defaultdict(dict)
    for score in Score.objects.filter(wanted | Q(metric__startswith="quality["), run=run, item__in=items):
        found[score.item_id][score.metric] = score
    return found


def group_keys(study: Study) -> QuerySet[Item, str]:
    """The groups of a study in the order in which they begin."""
    grouped = study.items.exclude(group="").values("group").annotate(first=Min("position"))
    return grouped.order_by("first", "group").values_list("group", flat=True)


class RatedMean(NamedTuple):
    """The mean rating of an item on a criterion; a geometric one where ratios between answers count."""

    mean: float
    n: int  # Ratings
    interval: Interval  # For new raters; its reason where there is none
    is_geometric: bool


def human_means(study: Study, items: Sequence[Item]) -> dict[int, dict[str, float]]:
    """Mean ratings that count, by item and criterion; geometric means where ratios between answers count."""
    return means_and_ratios(study, items)[0]


def means_and_ratios(study: Study, items: Sequence[Item]) -> tuple[dict[int, dict[str, float]], set[str]]:
    """As `human_means`, and the criteria whose means are geometric ones."""
    found = rated_means(study, items)
    on_ratios = {name for own in found.values() for name, one in own.items() if one.is_geometric}
    return {item: {name: one.mean for name, one in own.items()} for item, own in found.items()}, on_ratios


def rated_means(study: Study, items: Sequence[Item]) -> dict[int, dict[str, RatedMean]]:
    """Mean ratings that count, by item and criterion, each with a 95% interval of Student’s t over raters.

    Limits are not outside the scale.
    """
    that_count = counted(study, Counting.in_statistics(study, yields=ON_SCALES))
    measured = Case(When(on_ratios=True, then=Ln("value")), default="value", output_field=FloatField())
    found = (
        Rating.objects.filter(
            # The items are named here too: otherwise databases read all responses of the study for it.
            response__in=that_count.filter(assignment__item__in=items),
            response__assignment__item__in=items,
            value__isnull=False,
        )
        .annotate(on_ratios=Case(When(criterion__kind__in=ON_RATIOS, then=True), default=False))
        .values("response__assignment__item", "criterion__key", "on_ratios")
        .annotate(
            mean=Avg(measured),
            squares=Sum(measured * measured),
            lowest=Min(measured),
            highest=Max(measured),
            n=Count("pk"),
            least=Min("criterion__minimum"),
            most=Max("criterion__maximum"),
        )
        .order_by()
    )
    means: dict[int, dict[str, RatedMean]] = defaultdict(dict)
    for row in found:
        in_answers = math.exp if row["on_ratios"] else float
        interval = mean_interval(row["mean"], _spread(row), row["n"])
        limits = [in_answers(limit) for limit in (interval.low, interval.high)]
        low, high = np.clip(limits, row["least"], row["most"]) if row["least"] is not None else limits
        means[row["response__assignment__item"]][row["criterion__key"]] = RatedMean(
            in_answers(row["mean"]),
            row["n"],
            replace(interval, low=float(low), high=float(high)),
            row["on_ratios"],
        )
    return means


def _spread(row: Mapping[str, Any]) -> float:
    """The standard deviation of the ratings; exactly 0 where all are equal."""
    if row["lowest"] == row["highest"]:
        return 0.0
    return math.sqrt(max(0.0, row["squares"] - row["n"] * row["mean"] ** 2) / (row["n"] - 1))


def ranked_groups(study: Study, run: ScoreRun, groups: Sequence[str]) -> list[dict[str, Any]]:
    """Candidates in the order of the combined metric, with their human ranks.

    The raters' order is by the ranks of quality, creativity and informativeness, 2 : 2 : 1, where the study
    has these criteria, and else by the mean of all. Only candidates with ratings on all of them are ranked;
    tied candidates share a rank, as in `combine`.
    """
    members: dict[str, list[Item]] = defaultdict(list)
    for item in study.items.filter(group__in=groups).order_by("position", "pk"):
        members[item.group].append(item)
    everyone = [item for own in members.values() for item in own]
    scores = _ranking_scores(run, everyone)
    rated = rated_means(study, everyone)
    means = {item: {name: one.mean for name, one in own.items()} for item, own in rated.items()}
    texts = scored_texts(run, everyone)
    criteria = _ranking_criteria(study)
    shown = []
    for group in groups:
        own = members[group]
        by_human = human_order({item.pk: means[item.pk] for item in own if item.pk in means}, criteria)
        by_metric = _places(
            {item.pk: -value for item in own if (value := _combined(scores[item.pk])) is not None}
        )
        rows = [
            {
                "item": item,
                "place": by_metric.get(item.pk),
                "human": by_human.get(item.pk),
                "combined": scores[item.pk].get("combined"),
                "quality": quality_of(scores[item.pk]),
                "creativity": scores[item.pk].get("creativity"),
                "informativeness": scores[item.pk].get("informativeness"),
                **texts.get(item.pk, NOT_SCORED)._asdict(),
                "means": sorted(rated.get(item.pk, {}).items()),
            }
            for item in own
        ]
        rows.sort(key=lambda row: (row["place"] is None, row["place"] or 0))
        shown.append({"group": group, "literals": _literals(own), "rows": rows})
    return shown


def reason_notes(scores: Iterable[Score | None]) -> list[tuple[str, str]]:
    """The codes that a page shows where values are missing, each with its meaning."""
    return in_words(score.reason for score in scores if score is not None and score.value is None)


def quality_of(scores: Mapping[str, Score]) -> Score | None:
    """Quality, or quality without the missing sub-scores."""
    plain = scores.get("quality")
    if plain is not None and plain.value is not None:
        return plain
    return next((score for name, score in scores.items() if name.startswith("quality[")), plain)


def _combined(scores: Mapping[str, Score]) -> float | None:
    return scores["combined"].value if "combined" in scores else None


def _literals(items: Sequence[Item]) -> list[str]:
    """The distinct literal sentences of a group; candidates can be compared only where there is one."""
    texts = (item.fields.get(literal_field(item.fields), "") for item in items)
    return list(dict.fromkeys(filter(None, texts)))


def _ranking_criteria(study: Study) -> list[str]:
    """The criteria of the human rank: the three of HAUSER, or none where the study lacks any of them."""
    found = set(
        Criterion.objects.filter(version__form__study=study, key__in=RATIO).values_list("key", flat=True)
    )
    return sorted(RATIO) if set(RATIO) <= found else []


def human_order(means: Mapping[int, Mapping[str, float]], criteria: Sequence[str]) -> dict[int, int]:
    """Ranks by mean ratings, 1 the best.

    Parameters
    ----------
    means : mapping
        Mean ratings by item and criterion.
    criteria : sequence of str
        Criteria whose ranks are combined like those of the scores; a candidate without a mean on one has no
        rank. Empty for the mean of all criteria.
    """
    if not criteria:
        return _places({item: sum(own.values()) / len(own) for item, own in means.items()})
    whole = {item: own for item, own in means.items() if set(criteria) <= own.keys()}
    ranks = {name: _ranks({item: own[name] for item, own in whole.items()}) for name in criteria}
    return _places({item: -sum(RATIO[name] * ranks[name][item] for name in criteria) for item in whole})


def _ranks(values: Mapping[int, float]) -> dict[int, float]:
    """Ranks, 1 the greatest; equal values share the mean of theirs."""
    rounded = [round(value, 9) for value in values.values()]
    return {
        item: sum(other > round(value, 9) for other in rounded)
        + (sum(other == round(value, 9) for other in rounded) + 1) / 2
        for item, value in values.items()
    }


def _places(values: Mapping[int, float]) -> dict[int, int]:
    """Ranks, 1 the greatest; equal values share the rank."""
    rounded = [round(value, 9) for value in values.values()]
    return {item: 1 + sum(other > round(value, 9) for other in rounded) for item, value in values.items()}
