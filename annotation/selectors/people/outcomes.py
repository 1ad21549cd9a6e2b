"""How the participation of each rater in a study has ended."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from annotation.domain.base.platforms import Outcome
from annotation.domain.base.states import Purpose, RaterState
from annotation.domain.people.outcome import decide_outcome
from annotation.models import Assignment, CheckVerdict, Exclusion, PlatformIdentity, Rater


def with_outcomes(raters: QuerySet[Rater]) -> QuerySet[Rater]:
    """Annotate raters with the columns that `outcome_of` needs."""
    failed = (
        CheckVerdict.objects.filter(assignment__rater=OuterRef("pk"), passed=False)
        .order_by()
        .values("assignment__rater")
        .annotate(n=Count("pk"))
        .values("n")
    )
    answered = Assignment.objects.filter(
        rater=OuterRef("pk"), purpose=Purpose.MAIN, submitted_at__isnull=False
    )
    latest = PlatformIdentity.objects.filter(rater=OuterRef("pk")).values("invitation__failed_checks_from")
    return raters.annotate(
        is_taken_out=Exists(Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)),
        has_answered=Exists(answered),
        n_failed=Coalesce(Subquery(failed, output_field=IntegerField()), 0),
        # A link that is opened later changes no outcome: it supplies the codes and the session alone.
        failed_from=Case(
            When(came_by__isnull=False, then=F("came_by__failed_checks_from")), default=Subquery(latest[:1])
        ),
    )


def outcome_of(rater: Any, *, nothing_left: bool = False) -> Outcome | None:
    """How the participation of a rater from `with_outcomes` has ended; None while it continues.

    With `nothing_left` it ends now: nothing may ever have been left for a rater who has answered nothing.
    """
    state = RaterState(rater.state)
    over = nothing_left and state not in {RaterState.WITHDRAWN, RaterState.FAILED}
    return decide_outcome(
        RaterState.FINISHED if over else state,
        is_excluded=rater.is_taken_out,
        has_answered=rater.has_answered,
        failed_checks=rater.n_failed,
        failed_from=rater.failed_from,
    )
