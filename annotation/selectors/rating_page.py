"""What the rating page shows: an assignment as plain data, and how far its rater is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotation.domain.spans import Segment, Span, segments
from annotation.domain.states import Purpose
from annotation.models import Assignment, FormVersion, Item, Rater, RaterKind, Response


@dataclass(frozen=True)
class Given:
    """Answers to show as chosen: stored ones, or those of a page that could not be stored."""

    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cannot_rate: str = ""
    remark: str = ""
    revision: int = 0


@dataclass(frozen=True)
class Progress:
    """How far a rater is: `total` is what they were told to expect, or more where more came."""

    done: int
    total: int
    last_saved: int | None


def progress(rater: Rater, *, position: int = 0) -> Progress:
    """Count what a rater has answered; `last_saved` is the position of the latest answer."""
    answered = rater.assignments.filter(submitted_at__isnull=False)
    done = answered.count()
    latest = (
        Response.objects.filter(assignment__rater=rater, current=True)
        .order_by("-submitted_at", "-pk")
        .values_list("assignment__position", flat=True)
        .first()
    )
    expected = rater.study.items.count() if rater.kind == RaterKind.TRIAL else rater.target or 0
    return Progress(done=done, total=max(expected, done, position), last_saved=latest)


def own_assignment(rater: Rater, pk: int) -> Assignment | None:
    """One of the rater's own assignments, with what its page needs."""
    found = rater.assignments.select_related("item", "form", "seat", "rater__study")
    return found.filter(pk=pk).first()


def previous_assignment(assignment: Assignment) -> Assignment | None:
    """The one answered before this, in the order in which they were given."""
    purpose = Purpose.TRIAL if assignment.purpose == Purpose.TRIAL else Purpose.MAIN
    earlier = Assignment.objects.filter(
        rater_id=assignment.rater_id,
        purpose=purpose,
        position__lt=assignment.position,
        submitted_at__isnull=False,
    )
    return earlier.order_by("-position").first()


def stored_answer(assignment: Assignment) -> Given | None:
    """The current revision of the answer, as the page shows it."""
    current = assignment.responses.filter(current=True).first()
    if current is None:
        return None
    answers = {
        rating.criterion.key: str(rating).split("|") for rating in current.ratings.select_related("criterion")
    }
    return Given(
        answers=answers, cannot_rate=current.cannot_rate, remark=current.remark, revision=current.revision
    )


def in_words(given: Given, criteria: Sequence[Mapping[str, Any]]) -> str:
    """An answer in one line: each criterion with its value, or that it could not be rated."""
    parts = [
        f"{criterion['name']} {', '.join(given.answers[criterion['key']])}"
        for criterion in criteria
        if criterion["key"] in given.answers
    ]
    return ", ".join([*parts, *(["can’t rate"] if given.cannot_rate else [])])


def last_key(criteria: Sequence[Mapping[str, Any]]) -> str:
    """The highest digit that chooses a point on this page."""
    return max((point.keyboard for criterion in criteria for point in criterion["points"]), default="")


def shown_blocks(version: FormVersion, item: Item) -> list[dict[str, Any]]:
    """What of an item a form version shows; one that names nothing shows all that there is."""
    return version.blocks or [{"field": name, "label": name.capitalize()} for name in item.fields]


def page_blocks(version: FormVersion, item: Item) -> list[dict[str, Any]]:
    """The texts of an item that a form version shows, each cut at its marked parts."""
    return [
        {
            "label": block.get("label", ""),
            "role": block.get("role", "text"),
            "lang": item.metadata.get("language", ""),
            "segments": _marked(item, block),
        }
        for block in shown_blocks(version, item)
        if item.fields.get(block["field"])
    ]


def page_criteria(
    version: FormVersion, given: Given, errors: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """The criteria of a form version with their rubric, what is chosen, and what is wrong with it."""
    return [
        {
            "key": criterion.key,
            "name": criterion.name,
            "question": criterion.question,
            "kind": criterion.kind,
            "required": criterion.required,
            "points": list(criterion.points.all()),
            "chosen": next(iter(given.answers.get(criterion.key, ())), None),
            "error": (errors or {}).get(criterion.key, ""),
            "answer_name": f"answer-{criterion.key}",
        }
        for criterion in version.criteria.prefetch_related("points")
    ]


def seat_end(assignment: Assignment) -> datetime | None:
    """Until when the seat of an unanswered assignment is held."""
    if assignment.seat is None or assignment.submitted_at is not None:
        return None
    return assignment.seat.until


def _marked(item: Item, block: Mapping[str, Any]) -> list[Segment]:
    wanted = set(block.get("mark", ()))
    spans = [
        Span(part["part"], part["start"], part["end"])
        for part in item.components
        if part["field"] == block["field"] and part["part"] in wanted and part["start"] is not None
    ]
    return segments(item.fields[block["field"]], spans)
