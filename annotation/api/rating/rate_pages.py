"""The rater behind a request, and a page of the rating task as plain data."""

from __future__ import annotations

import math
import uuid
from typing import Any

from django.http import Http404
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from annotation.api.base.requests import caller
from annotation.domain.base.states import Purpose
from annotation.domain.questions.answers import REASONS
from annotation.domain.questions.text_languages import without_texts
from annotation.models import ApiToken, Assignment, FormVersion, Invitation, Rater, RaterKind, Response
from annotation.permissions import Act, study_access
from annotation.selectors.quality.qualification import (
    calibration_of,
    compare_with_reference,
    qualification_for,
    qualification_status,
    shows_feedback,
)
from annotation.selectors.questions.shown_options import OF_OPTIONS, OFFERING_OPTIONS, shown_points
from annotation.selectors.rating.check_page import translations_of_page
from annotation.selectors.rating.rating_page import calibration_progress, is_read_only, seat_end, shown_blocks
from annotation.selectors.seats.suggestions import suggestions_for
from annotation.services.base.tokens import Scope
from annotation.services.quality.reading_time import seconds_left
from annotation.services.rating.enrolment import trial_rater
from config.operations.log_context import about_study


def rater_of(request: Request, slug: str) -> Rater:
    """The caller as a rater: with an invitation, with an account, or as a member in a preview."""
    if isinstance(request.auth, Invitation):
        rater = request.auth.rater
        if rater is None or rater.study.slug != slug:
            raise Http404
        about_study(rater.study_id)
        return rater
    if isinstance(request.auth, ApiToken) and Scope.WRITE not in request.auth.scopes:
        # Even opening a page reserves a rating slot.
        raise PermissionDenied(f"Rating needs a token with the scope “{Scope.WRITE}”.", code="no_scope")
    user = caller(request)
    found = Rater.objects.select_related("study").filter(study__slug=slug, user=user).first()
    if found is not None:
        about_study(found.study_id)
        return found
    return trial_rater(study=study_access(user, slug, Act.VIEW).study, user=user)


def own_assignment(rater: Rater, pk: int) -> Assignment:
    """One of the rater's own assignments, with all data for its page."""
    found = rater.assignments.select_related("item", "form", "version__form", "seat", "rater__study")
    assignment = found.filter(pk=pk).first()
    if assignment is None:
        raise Http404
    return assignment


def progress_of(rater: Rater) -> dict[str, Any]:
    answered = rater.assignments.filter(submitted_at__isnull=False)
    return {"done": answered.exclude(purpose=Purpose.QUALIFICATION).count(), "target": rater.target}


def progress_at(assignment: Assignment) -> dict[str, Any]:
    """Progress of the rater in the task, or in the attempt of a calibration item."""
    if assignment.purpose != Purpose.QUALIFICATION:
        return progress_of(assignment.rater)
    found = calibration_progress(assignment)
    return {"done": found.done, "target": found.total}


def feedback_on(assignment: Assignment) -> dict[str, Any] | None:
    """The answer to a calibration item with its reference values; None without feedback."""
    calibration = calibration_of(assignment)
    if calibration is None or not shows_feedback(assignment, calibration):
        return None
    return {
        "compared": compare_with_reference(assignment, calibration),
        "reason": calibration.reason,
        # The note is for those who have answered all items.
        "translations": without_texts(calibration.translations, ["note"]),
    }


def qualification_at(rater: Rater) -> dict[str, Any] | None:
    """Progress of a rater towards the main work; None without a qualification."""
    qualification = qualification_for(rater)
    if qualification is None:
        return None
    now = qualification_status(rater, qualification)
    return {
        "step": now.step.value,
        "pages_read": rater.pages_read,
        "attempts_left": now.attempts_left,
        "attempt": now.attempt,
    }


def enrolment_of(rater: Rater) -> dict[str, Any]:
    return {
        "study": rater.study.slug,
        "title": rater.study.title,
        "rater": rater.code,
        "state": rater.state,
        "trial": rater.kind == RaterKind.TRIAL,
        "progress": progress_of(rater),
        "qualification": qualification_at(rater),
    }


def page_of(assignment: Assignment) -> dict[str, Any]:
    """The page of an opened assignment, with a new page key."""
    version = (
        FormVersion.objects.select_related("form")
        .prefetch_related("criteria__points")
        .get(pk=assignment.version_id)
    )
    version.translations = translations_of_page(assignment, version)
    current = (
        assignment.responses.filter(current=True)
        .select_related("version")
        .prefetch_related("ratings__criterion")
        .first()
    )
    left = seconds_left(assignment)
    before = suggestions_for(assignment)
    return {
        "assignment": assignment.pk,
        "page_key": uuid.uuid4(),
        "position": assignment.position,
        "accepts_answers": not is_read_only(assignment),
        "form": version,
        "blocks": [
            _block(assignment, block)
            for block in shown_blocks(version, assignment.item)
            if block.get("role") not in OF_OPTIONS
        ],
        "options": {
            criterion.key: shown_points(criterion, assignment, version)
            for criterion in version.criteria.all()
            if criterion.kind in OFFERING_OPTIONS
        },
        "seconds_left": None if left is None else math.ceil(left),
        "earlier": [dict(one.answers) for one in before.earlier],
        "suggestions": before.answers,
        "reasons": list(REASONS) if assignment.offers_cannot_rate else [],
        "calibration": assignment.purpose == Purpose.QUALIFICATION,
        "feedback": feedback_on(assignment),
        "progress": progress_at(assignment),
        "held_until": seat_end(assignment),
        "answer": None if current is None else answer_of(assignment, current),
    }


def answer_of(assignment: Assignment, response: Response) -> dict[str, Any]:
    return {
        "assignment": assignment.pk,
        "form": assignment.form.key,
        "version": response.version.number,
        "revision": response.revision,
        "answers": {rating.criterion.key: rating.cell for rating in response.ratings.all()},
        "first_values": response.first_values,
        "heard": response.heard,
        "cannot_rate": response.cannot_rate,
        "remark": response.remark,
        "late": response.late,
        "submitted_at": response.submitted_at,
        "interface_language": response.interface_language,
    }


def _block(assignment: Assignment, block: dict[str, Any]) -> dict[str, Any]:
    field, wanted = block["field"], set(block.get("mark", ()))
    marks = [
        {"part": part["part"], "start": part["start"], "end": part["end"]}
        for part in assignment.item.components
        if part["field"] == field and part["part"] in wanted and part["start"] is not None
    ]
    return {
        "field": field,
        "label": block.get("label", ""),
        "role": block.get("role", "text"),
        "text": assignment.item.fields.get(field, ""),
        "marks": marks,
    }
