"""Submissions on Prolific: read, decided by a member, and the decisions sent."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import JobState
from annotation.domain.pay.prolific import (
    APPROVED,
    RETURN_REASONS,
    RETURNED,
    SCREENED_OUT,
    SUBMISSIONS_JOB,
    Decision,
    DecisionState,
)
from annotation.io.pay.prolific import MOST_APPROVED, Prolific, Submission, Unknown
from annotation.models import (
    Job,
    PlatformIdentity,
    ProlificStudy,
    ProlificSubmission,
    Rater,
    Study,
    User,
)
from annotation.selectors.pay.prolific import may_be_decided
from annotation.selectors.people.outcomes import outcome_of, with_outcomes
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue, lease_over
from annotation.services.pay.prolific.connection import client_of
from annotation.services.pay.prolific.drafts import study_on_prolific
from annotation.services.people.identity import hashed_persons
from annotation.services.seats.locks import lock_studies

logger = logging.getLogger(__name__)

# What Prolific shows of a submission once a decision has taken effect.
EFFECTS = {
    Decision.APPROVE: Q(status=APPROVED),
    Decision.SCREEN_OUT: Q(status=SCREENED_OUT),
    Decision.RETURN: Q(status=RETURNED) | Q(return_requested=True),
}
UNSETTLED = (DecisionState.SENT, DecisionState.IN_DOUBT)


def request_reading(*, study: Study, actor: User) -> Job:
    """Enqueue the reading of the submissions; waiting decisions are sent first.

    Parameters
    ----------
    study, actor
        With a study on Prolific, and who asks.

    Raises
    ------
    NotAllowedNow
        `no_prolific_study`, `not_connected`.
    """
    study_on_prolific(study)
    client_of(study)
    return enqueue(kind=SUBMISSIONS_JOB, study=study, params={}, created_by=actor)


def decide(*, study: Study, decisions: Mapping[int, Decision], actor: User) -> Job:
    """Store what a member has confirmed about submissions, and enqueue its sending.

    Parameters
    ----------
    study, actor
        With a study on Prolific, and who decides.
    decisions : mapping of int to Decision
        By the primary key of the submission.

    Raises
    ------
    InvalidContent
        `nothing_chosen`: no submission was chosen.
    NotAllowedNow
        `changed_elsewhere`: a submission has been decided meanwhile, or does not await review any more;
        `no_screen_out`: the study on Prolific has no code for it. Nothing is stored.
    """
    if not decisions:
        raise InvalidContent(message("Choose at least one submission."), code="nothing_chosen")
    row = study_on_prolific(study)
    client_of(study)
    if Decision.SCREEN_OUT in decisions.values() and not row.screen_out_code:
        raise NotAllowedNow(
            message("The study on Prolific has no code for paid screen-outs. Choose another decision."),
            code="no_screen_out",
        )
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        chosen = list(ProlificSubmission.objects.filter(study=study, pk__in=list(decisions)))
        if len(chosen) != len(decisions) or not all(may_be_decided(one) for one in chosen):
            raise NotAllowedNow(
                message("A submission was changed meanwhile. Reload the page, then decide again."),
                code="changed_elsewhere",
            )
        reasons = _return_reasons(chosen)
        for one in chosen:
            one.decision, one.decision_state = decisions[one.pk], DecisionState.WAITING
            one.return_reason = reasons[one.pk] if one.decision == Decision.RETURN else ""
            one.problem, one.decided_by, one.decided_at = None, actor, timezone.now()
        ProlificSubmission.objects.bulk_update(chosen, DECIDED)
        for decision in Decision:
            of_kind = [one for one in chosen if one.decision == decision]
            if of_kind:
                audit.record(
                    study=study,
                    actor=actor,
                    act="decide_submissions",
                    decision=decision.value,
                    n=len(of_kind),
                )
        params = {"decided": timezone.now().isoformat()}
        return enqueue(kind=SUBMISSIONS_JOB, study=study, params=params, created_by=actor)


DECIDED = ("decision", "decision_state", "return_reason", "problem", "decided_by", "decided_at")


def run_submissions(*, lease: Lease) -> None:
    """Send waiting decisions, each once, then read the submissions of the study on Prolific.

    A decision is stored as being sent before its call. If no answer comes, or the worker dies, it is in
    doubt: it is never sent again by itself, and takes effect here when the submission shows it.

    Parameters
    ----------
    lease : Lease
        Of a job from `request_reading` or `decide`.
    """
    study = Study.objects.get(jobs__pk=lease.job.pk)
    client, row = client_of(study), study_on_prolific(study)
    _doubt_interrupted(study, lease)
    waiting = ProlificSubmission.objects.filter(study=study, decision_state=DecisionState.WAITING)
    approved = list(waiting.filter(decision=Decision.APPROVE).order_by("pk"))
    for start in range(0, len(approved), MOST_APPROVED):
        _send(approved[start : start + MOST_APPROVED], client, row, lease)
    others = list(waiting.exclude(decision=Decision.APPROVE).order_by("pk"))
    for number, one in enumerate(others):
        lease.beat(number, len(others) + 1)
        _send([one], client, row, lease)
    found: list[Submission] = []
    for shown in client.submissions(row.number):
        found.append(shown)
        lease.beat(len(found), len(found) + 1)
    with transaction.atomic():
        # Before the job is locked: who decides or deletes locks in this order.
        lock_studies([study.pk])
        lease.complete(lambda: _store(study, row, found))


def _doubt_interrupted(study: Study, lease: Lease) -> None:
    """Put in doubt what a worker was sending that has died; while another one is at work, nothing."""
    with transaction.atomic():
        lock_studies([study.pk])
        running = Job.objects.filter(study=study, kind=SUBMISSIONS_JOB, state=JobState.RUNNING)
        if not running.exclude(pk=lease.job.pk).exclude(lease_over()).exists():
            being_sent = ProlificSubmission.objects.filter(study=study, decision_state=DecisionState.SENDING)
            being_sent.update(decision_state=DecisionState.IN_DOUBT)


def _send(chosen: list[ProlificSubmission], client: Prolific, row: ProlificStudy, lease: Lease) -> None:
    """Call Prolific once about submissions with the same decision."""
    # Before the call: a worker that takes over must not send what this one may have sent.
    with transaction.atomic():
        waiting = ProlificSubmission.objects.select_for_update().filter(
            pk__in=[one.pk for one in chosen], decision_state=DecisionState.WAITING
        )
        chosen = list(waiting.order_by("pk"))
        rows = ProlificSubmission.objects.filter(pk__in=[one.pk for one in chosen])
        rows.update(decision_state=DecisionState.SENDING)
        # A worker that has lost its job sends nothing, and leaves the decisions as they were.
        lease.renew()
    if not chosen:
        return
    state, problem = DecisionState.SENT, None
    try:
        _call(chosen, client, row)
    except Unknown as fault:
        state, problem = DecisionState.IN_DOUBT, as_stored(fault.message)
    except GroundworkError as fault:
        state, problem = DecisionState.REFUSED, as_stored(fault.message)
    # Not about what was put in doubt and decided again, if this worker was suspended in the call.
    latest = max(one.decided_at for one in chosen if one.decided_at)
    rows.filter(decision_state=DecisionState.SENDING, decided_at__lte=latest).update(
        decision_state=state, problem=problem
    )


def _call(chosen: list[ProlificSubmission], client: Prolific, row: ProlificStudy) -> None:
    one = chosen[0]
    if one.decision == Decision.APPROVE:
        client.approve([each.number for each in chosen])
    elif one.decision == Decision.RETURN:
        client.request_return(one.number, one.return_reason)
    else:
        client.complete(one.number, row.screen_out_code)


def _store(study: Study, outside: ProlificStudy, found: list[Submission]) -> None:
    """Store what Prolific shows, and settle decisions whose effect it shows; the study is locked.

    What was decided is left to who decides and sends: it may have changed since it was read.
    """
    if not ProlificStudy.objects.filter(pk=outside.pk).exists():
        # Separated meanwhile: these submissions are of another study now.
        return
    raters, found = _of_known_raters(study, found)
    stored = {one.number: one for one in ProlificSubmission.objects.filter(study=study)}
    now = timezone.now()
    made: list[ProlificSubmission] = []
    changed: list[ProlificSubmission] = []
    for one in found:
        row = stored.get(one.number) or ProlificSubmission(study=study, number=one.number)
        row.rater_id = raters.get(one.person)
        row.status, row.code, row.read_at = one.status, one.code, now
        row.return_requested = one.return_requested
        (changed if row.pk else made).append(row)
    ProlificSubmission.objects.bulk_create(made, batch_size=500)
    ProlificSubmission.objects.bulk_update(changed, READ, batch_size=500)
    unsettled = ProlificSubmission.objects.filter(study=study, decision_state__in=UNSETTLED)
    for decision, effect in EFFECTS.items():
        unsettled.filter(effect, decision=decision).update(decision_state=DecisionState.DONE, problem=None)


READ = ("rater", "status", "code", "return_requested", "read_at")


def _of_known_raters(study: Study, found: list[Submission]) -> tuple[dict[str, int], list[Submission]]:
    """The raters by Prolific ID, and the submissions without those of people whose data were erased."""
    identities = PlatformIdentity.objects.filter(study=study, platform=Platform.PROLIFIC.value)
    # Under lock: an ID that is erased now is erased before this, or its submissions are deleted after it.
    known = identities.select_for_update(no_key=True).filter(erased_at=None).order_by("pk")
    raters = dict(known.values_list("person", "rater"))
    erased = set(identities.exclude(erased_at=None).values_list("person", flat=True))
    if not erased:
        return raters, found
    left = [
        one
        for one in found
        if one.person in raters
        or erased.isdisjoint(hashed_persons(study, Platform.PROLIFIC.value, one.person))
    ]
    return raters, left


def _return_reasons(chosen: list[ProlificSubmission]) -> dict[int, str]:
    """What each person reads who is asked to return, by how their part here has ended."""
    raters = with_outcomes(Rater.objects.filter(prolific_submissions__in=chosen))
    outcomes = {one.pk: outcome_of(one) for one in raters}
    return {one.pk: RETURN_REASONS[outcomes.get(one.rater_id) if one.rater_id else None] for one in chosen}
