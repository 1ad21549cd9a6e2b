"""Submissions on a platform: read, decided by a member, and the decisions sent."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import JobState
from annotation.domain.pay.crowd import (
    APPROVED,
    LONGEST_REASON,
    OFFERS,
    REJECTED,
    RETURN_REASONS,
    RETURNED,
    SCREENED_OUT,
    SUBMISSIONS_JOB,
    Decision,
    DecisionState,
)
from annotation.io.pay.crowd import CrowdClient, Submission, Unknown
from annotation.models import (
    CrowdStudy,
    CrowdSubmission,
    Job,
    PlatformIdentity,
    Rater,
    Study,
    User,
)
from annotation.selectors.pay.crowd import may_be_decided
from annotation.selectors.people.outcomes import outcome_of, with_outcomes
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue, lease_over
from annotation.services.pay.crowd.connection import client_of, name, token_of
from annotation.services.pay.crowd.outside_studies import outside_study
from annotation.services.people.identity import hashed_persons
from annotation.services.seats.locks import lock_studies

logger = logging.getLogger(__name__)

# What a platform shows of a submission once a decision has taken effect.
EFFECTS = {
    Decision.APPROVE: Q(status=APPROVED),
    Decision.SCREEN_OUT: Q(status=SCREENED_OUT),
    Decision.RETURN: Q(status=RETURNED) | Q(return_requested=True),
    Decision.REJECT: Q(status=REJECTED),
}
UNSETTLED = (DecisionState.SENT, DecisionState.IN_DOUBT)
# Under these acts decisions are in the audit log.
DECIDED_ON = {Platform.PROLIFIC: "decide_submissions", Platform.MTURK: "decide_assignments"}


def request_reading(*, study: Study, platform: Platform, actor: User) -> Job:
    """Enqueue the reading of the submissions; waiting decisions are sent first.

    Parameters
    ----------
    study, platform, actor
        With a study on the platform, and who asks.

    Raises
    ------
    NotAllowedNow
        `no_prolific_study` or `no_mturk_study`, `not_connected`.
    """
    outside_study(study, platform)
    token_of(study, platform)
    params = {"platform": platform.value}
    return enqueue(kind=SUBMISSIONS_JOB, study=study, params=params, created_by=actor)


def decide(
    *, study: Study, platform: Platform, decisions: Mapping[int, Decision], actor: User, reason: str = ""
) -> Job:
    """Store what a member has confirmed about submissions, and enqueue its sending.

    Parameters
    ----------
    study, platform, actor
        With a study on the platform, and who decides.
    decisions : mapping of int to Decision
        By the primary key of the submission.
    reason : str
        What people read whose work is rejected.

    Raises
    ------
    InvalidContent
        `nothing_chosen`: no submission was chosen; `no_reason`: a rejection needs one;
        `not_offered`: the platform has no such decision.
    NotAllowedNow
        `changed_elsewhere`: a submission has been decided meanwhile, or does not await review any more;
        `no_screen_out`: the study on the platform has no code for it. Nothing is stored.
    """
    row = outside_study(study, platform)
    token_of(study, platform)
    _check(platform, decisions, reason, can_screen_out=bool(row.screen_out_code))
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        chosen = list(_submissions(study, platform).filter(pk__in=list(decisions)))
        if len(chosen) != len(decisions) or not all(may_be_decided(one) for one in chosen):
            raise NotAllowedNow(
                message("A submission was changed meanwhile. Reload the page, then decide again."),
                code="changed_elsewhere",
            )
        asked = _return_reasons(chosen)
        for one in chosen:
            one.decision, one.decision_state = decisions[one.pk], DecisionState.WAITING
            reasons = {Decision.RETURN: asked[one.pk], Decision.REJECT: reason.strip()}
            one.reason = reasons.get(Decision(one.decision), "")
            one.problem, one.decided_by, one.decided_at = None, actor, timezone.now()
        CrowdSubmission.objects.bulk_update(chosen, DECIDED)
        for decision in Decision:
            n = sum(one.decision == decision for one in chosen)
            if n:
                act = DECIDED_ON[platform]
                audit.record(study=study, actor=actor, act=act, decision=decision.value, n=n)
        params = {"platform": platform.value, "decided": timezone.now().isoformat()}
        return enqueue(kind=SUBMISSIONS_JOB, study=study, params=params, created_by=actor)


def _check(
    platform: Platform, decisions: Mapping[int, Decision], reason: str, *, can_screen_out: bool
) -> None:
    chosen = set(decisions.values())
    if not chosen:
        raise InvalidContent(message("Choose at least one submission."), code="nothing_chosen")
    if not chosen <= set(OFFERS[platform].decisions):
        sentence = message("%(platform)s has no such decision. Choose another one.", platform=name(platform))
        raise InvalidContent(sentence, code="not_offered", fields={"decisions": sentence})
    if Decision.SCREEN_OUT in chosen and not can_screen_out:
        raise NotAllowedNow(
            message("The study on Prolific has no code for paid screen-outs. Choose another decision."),
            code="no_screen_out",
        )
    if Decision.REJECT in chosen and not 0 < len(reason.strip()) <= LONGEST_REASON:
        sentence = message(
            "Enter the reason for the rejection in at most %(most)d characters. The person reads it.",
            most=LONGEST_REASON,
        )
        raise InvalidContent(sentence, code="no_reason", fields={"reason": sentence})


def _submissions(study: Study, platform: Platform) -> QuerySet[CrowdSubmission]:
    return CrowdSubmission.objects.filter(study=study, platform=platform.value)


DECIDED = ("decision", "decision_state", "reason", "problem", "decided_by", "decided_at")


def run_submissions(*, lease: Lease) -> None:
    """Send waiting decisions, each once, then read the submissions of the study on the platform.

    A decision is stored as being sent before its call. If no answer comes, or the worker dies, it is in
    doubt: it is never sent again by itself, and takes effect here when the submission shows it.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_reading` or `decide`.
    """
    study, platform = Study.objects.get(jobs__pk=lease.job.pk), Platform(lease.job.params["platform"])
    client, row = client_of(study, platform), outside_study(study, platform)
    _doubt_interrupted(study, platform, lease)
    waiting = list(
        _submissions(study, platform).filter(decision_state=DecisionState.WAITING).order_by("decision", "pk")
    )
    for decision in Decision:
        of_kind = [one for one in waiting if one.decision == decision]
        most = client.approved_at_once if decision is Decision.APPROVE else 1
        for start in range(0, len(of_kind), most):
            lease.beat(start, len(of_kind) + 1)
            _send(of_kind[start : start + most], client, row, lease)
    found: list[Submission] = []
    for shown in client.submissions(row.number):
        found.append(shown)
        lease.beat(len(found), len(found) + 1)
    with transaction.atomic():
        # Before the job is locked: who decides or deletes locks in this order.
        lock_studies([study.pk])
        lease.complete(lambda: _store(study, row, found))


def _doubt_interrupted(study: Study, platform: Platform, lease: Lease) -> None:
    """Mark decisions as in doubt if the worker that sent them died; nothing while another one is sending."""
    with transaction.atomic():
        lock_studies([study.pk])
        running = Job.objects.filter(
            study=study, kind=SUBMISSIONS_JOB, state=JobState.RUNNING, params__platform=platform.value
        )
        if not running.exclude(pk=lease.job.pk).exclude(lease_over()).exists():
            being_sent = _submissions(study, platform).filter(decision_state=DecisionState.SENDING)
            being_sent.update(decision_state=DecisionState.IN_DOUBT)


def _send(chosen: list[CrowdSubmission], client: CrowdClient, row: CrowdStudy, lease: Lease) -> None:
    """Call the platform once about submissions with the same decision."""
    # Before the call: a worker that takes over must not send what this one may have sent.
    with transaction.atomic():
        waiting = CrowdSubmission.objects.select_for_update().filter(
            pk__in=[one.pk for one in chosen], decision_state=DecisionState.WAITING
        )
        chosen = list(waiting.order_by("pk"))
        rows = CrowdSubmission.objects.filter(pk__in=[one.pk for one in chosen])
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


def _call(chosen: list[CrowdSubmission], client: CrowdClient, row: CrowdStudy) -> None:
    decision = Decision(chosen[0].decision)
    words = row.screen_out_code if decision is Decision.SCREEN_OUT else chosen[0].reason
    client.decide(decision, [one.number for one in chosen], words=words)


def _store(study: Study, outside: CrowdStudy, found: list[Submission]) -> None:
    """Store what the platform shows, and settle decisions whose effect it shows; the study is locked.

    What was decided is left to who decides and sends: it may have changed since it was read.
    """
    if not CrowdStudy.objects.filter(pk=outside.pk).exists():
        # Separated meanwhile: these submissions are of another study now.
        return
    platform = Platform(outside.platform)
    raters, found = _of_known_raters(study, platform, found)
    stored = {one.number: one for one in _submissions(study, platform)}
    now = timezone.now()
    made: list[CrowdSubmission] = []
    changed: list[CrowdSubmission] = []
    for one in found:
        row = stored.get(one.number) or CrowdSubmission(
            study=study, platform=platform.value, number=one.number
        )
        row.rater_id = raters.get(one.person)
        row.status, row.code, row.read_at = one.status, one.code, now
        row.return_requested = one.return_requested
        (changed if row.pk else made).append(row)
    CrowdSubmission.objects.bulk_create(made, batch_size=500)
    CrowdSubmission.objects.bulk_update(changed, READ, batch_size=500)
    unsettled = _submissions(study, platform).filter(decision_state__in=UNSETTLED)
    for decision, effect in EFFECTS.items():
        unsettled.filter(effect, decision=decision).update(decision_state=DecisionState.DONE, problem=None)


READ = ("rater", "status", "code", "return_requested", "read_at")


def _of_known_raters(
    study: Study, platform: Platform, found: list[Submission]
) -> tuple[dict[str, int], list[Submission]]:
    """The raters by platform ID, and the submissions without those of people whose data were erased."""
    identities = PlatformIdentity.objects.filter(study=study, platform=platform.value)
    # Under lock: an ID that is erased now is erased before this, or its submissions are deleted after it.
    known = identities.select_for_update(no_key=True).filter(erased_at=None).order_by("pk")
    raters = dict(known.values_list("person", "rater"))
    erased = set(identities.exclude(erased_at=None).values_list("person", flat=True))
    if not erased:
        return raters, found
    left = [
        one
        for one in found
        if one.person in raters or erased.isdisjoint(hashed_persons(study, platform.value, one.person))
    ]
    return raters, left


def _return_reasons(chosen: list[CrowdSubmission]) -> dict[int, str]:
    """The reason that each person reads who is asked to return, by how their participation ended."""
    raters = with_outcomes(Rater.objects.filter(crowd_submissions__in=chosen))
    outcomes = {one.pk: outcome_of(one) for one in raters}
    return {one.pk: RETURN_REASONS[outcomes.get(one.rater_id) if one.rater_id else None] for one in chosen}
