"""The account, the study and the submissions on a platform, what our rules propose, and places needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Max, Q, QuerySet, When
from django.utils import timezone

from annotation.domain.base.platforms import FIELDS, Outcome, Platform
from annotation.domain.base.states import RaterState, SeatState
from annotation.domain.pay.crowd import (
    AWAITING_REVIEW,
    OFFERS,
    UNDECIDED,
    Decision,
    Participation,
    Proposal,
    propose,
    raters_to_fill,
)
from annotation.models import (
    CrowdConnection,
    CrowdStudy,
    CrowdSubmission,
    Form,
    Invitation,
    Job,
    PlatformIdentity,
    Rater,
    Seat,
    Study,
)
from annotation.selectors.people.outcomes import outcome_of, with_outcomes


@dataclass(frozen=True)
class Reviewed:
    """A submission and what is proposed for it; None where nothing can be decided now."""

    submission: CrowdSubmission
    proposal: Proposal | None

    @property
    def preselected(self) -> str:
        """The decision that the page has ready."""
        return self.proposal.decision or "" if self.proposal else ""

    @property
    def is_selected(self) -> bool:
        """Whether the page preselects it; a submission that was decided before is not preselected."""
        return bool(self.preselected) and not self.submission.decision


def connection_of(study: Study, platform: Platform) -> CrowdConnection | None:
    """The account on a platform that a study uses; None where none was accepted."""
    found = CrowdConnection.objects.select_related("connected_by")
    return found.filter(study=study, platform=platform.value, is_accepted=True).first()


def outside_study_of(study: Study, platform: Platform) -> CrowdStudy | None:
    """The study on a platform, also one of which it is not known whether it exists."""
    found = CrowdStudy.objects.select_related("invitation")
    return found.filter(study=study, platform=platform.value).first()


def last_job(study: Study, platform: Platform, kind: str) -> Job | None:
    """The last job of a kind about a platform."""
    return study.jobs.filter(kind=kind, params__platform=platform.value).order_by("-pk").first()


def submissions_of(study: Study, platform: Platform) -> QuerySet[CrowdSubmission]:
    """The submissions of a study on a platform: those that await review first."""
    return (
        CrowdSubmission.objects.filter(study=study, platform=platform.value)
        .select_related("rater")
        .order_by(Case(When(status=AWAITING_REVIEW, then=0), default=1), "pk")
    )


def counts_by_status(study: Study, platform: Platform) -> list[tuple[str, int]]:
    """The number of submissions of each status."""
    submissions = CrowdSubmission.objects.filter(study=study, platform=platform.value)
    counted = submissions.order_by("status").values_list("status")
    return [(status, n) for status, n in counted.annotate(n=Count("pk"))]


def reviewed(
    submissions: Sequence[CrowdSubmission], *, platform: Platform, can_screen_out: bool
) -> list[Reviewed]:
    """Submissions with what the rules propose for those that can be decided.

    Parameters
    ----------
    submissions : sequence of CrowdSubmission
        The submissions of one page.
    platform : Platform
        The platform of the submissions.
    can_screen_out : bool
        Whether the study there has a code for paid screen-outs.
    """
    known = _participations([one.rater_id for one in submissions if one.rater_id])
    found = []
    for one in submissions:
        proposal = None
        if may_be_decided(one):
            participation = known.get(one.rater_id) if one.rater_id else None
            offer = OFFERS[platform]
            proposal = propose(participation, code=one.code, offer=offer, can_screen_out=can_screen_out)
        found.append(Reviewed(one, proposal))
    return found


def may_be_decided(submission: CrowdSubmission) -> bool:
    """Whether a member can decide about a submission now.

    A request to return that is in doubt or done leaves the submission open, so that it can still be approved.
    """
    if submission.status != AWAITING_REVIEW:
        return False
    asked = submission.decision == Decision.RETURN
    return submission.decision_state in UNDECIDED or (asked and submission.decision_state == "done")


def places_needed(study: Study, *, pages: int, panel: Form | None = None) -> int:
    """How many more raters it takes to fill the open rating slots of a study.

    A rater fills at most one slot of an item, so that it takes at least as many as an item lacks.

    Parameters
    ----------
    study, panel
        The study, and the panel that its new raters join, where it has panels.
    pages : int
        How many items one new rater is given.
    """
    is_open = Q(state=SeatState.FREE) | Q(state=SeatState.RESERVED, until__lt=timezone.now())
    seats = Seat.objects.filter(is_open, form__study=study, item__retired_at=None)
    if panel is not None:
        seats = seats.filter(form=panel)
    per_item = seats.order_by().values("form", "item").annotate(n=Count("pk"))
    most = per_item.aggregate(most=Max("n"))["most"] or 0
    by_slots = raters_to_fill(open_slots=seats.count(), pages_per_rater=pages)
    return max(most, by_slots) if by_slots else 0


def raters_from(study: Study, platform: Platform) -> int:
    """Count the raters from a platform who consented and have not withdrawn; each uses a place there."""
    came = Rater.objects.filter(study=study, identity__platform=platform.value, consented_at__isnull=False)
    return came.exclude(state=RaterState.WITHDRAWN).count()


def links_for(study: Study, platform: Platform) -> QuerySet[Invitation]:
    """The links by which raters come from a platform, the newest first."""
    found = Invitation.objects.filter(study=study, platform=platform.value, revoked_at=None)
    return found.order_by("-pk")


def _participations(raters: Sequence[int]) -> Mapping[int, Participation]:
    codes = {
        one.rater_id: {outcome: getattr(one.invitation, f"{FIELDS[outcome]}_code") for outcome in Outcome}
        for one in PlatformIdentity.objects.filter(rater__in=raters).select_related("invitation")
    }
    found: QuerySet[Any] = with_outcomes(Rater.objects.filter(pk__in=raters))
    return {
        one.pk: Participation(
            outcome=outcome_of(one),
            has_answered=one.has_answered,
            is_excluded=one.is_taken_out,
            codes=codes.get(one.pk, {}),
        )
        for one in found
    }
