"""Everything that a study holds of one person, as a document for that person."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from annotation.domain.base.states import StudyState
from annotation.models import Assignment, Exclusion, Rater, Response
from annotation.selectors.people.consent import agreements_of
from annotation.selectors.rating.rating_page import shown_blocks

Document = dict[str, Any]
FORMAT = "groundwork-personal-data"


def personal_data(rater: Rater, *, with_review: bool) -> Document:
    """All that is stored of a rater: who they are, what they said of themselves, what they answered when.

    Parameters
    ----------
    rater : Rater
        With its study loaded, in any state.
    with_review : bool
        With what others concluded of the rater's work: checks, attempts to qualify, exclusions. A rater who
        is at work is not shown it, since it would say which items are checks.
    """
    document = {
        "format": FORMAT,
        "version": 1,
        "made_at": _time(timezone.now()),
        "study": {"slug": rater.study.slug, "title": rater.study.title},
        "rater": rater.code,
        "taking_part": _taking_part(rater),
        "account": None if rater.user is None else {"email": rater.user.email, "name": rater.user.name},
        "platform": _platform(rater),
        "about_you": [
            {
                "question": one.question.text,
                "answer": None if one.declined else one.value,
                "declined": one.declined,
                "answered_at": _time(one.answered_at),
            }
            for one in rater.demographic_answers.select_related("question")
        ],
        "responses": [_response(one) for one in _responses(rater)],
        "bonus": _bonus(rater),
    }
    return {**document, "review": _review(rater)} if with_review else document


def shows_review(rater: Rater) -> bool:
    """Whether a rater may read what was concluded of their work: once the study is closed."""
    return rater.study.state == StudyState.CLOSED


def _taking_part(rater: Rater) -> Document:
    return {
        "state": rater.state,
        "joined_at": _time(rater.consented_at),
        "finished_at": _time(rater.finished_at),
        "last_seen_at": _time(rater.last_seen_at),
        "agreed": [
            {"version": one.text.number, "text": one.text.text, "at": _time(one.agreed_at)}
            for one in agreements_of(rater)
        ],
    }


def _platform(rater: Rater) -> Document | None:
    identity = getattr(rater, "identity", None)
    if identity is None or identity.erased_at is not None:
        return None
    return {
        "platform": identity.platform,
        "person": identity.person,
        "task": identity.task,
        "session": identity.session,
    }


def _responses(rater: Rater) -> list[Response]:
    given = Response.objects.filter(assignment__rater=rater)
    given = given.select_related("assignment__item", "version__form")
    in_order = given.order_by("assignment__position", "assignment_id", "revision")
    return list(in_order.prefetch_related("ratings__criterion"))


def _response(response: Response) -> Document:
    item = response.assignment.item
    fields = [block["field"] for block in shown_blocks(response.version, item)]
    return {
        "form": response.version.form.title,
        "texts": {field: item.fields.get(field, "") for field in fields},
        "revision": response.revision,
        "current": response.current,
        "ratings": {rating.criterion.name: rating.cell for rating in response.ratings.all()},
        "cannot_rate": response.cannot_rate,
        "remark": response.remark,
        "shown_at": _time(response.assignment.opened_at),
        "submitted_at": _time(response.submitted_at),
        "seconds": response.seconds,
        "active_seconds": response.active_seconds,
        "away_seconds": response.away_seconds,
        "times_away": response.times_away,
        "pastes": response.pastes,
    }


def _bonus(rater: Rater) -> Document | None:
    bonus = getattr(rater, "bonus", None)
    return None if bonus is None else {"amount": str(bonus.amount), "note": bonus.note}


def _review(rater: Rater) -> Document:
    checks = Assignment.objects.filter(rater=rater, verdict__isnull=False).select_related(
        "verdict", "check_planted"
    )
    exclusions = Exclusion.objects.filter(rater=rater) | Exclusion.objects.filter(
        response__assignment__rater=rater
    )
    return {
        "checks": [
            {
                "check": one.check_planted.key if one.check_planted else "",
                "passed": one.verdict.passed,
            }
            for one in checks.order_by("position")
        ],
        "attempts": [
            {"number": one.number, "passed": one.passed, "figure": one.figure, "decision": one.decision}
            for one in rater.attempts.all()
        ],
        "exclusions": [
            {"reason": one.reason, "at": _time(one.created_at), "lifted": hasattr(one, "lift")}
            for one in exclusions.select_related("lift").order_by("pk")
        ],
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
