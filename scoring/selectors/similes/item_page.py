"""What the page of one item shows: every rating, the other candidates, scores, exclusions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from annotation.domain.adjudication.differences import CaseState
from annotation.domain.base.states import Purpose
from annotation.domain.items.media import MEDIA_ROLES
from annotation.domain.questions.text_pieces import Span, is_long, segments
from annotation.models import Case, Exclusion, FormVersion, Item, RaterKind, Response, Study, Verdict
from annotation.selectors.items.media import with_files
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.rating.annotations import annotations_in
from annotation.selectors.rating.rating_page import file_block
from scoring.models import FigureSet, ItemFigure, Score
from scoring.selectors.data.item_texts import text_field
from scoring.selectors.similes.score_pages import MAIN, means_and_ratios

CANDIDATES_SHOWN = 50


class ItemText(NamedTuple):
    """A text of an item: pieces where components are marked, and the block of the file that it names."""

    name: str
    pieces: Any
    long: bool
    block: dict[str, Any] | None


def texts_of(study: Study, item: Item) -> list[ItemText]:
    """The item's texts, and the files that forms show in their place.

    Each is called as raters see it, by the label of the first form that has one, else by its own name.
    """
    blocks = _blocks(study)
    labels = {block["field"]: block["label"] for block in reversed(blocks) if block.get("label")}
    files = _files(item, blocks)
    return [
        ItemText(labels.get(name, name), _marked(item, name), is_long(text), files.get(name))
        for name, text in item.fields.items()
    ]


def _blocks(study: Study) -> list[dict[str, Any]]:
    """What the forms show of an item, newest versions and first forms before others."""
    versions = FormVersion.objects.filter(form__study=study, form__planted=False)
    ordered = versions.order_by("form__position", "form", "-number", "-correction")
    return [block for blocks in ordered.values_list("blocks", flat=True) for block in blocks]


def _files(item: Item, blocks: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The blocks that show a file, by the text that names it."""
    shown = [
        # The heading of the text is above it already.
        {**file_block(item, block), "label": ""}
        for block in blocks
        if block.get("role") in MEDIA_ROLES and item.fields.get(block["field"])
    ]
    return {one["field"]: one for one in reversed(with_files(item.study_id, shown))} if shown else {}


def responses_to(study: Study, item: Item) -> list[Response]:
    """Every revision of every response to the main task about an item, with its ratings.

    Each has `counts`; `adjudicable`, which late ones are too; and `excluded_by`: the exclusion of the
    response itself.
    """
    own = Exclusion.objects.filter(response=OuterRef("pk"), lift__isnull=True).values("pk")[:1]
    found = (
        Response.objects.filter(assignment__item=item, assignment__purpose=Purpose.MAIN)
        .exclude(assignment__rater__kind=RaterKind.TRIAL)
        .annotate(
            counts=Exists(counted(study, Counting.in_statistics(study)).filter(pk=OuterRef("pk"))),
            adjudicable=Exists(annotations_in(study).filter(pk=OuterRef("pk"))),
            excluded_by=Subquery(own),
        )
        .select_related("assignment__rater", "assignment__form", "version")
        .prefetch_related("ratings__criterion__points")
    )
    return list(found.order_by("assignment__form__position", "assignment__rater__code", "-revision"))


def figures_of(figure_set: FigureSet | None, item: Item) -> list[ItemFigure]:
    """The stored figures of an item by criterion; `geometric` where the mean is a geometric one."""
    if figure_set is None:
        return []
    ratios = {criterion["name"] for criterion in figure_set.criteria if criterion.get("logarithmic")}
    found = list(ItemFigure.objects.filter(summary__made=figure_set, summary__item=item).order_by("pk"))
    for figure in found:
        figure.geometric = figure.criterion in ratios  # type: ignore[attr-defined]
    return found


def candidates(study: Study, item: Item) -> dict[str, Any]:
    """The group's candidates with their mean ratings, and the main scores of the newest run.

    Parameters
    ----------
    study : Study
        The item's.
    item : Item
        The item; without a group there are no candidates.

    Returns
    -------
    dict
        `metrics`, `criteria`, `on_ratios` with those whose means are geometric ones, and `rows`.
    """
    if not item.group:
        return {"metrics": [], "criteria": [], "on_ratios": set(), "rows": []}
    items = list(study.items.filter(group=item.group).order_by("position", "pk")[:CANDIDATES_SHOWN])
    means, on_ratios = means_and_ratios(study, items)
    scores = newest_scores(study, items)
    names = list(dict.fromkeys(name for own in scores.values() for name in own))
    metrics = [name for name in MAIN if name in names] or names[:3]
    criteria = list(dict.fromkeys(name for own in means.values() for name in sorted(own)))
    rows = [
        {
            "item": one,
            "text": one.fields.get(text_field(one.fields), ""),
            "scores": [scores.get(one.pk, {}).get(metric) for metric in metrics],
            "means": [means.get(one.pk, {}).get(name) for name in criteria],
        }
        for one in items
    ]
    return {"metrics": metrics, "criteria": criteria, "on_ratios": on_ratios, "rows": rows}


def newest_scores(study: Study, items: Sequence[Item]) -> dict[int, dict[str, Score]]:
    """By item and metric the score of the newest run that has one."""
    found: dict[int, dict[str, Score]] = {}
    rows = Score.objects.filter(run__study=study, item__in=items).select_related("run")
    for score in rows.order_by("run__created_at", "run_id", "metric"):
        found.setdefault(score.item_id, {})[score.metric] = score
    return found


def history(item: Item) -> QuerySet[Exclusion]:
    """Every exclusion of an item, its responses or its raters, also lifted ones, newest first."""
    touches = Q(item=item) | Q(response__assignment__item=item)
    raters = Exclusion.objects.filter(
        rater__assignments__item=item, rater__assignments__purpose=Purpose.MAIN
    ).values("pk")
    return (
        Exclusion.objects.filter(touches | Q(pk__in=raters))
        .select_related("author", "lift__author", "rater", "response__assignment__rater", "by_rule")
        .order_by("-created_at", "-pk")
    )


def cases_of(item: Item) -> QuerySet[Case]:
    """The adjudication cases of an item, each with its active final answer."""
    current = Verdict.objects.filter(current=True).select_related("author")
    return item.cases.select_related("form").prefetch_related(
        Prefetch("verdicts", current, to_attr="current_verdicts")
    )


def can_be_sent(responses: Iterable[Response], cases: Iterable[Case]) -> bool:
    """Whether a form has responses that adjudication takes, and no case in the queue."""
    there = {case.form_id for case in cases if case.state != CaseState.WITHDRAWN}
    answered = {one.assignment.form_id for one in responses if one.adjudicable}  # type: ignore[attr-defined]
    return bool(answered - there)


def _marked(found: Item, name: str) -> Any:
    spans = [
        Span(part["part"], part["start"], part["end"])
        for part in found.components
        if part["field"] == name and part["start"] is not None
    ]
    return segments(found.fields[name], spans)
