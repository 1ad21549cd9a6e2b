"""What the API says of studies: which are somebody's, their forms, how much is in them, and their items."""

from __future__ import annotations

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When

from annotation.domain.base.states import Purpose, Role
from annotation.models import Item, Membership, Rater, RaterKind, Response, Study, User
from annotation.selectors.questions.counting import PROGRESS, counted

MAIN = Q(assignment__purpose=Purpose.MAIN.value)


def studies_of(*, user: User) -> QuerySet[Study]:
    """Studies in which a user has a role, with it as `role`, newest first."""
    membership = Membership.objects.filter(study=OuterRef("pk"), user=user)
    enrolment = Rater.objects.filter(study=OuterRef("pk"), user=user)
    return (
        Study.objects.annotate(own_role=Subquery(membership.values("role")[:1]), enrolled=Exists(enrolment))
        .filter(Q(own_role__isnull=False) | Q(enrolled=True))
        .annotate(
            role=Case(
                When(own_role__isnull=False, then="own_role"),
                default=Value(Role.RATER.value),
                output_field=CharField(),
            )
        )
        .order_by("-created_at", "-pk")
    )


def study_counts(*, study: Study) -> dict[str, int]:
    """Items, raters and current responses; trials are left out."""
    responses = Response.objects.filter(MAIN, current=True, assignment__rater__study=study)
    return {
        "n_items": study.items.count(),
        "n_raters": study.raters.exclude(kind=RaterKind.TRIAL).count(),
        "n_responses": responses.count(),
    }


def items_of(*, study: Study) -> QuerySet[Item]:
    """The items in order, each with `n_responses`: those that fill the number of ratings it needs."""
    filling = Q(assignments__responses__in=counted(study, PROGRESS))
    numbered = study.items.annotate(n_responses=Count("assignments__responses", filter=filling))
    return numbered.order_by("position", "pk")
