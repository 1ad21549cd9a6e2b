"""What the API says of studies: which are somebody's, their forms, how much is in them."""

from __future__ import annotations

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from annotation.domain.states import Purpose, Role
from annotation.models import (
    Assignment,
    Exclusion,
    FormVersion,
    Item,
    Membership,
    Rater,
    RaterKind,
    Response,
    Study,
    User,
)
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


def has_several_versions(*, study: Study) -> bool:
    """Whether raters answered more than one wording of some form."""
    answered = Response.objects.filter(version__form__study=study, current=True)
    numbers = answered.values("version__form").annotate(n=Count("version", distinct=True))
    return numbers.filter(n__gt=1).exists()


def form_versions(*, study: Study) -> list[FormVersion]:
    """The newest version of each form, with criteria and points, in the order of the forms.

    The forms of attention checks, which ask a question of their own, are left out.
    """
    newest = FormVersion.objects.filter(form=OuterRef("form")).order_by("-number").values("pk")[:1]
    versions = FormVersion.objects.filter(form__study=study, form__planted=False, pk=Subquery(newest))
    return list(
        versions.select_related("form__fed_by__source")
        .prefetch_related("criteria__points")
        .order_by("form__position", "form_id")
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


def raters_of(*, study: Study) -> QuerySet[Rater]:
    """The raters by code, each with `n_answered` and `excluded`; trials are left out."""
    answered = Q(assignments__purpose=Purpose.MAIN.value, assignments__responses__current=True)
    standing = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    return (
        study.raters.exclude(kind=RaterKind.TRIAL)
        .annotate(n_answered=Count("assignments", filter=answered), excluded=Exists(standing))
        .order_by("code")
    )


def own_answers(*, rater: Rater) -> QuerySet[Assignment]:
    """What a rater has answered, in order, the current response of each as `current[0]`."""
    return (
        rater.assignments.filter(responses__current=True)
        .select_related("form", "version")
        .prefetch_related(Prefetch("responses", queryset=_current_responses(), to_attr="current"))
        .order_by("position", "pk")
    )


def _current_responses() -> QuerySet[Response]:
    current = Response.objects.filter(current=True).select_related("version")
    return current.prefetch_related("ratings__criterion")
