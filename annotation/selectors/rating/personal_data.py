"""Everything that a study holds of one person, as a document for that person."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.domain.base.states import StudyState
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.people.holdings import registered_holdings
from annotation.models import (
    Assignment,
    CrowdSubmission,
    EarnedBefore,
    Exclusion,
    FinalAnswer,
    FormVersion,
    MessageDelivery,
    Payment,
    PilotMatch,
    ProblemReport,
    QualificationAttempt,
    Rater,
    RaterFlag,
    Response,
)
from annotation.selectors.people.consent import agreements_of
from annotation.selectors.people.rater_messages import messages_to
from annotation.selectors.rating.rating_page import shown_blocks

Document = dict[str, Any]
FORMAT = "groundwork-personal-data"


def personal_data(rater: Rater, *, with_review: bool) -> Document:
    """All stored data about a rater: identity, demographic answers, and responses with their times.

    Parameters
    ----------
    rater : Rater
        With its study loaded, in any state.
    with_review : bool
        With what others concluded of the rater's work: checks, attempts to qualify, exclusions, final answers
        chosen from theirs, computed figures. A rater who is at work is not shown it, since it would say which
        items are checks.
    """
    document = {
        "format": FORMAT,
        "version": 1,
        "made_at": _time(timezone.now()),
        "study": {"slug": rater.study.slug, "title": rater.study.title},
        "rater": rater.code,
        "taking_part": _taking_part(rater),
        "account": None if rater.user is None else {"email": rater.user.email, "name": rater.user.name},
        "personal_link": _personal_link(rater),
        "platform": _platform(rater),
        "also_in": _other_studies(rater),
        "about_you": [
            {
                "question": one.question.text,
                "answer": None if one.declined else one.value,
                "declined": one.declined,
                "answered_at": _time(one.answered_at),
            }
            for one in rater.demographic_answers.select_related("question")
        ],
        "responses": [_response(one, with_review=with_review) for one in _responses(rater)],
        "unanswered": [_page(one, with_review=with_review) for one in _unanswered(rater)],
        "problems": [_problem(one) for one in _problems(rater)],
        "bonus": _bonus(rater),
        "earned_before": [_earned(one) for one in rater.earned_before.order_by("pk")],
        "payments": [_payment(one) for one in rater.payments.order_by("pk")],
        "messages": [_message(one) for one in messages_to(rater)],
        "submissions": [_submission(one) for one in rater.crowd_submissions.order_by("pk")],
    }
    return {**document, "review": _review(rater)} if with_review else document


def shows_review(rater: Rater) -> bool:
    """Whether a rater may read what was concluded of their work: once the study is closed."""
    return rater.study.state == StudyState.CLOSED


def _taking_part(rater: Rater) -> Document:
    return {
        "state": rater.state,
        "created_at": _time(rater.created_at),
        "joined_at": _time(rater.consented_at),
        "described_at": _time(rater.described_at),
        "background_pages_read": rater.pages_read,
        "finished_at": _time(rater.finished_at),
        "last_seen_at": _time(rater.last_seen_at),
        "messages_stopped_at": _time(rater.messages_stopped_at),
        "agreed": [
            {
                "version": one.text.number,
                "text": one.text.text,
                "at": _time(one.agreed_at),
                "interface_language": one.interface_language,
                "text_as_read": one.text.translations.get(one.interface_language, one.text.text),
            }
            for one in agreements_of(rater)
        ],
    }


def _personal_link(rater: Rater) -> Document | None:
    link = getattr(rater, "invitation", None)
    return None if link is None else {"label": link.label, "created_at": _time(link.created_at)}


def _platform(rater: Rater) -> Document | None:
    identity = getattr(rater, "identity", None)
    if identity is None or identity.erased_at is not None:
        return None
    return {
        "platform": identity.platform,
        "person": identity.person,
        "task": identity.task,
        "session": identity.session,
        "submit_to": identity.submit_to,
    }


def _other_studies(rater: Rater) -> list[Document]:
    """The pilot or main study in which they rate too, as far as the two studies are pooled."""
    pairs = PilotMatch.objects.filter(Q(rater=rater) | Q(main_rater=rater))
    found = pairs.select_related("rater__study", "main_rater__study").order_by("pk")
    others = [one.main_rater if one.rater_id == rater.pk else one.rater for one in found]
    return [{"study": one.study.slug, "rater": one.code} for one in others]


def _responses(rater: Rater) -> list[Response]:
    given = Response.objects.filter(assignment__rater=rater)
    given = given.select_related("assignment__item", "version__form")
    in_order = given.order_by("assignment__position", "assignment_id", "revision")
    return list(in_order.prefetch_related("ratings__criterion"))


def _unanswered(rater: Rater) -> QuerySet[Assignment]:
    """The pages they were given and did not answer."""
    given = rater.assignments.filter(responses=None).select_related("item", "version__form")
    return given.order_by("position", "pk")


def _page(assignment: Assignment, *, with_review: bool, version: FormVersion | None = None) -> Document:
    version = version or assignment.version
    fields = [block["field"] for block in shown_blocks(version, assignment.item)]
    page = {
        "form": version.form.title,
        "texts": {field: assignment.item.fields.get(field, "") for field in fields},
        "given_at": _time(assignment.created_at),
        "shown_at": _time(assignment.opened_at),
        "answered_at": _time(assignment.submitted_at),
        "first_sent_after": assignment.hurried_after,
    }
    # What a page is for says which ones are checks.
    return {**page, "purpose": assignment.purpose} if with_review else page


def _response(response: Response, *, with_review: bool) -> Document:
    page = _page(response.assignment, with_review=with_review, version=response.version)
    return {
        **page,
        "shown_at": _time(response.shown_at),
        # A page that was opened again after its answer: later than the answer.
        "last_opened_at": _time(response.assignment.opened_at),
        "revision": response.revision,
        "current": response.current,
        "ratings": {rating.criterion.name: rating.cell for rating in response.ratings.all()},
        "cannot_rate": response.cannot_rate,
        "remark": response.remark,
        "suggestions": response.suggestions,
        "first_values": response.first_values,
        "heard": response.heard,
        "options_shown": {one.criterion.name: one.shown for one in response.ratings.all() if one.shown},
        "submitted_at": _time(response.submitted_at),
        "late": response.late,
        "seconds": response.seconds,
        "hurried_after": response.hurried_after,
        "active_seconds": response.active_seconds,
        "away_seconds": response.away_seconds,
        "times_away": response.times_away,
        "pastes": response.pastes,
        "interface_language": response.interface_language,
        "text_language": response.text_language,
    }


def _problems(rater: Rater) -> QuerySet[ProblemReport]:
    found = ProblemReport.objects.filter(assignment__rater=rater)
    return found.select_related("assignment__item", "assignment__version__form")


def _problem(problem: ProblemReport) -> Document:
    """What the rater reported about an item, without who dealt with it."""
    return {
        "texts": _page(problem.assignment, with_review=False)["texts"],
        "reason": problem.reason,
        "text": problem.text,
        "reported_at": _time(problem.reported_at),
        "resolved_at": _time(problem.resolved_at),
    }


def _bonus(rater: Rater) -> Document | None:
    bonus = getattr(rater, "bonus", None)
    return (
        None
        if bonus is None
        else {
            "amount": str(bonus.amount),
            "note": bonus.note,
            "granted_at": _time(bonus.granted_at),
        }
    )


def _earned(earned: EarnedBefore) -> Document:
    return {
        "pay": str(from_minor(earned.base, earned.currency)),
        "top_up": str(from_minor(earned.top_up, earned.currency)),
        "currency": earned.currency,
        "at": _time(earned.at),
    }


def _payment(payment: Payment) -> Document:
    return {
        "kind": payment.kind,
        "amount": str(from_minor(payment.amount, payment.currency)),
        "currency": payment.currency,
        "key": str(payment.key),
        "history": [
            {"state": one.state, "at": _time(one.at), "reference": one.reference, "note": one.note}
            for one in payment.entries.order_by("number")
        ],
    }


def _message(delivery: MessageDelivery) -> Document:
    """A message of the research team to the rater, and what became of it."""
    sent = delivery.message
    return {
        "kind": sent.kind,
        **sent.texts.get(delivery.language, {}),
        "language": delivery.language,
        "created_at": _time(sent.created_at),
        "state": delivery.state,
        "reason": delivery.reason,
        "tried_at": _time(delivery.tried_at),
    }


def _submission(submission: CrowdSubmission) -> Document:
    """What a platform shows of their work, and what was asked of them there."""
    return {
        "platform": submission.platform,
        "number": submission.number,
        "status": submission.status,
        "code": submission.code,
        "return_requested": submission.return_requested,
        "read_at": _time(submission.read_at),
        "decision": submission.decision,
        "decision_state": submission.decision_state,
        "reason": submission.reason,
        "decided_at": _time(submission.decided_at) if submission.decided_at else None,
    }


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
                "reason": one.verdict.reason,
                "detail": one.verdict.detail,
            }
            for one in checks.order_by("position")
        ],
        "attempts": [_attempt(one) for one in rater.attempts.all()],
        "flags": [
            {"indicators": one.indicators, "at": _time(one.flagged_at)}
            for one in RaterFlag.objects.filter(rater=rater)
        ],
        "exclusions": [_exclusion(one) for one in exclusions.select_related("lift").order_by("pk")],
        "final_answers": [
            {"item": one.verdict.case.item.key, "criterion": one.criterion.name, "answer": one.cell}
            for one in FinalAnswer.objects.filter(chosen_from=rater).select_related(
                "criterion", "verdict__case__item"
            )
        ],
        **{holding.key: import_string(holding.read)(rater) for holding in registered_holdings()},
    }


def _attempt(attempt: QualificationAttempt) -> Document:
    return {
        "number": attempt.number,
        "started_at": _time(attempt.started_at),
        "finished_at": _time(attempt.finished_at),
        "passed": attempt.passed,
        "reason": attempt.reason,
        "figure": attempt.figure,
        "threshold": attempt.threshold,
        "detail": attempt.detail,
        "decision": attempt.decision,
        "decided_at": _time(attempt.decided_at),
    }


def _exclusion(exclusion: Exclusion) -> Document:
    lift = getattr(exclusion, "lift", None)
    return {
        "rule": exclusion.rule,
        "reason": exclusion.reason,
        "at": _time(exclusion.created_at),
        "lifted": lift is not None,
        "lifted_at": _time(lift.created_at) if lift else None,
        "lift_reason": lift.reason if lift else "",
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
