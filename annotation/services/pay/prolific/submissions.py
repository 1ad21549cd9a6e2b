"""Submissions on Prolific: read, decided by a member, and the decisions sent."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.prolific import (
    APPROVED,
    RETURN_REASONS,
    RETURNED,
    SCREENED_OUT,
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
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.pay.prolific.connection import client_of
from annotation.services.pay.prolific.drafts import study_on_prolific

logger = logging.getLogger(__name__)

KIND = "prolific_submissions"
# What Prolific shows of a submission once a decision has taken effect.
EFFECTS = {Decision.APPROVE: APPROVED, Decision.SCREEN_OUT: SCREENED_OUT, Decision.RETURN: RETURNED}
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
    return enqueue(kind=KIND, study=study, params={}, created_by=actor)


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
        return enqueue(
            kind=KIND, study=study, params={"decided": timezone.now().isoformat()}, created_by=actor
        )


DECIDED = ("decision", "decision_state", "return_reason", "problem", "decided_by", "decided_at")


def run_submissions(*, lease: Lease) -> None:
    """Send waiting decisions, each once, then read the submissions of the study on Prolific.

    A decision is stored as in doubt before its call. If no answer comes, or the worker dies, it stays in
    doubt: it is never sent again by itself, and takes effect here when the submission shows it.

    Parameters
    ----------
    lease : Lease
        Of a job from `request_reading` or `decide`.
    """
    study = Study.objects.get(jobs__pk=lease.job.pk)
    client, row = client_of(study), study_on_prolific(study)
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
    lease.complete(lambda: _store(study, found))


def _send(chosen: list[ProlificSubmission], client: Prolific, row: ProlificStudy, lease: Lease) -> None:
    """Call Prolific once about submissions with the same decision."""
    lease.renew()
    # Before the call: a worker that takes over must not send what this one may have sent.
    with transaction.atomic():
        waiting = ProlificSubmission.objects.select_for_update().filter(
            pk__in=[one.pk for one in chosen], decision_state=DecisionState.WAITING
        )
        chosen = list(waiting.order_by("pk"))
        rows = ProlificSubmission.objects.filter(pk__in=[one.pk for one in chosen])
        rows.update(decision_state=DecisionState.IN_DOUBT)
    if not chosen:
        return
    state, problem = DecisionState.SENT, None
    try:
        _call(chosen, client, row)
    except Unknown as fault:
        state, problem = DecisionState.IN_DOUBT, as_stored(fault.message)
    except GroundworkError as fault:
        state, problem = DecisionState.REFUSED, as_stored(fault.message)
    rows.filter(decision_state=DecisionState.IN_DOUBT).update(decision_state=state, problem=problem)


def _call(chosen: list[ProlificSubmission], client: Prolific, row: ProlificStudy) -> None:
    one = chosen[0]
    if one.decision == Decision.APPROVE:
        client.approve([each.number for each in chosen])
    elif one.decision == Decision.RETURN:
        client.request_return(one.number, one.return_reason)
    else:
        client.complete(one.number, row.screen_out_code)


def _store(study: Study, found: list[Submission]) -> None:
    """Store what Prolific shows, and settle decisions whose effect it shows."""
    raters = dict(
        PlatformIdentity.objects.filter(
            study=study, platform=Platform.PROLIFIC.value, erased_at=None
        ).values_list("person", "rater")
    )
    stored = {one.number: one for one in ProlificSubmission.objects.filter(study=study)}
    now = timezone.now()
    made: list[ProlificSubmission] = []
    changed: list[ProlificSubmission] = []
    for one in found:
        row = stored.get(one.number) or ProlificSubmission(study=study, number=one.number)
        row.rater_id = raters.get(one.person)
        row.status, row.code, row.read_at = one.status, one.code, now
        row.return_requested = one.return_requested
        if row.decision_state in UNSETTLED and _has_effect(row):
            row.decision_state, row.problem = DecisionState.DONE, None
        (changed if row.pk else made).append(row)
    ProlificSubmission.objects.bulk_create(made, batch_size=500)
    ProlificSubmission.objects.bulk_update(changed, READ, batch_size=500)


READ = ("rater", "status", "code", "return_requested", "read_at", "decision_state", "problem")


def _has_effect(row: ProlificSubmission) -> bool:
    if row.decision == Decision.RETURN and row.return_requested:
        return True
    return row.status == EFFECTS[Decision(row.decision)]


def _return_reasons(chosen: list[ProlificSubmission]) -> dict[int, str]:
    """What each person reads who is asked to return, by how their part here has ended."""
    raters = with_outcomes(Rater.objects.filter(prolific_submissions__in=chosen))
    outcomes = {one.pk: outcome_of(one) for one in raters}
    return {one.pk: RETURN_REASONS[outcomes.get(one.rater_id) if one.rater_id else None] for one in chosen}
