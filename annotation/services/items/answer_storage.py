"""Storing many answers at once: published or exported ratings that are loaded into a study."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.models import Assignment, Criterion, FormVersion, Item, Rater, Rating, Response
from annotation.models.questions.given_answer import answer_columns
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_insert import Progress, ignore_progress, store


@dataclass(frozen=True)
class LoadedResponse:
    """One revision of one rater's answer to one form about one item."""

    item: Item
    rater: Rater
    version: FormVersion
    values: Mapping[Criterion, float | str]
    revision: int = 1
    current: bool = True
    late: bool = False
    cannot_rate: str = ""
    remark: str = ""
    submitted_at: datetime | None = None
    seconds: float | None = None
    suggestions: Mapping[str, str] = field(default_factory=dict)
    first_values: Mapping[str, float] = field(default_factory=dict)
    heard: Mapping[str, str] = field(default_factory=dict)
    interface_language: str = ""
    text_language: str = ""


def store_responses(
    *, loaded: Sequence[LoadedResponse], progress: Progress = ignore_progress
) -> list[Response]:
    """Store answers with their assignments and ratings; called inside the loading transaction.

    Parameters
    ----------
    loaded : sequence of LoadedResponse
        Checked by the caller; the database refuses doubled revisions and values off the scale.
    progress : callable
        Called with the numbers of responses and ratings stored so far.

    Returns
    -------
    list of Response
        In the order given.
    """
    assignments = _store_assignments(loaded)
    made = [_response(one, assignments[one.rater.pk, one.item.pk, one.version.form_id]) for one in loaded]
    responses = store(Response.objects, made, "responses", progress)
    store(
        Rating.objects,
        [
            _rating(response, criterion, value)
            for response, one in zip(responses, loaded, strict=True)
            for criterion, value in one.values.items()
        ],
        "ratings",
        progress,
    )
    analyze_tables(len(responses), Assignment, Response, Rating)
    return responses


def _store_assignments(loaded: Sequence[LoadedResponse]) -> dict[tuple[int, int, int], Assignment]:
    made: dict[tuple[int, int, int], Assignment] = {}
    positions: dict[int, int] = {}
    for one in loaded:
        key = (one.rater.pk, one.item.pk, one.version.form_id)
        if key not in made:
            positions[one.rater.pk] = positions.get(one.rater.pk, 0) + 1
            made[key] = Assignment(
                rater=one.rater,
                item=one.item,
                form_id=one.version.form_id,
                version=one.version,
                position=positions[one.rater.pk],
                submitted_at=one.submitted_at,
            )
    store(Assignment.objects, made.values(), "assignments")
    return made


def _response(one: LoadedResponse, assignment: Assignment) -> Response:
    return Response(
        assignment=assignment,
        revision=one.revision,
        current=one.current,
        submission_key=uuid.uuid4(),
        version=one.version,
        cannot_rate=one.cannot_rate,
        remark=one.remark,
        late=one.late,
        submitted_at=one.submitted_at,
        seconds=one.seconds,
        suggestions=one.suggestions,
        first_values=one.first_values,
        heard=one.heard,
        interface_language=one.interface_language,
        text_language=one.text_language,
    )


def _rating(response: Response, criterion: Criterion, value: float | str) -> Rating:
    return Rating(response=response, **answer_columns(criterion, criterion.question_kind.of_cell(value)))
