"""Calibration answers in tables: of one attempt, of all raters side by side, and as a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from annotation.domain.base.codebook import QUALIFICATION
from annotation.domain.quality.calibration import is_within_tolerance
from annotation.models import CalibrationItem, Qualification, QualificationAttempt, Rating, Response, Study
from annotation.selectors.quality.qualification import (
    asked_criteria,
    counted_ratings,
    format_answer,
    format_reference,
)

Cell = Mapping[str, str | bool]


@dataclass(frozen=True)
class Row:
    """One criterion of one calibration item: the reference, then a cell for each attempt shown."""

    calibration: CalibrationItem
    criterion: str
    name: str
    reference: str
    cells: tuple[Cell, ...]
    first: bool


def compare_attempts(qualification: Qualification, attempts: Sequence[QualificationAttempt]) -> list[Row]:
    """The values of several attempts on the same items with the reference, attempts as columns."""
    ratings: dict[tuple[int, int, str], Rating] = {}
    counted = counted_ratings(attempts, feedback=qualification.feedback)
    for rating in counted.select_related("response__assignment", "criterion"):
        assignment = rating.response.assignment
        ratings[assignment.attempt_id or 0, assignment.item_id, rating.criterion.key] = rating
    rows = []
    asked = asked_criteria(qualification.study_id)
    items = qualification.items.select_related("item", "form")
    if qualification.items_per_attempt is not None:
        items = items.filter(item__assignments__attempt__in=attempts).distinct()
    for one in items:
        for number, (key, wanted) in enumerate(one.reference.items()):
            found = [ratings.get((attempt.pk, one.item_id, key)) for attempt in attempts]
            cells = tuple(_cell(rating, wanted, qualification) for rating in found)
            name, kind = (asked[key].name, asked[key].kind) if key in asked else (key, "")
            rows.append(Row(one, key, name, format_reference(wanted, kind), cells, number == 0))
    return rows


def latest_attempts(study: Study) -> list[QualificationAttempt]:
    """The latest attempt of each rater, by code."""
    every = QualificationAttempt.objects.filter(rater__study=study).select_related("rater")
    latest = {attempt.rater_id: attempt for attempt in every.order_by("rater__code", "number")}
    return list(latest.values())


def qualification_table(study: Study) -> tuple[Sequence[str], Iterable[Mapping[str, Any]]]:
    """Every calibration answer, one row per criterion with a reference; no other export has them."""
    return tuple(QUALIFICATION), _rows(study)


def _rows(study: Study) -> Iterator[dict[str, Any]]:
    qualification = Qualification.objects.filter(study=study).first()
    if qualification is None:
        return
    items = {one.item_id: one for one in qualification.items.select_related("item")}
    answered = (
        Response.objects.filter(assignment__attempt__rater__study=study)
        .select_related("assignment__attempt__rater", "assignment__item", "assignment__form")
        .prefetch_related(Prefetch("ratings", Rating.objects.select_related("criterion")))
        .order_by(
            "assignment__attempt__rater__code",
            "assignment__attempt__number",
            "assignment__position",
            "revision",
        )
    )
    for response in answered.iterator(chunk_size=1000):
        given = {rating.criterion.key: rating for rating in response.ratings.all()}
        base = _base(study, response, feedback=qualification.feedback)
        for key, wanted in items[response.assignment.item_id].reference.items():
            yield base | {"criterion": key} | _compared(given.get(key), wanted)


def _base(study: Study, response: Response, *, feedback: bool) -> dict[str, Any]:
    assignment, attempt = response.assignment, response.assignment.attempt
    if attempt is None:
        return {}
    return {
        "study": study.slug,
        "rater": attempt.rater.code,
        "attempt": attempt.number,
        "item": assignment.item.key,
        "form": assignment.form.key,
        "cannot_rate": bool(response.cannot_rate),
        "counts": response.revision == 1 if feedback else response.current,
        "revision": response.revision,
        "answered_at": response.submitted_at.isoformat() if response.submitted_at else "",
        "seconds": response.seconds,
        "passed": "" if attempt.passed is None else attempt.passed,
        "reason": attempt.reason,
        "figure": attempt.figure,
        "threshold": attempt.threshold,
        "decision": attempt.decision,
        "detail": json.dumps(attempt.detail, ensure_ascii=False, sort_keys=True),
    }


def _compared(rating: Rating | None, wanted: float | str) -> dict[str, Any]:
    value = rating.value if rating else None
    difference = None if value is None or isinstance(wanted, str) else value - wanted
    return {
        "given": "" if rating is None else str(rating),
        "reference": format_reference(wanted, ""),
        "difference": difference,
    }


def _cell(rating: Rating | None, wanted: float | str, qualification: Qualification) -> Cell:
    if rating is None:
        return {"given": "", "near": False}
    criterion = rating.criterion
    near = is_within_tolerance(
        wanted, qualification.tolerance, rating.cell, criterion.kind, criterion.settings
    )
    return {"given": format_answer(rating), "near": near}
