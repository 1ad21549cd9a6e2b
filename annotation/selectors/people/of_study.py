"""The raters of a study, and the links that invite them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, CharField, Count, Exists, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.models import Exclusion, Invitation, Rater, RaterKind, Study
from annotation.selectors.base.prepared_queries import Compiled

_RATERS = Rater.objects.select_related("study", "invitation")
_one = Compiled(
    lambda pk, slug: _RATERS.filter(pk=pk, study__slug=slug), pk=BigIntegerField(), slug=CharField()
)


def raters_of(*, study: Study) -> QuerySet[Rater]:
    """The raters by code, each with `n_answered` and `excluded`; trials are left out."""
    answered = Q(assignments__purpose=Purpose.MAIN.value, assignments__responses__current=True)
    active = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    return (
        study.raters.exclude(kind=RaterKind.TRIAL)
        .annotate(n_answered=Count("assignments", filter=answered), excluded=Exists(active))
        .order_by("code")
    )


def begun_raters(study: Study) -> QuerySet[Rater]:
    """Raters who have consented, in any state."""
    people = Rater.objects.filter(study=study, kind=RaterKind.PERSON, simulated=False)
    return people.filter(consented_at__isnull=False)


def find_enrolled_rater(joined: Sequence[int], *, slug: str) -> Rater | None:
    """The rater of a study among those, given by their numbers, that a browser has joined as."""
    if len(joined) == 1:
        return _one.first(pk=joined[0], slug=slug)
    return _RATERS.filter(pk__in=joined, study__slug=slug).first()


def links_of_members(study: Study) -> QuerySet[Invitation]:
    """The invitation links that members created, newest first.

    These are open links, and personal links of raters who joined by no other.
    """
    created = Q(rater__isnull=True) | Q(rater__came_by__isnull=True)
    return study.invitations.select_related("rater").filter(created).order_by("-created_at", "-pk")
