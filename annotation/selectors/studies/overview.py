"""Studies for the API: those of a user, and their numbers of items, raters and responses."""

from __future__ import annotations

from collections import Counter

from django.db.models import Case, CharField, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.domain.base.states import Purpose, RaterState, Role, StudyState
from annotation.models import AuditEntry, Membership, Rater, RaterKind, Response, Study, User

MAIN = Q(assignment__purpose=Purpose.MAIN.value)


def studies_of(*, user: User) -> QuerySet[Study]:
    """Studies in which a user has a role, with it as `role` and with `archived`, newest first."""
    membership = Membership.objects.filter(study=OuterRef("pk"), user=user)
    enrolment = Rater.objects.filter(study=OuterRef("pk"), user=user)
    return (
        Study.objects.annotate(own_role=Subquery(membership.values("role")[:1]), enrolled=Exists(enrolment))
        .filter(Q(own_role__isnull=False) | Q(enrolled=True))
        # A draft has no results that a viewer could read.
        .exclude(own_role=Role.VIEWER.value, state=StudyState.DRAFT.value, enrolled=False)
        .annotate(
            role=Case(
                When(own_role__isnull=False, then="own_role"),
                default=Value(Role.RATER.value),
                output_field=CharField(),
            ),
            archived=Coalesce(Subquery(membership.values("archived")[:1]), False),
        )
        .order_by("-created_at", "-pk")
    )


def is_archived(*, study: Study, user: User) -> bool:
    """Whether a study is in the archive of a member."""
    return Membership.objects.filter(study=study, user=user, archived=True).exists()


def studies_without_raters_of(*, pilot: Study) -> list[Study]:
    """The main studies that refuse the raters of a pilot; they recognise them while the pilot exists."""
    return list(pilot.main_studies.filter(refuse_pilot_raters=True).order_by("title", "pk"))


def study_counts(*, study: Study) -> dict[str, int]:
    """The numbers of items, raters who joined and current responses, without previews."""
    responses = Response.objects.filter(MAIN, current=True, assignment__rater__study=study)
    return {
        "n_items": study.items.count(),
        "n_raters": study.raters.exclude(kind=RaterKind.TRIAL).exclude(state=RaterState.INVITED).count(),
        "n_responses": responses.count(),
    }


def simulated_patterns(*, study: Study) -> dict[str, int]:
    """How many simulated raters joined with each answering pattern; empty where nothing was recorded."""
    found: Counter[str] = Counter()
    for detail in AuditEntry.objects.filter(study=study, act="simulate").values_list("detail", flat=True):
        found.update(detail["patterns"])
    return dict(sorted(found.items()))
