"""The raters of a study."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, CharField, Count, Exists, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.models import Exclusion, Rater, RaterKind, Study
from annotation.selectors.base.prepared_queries import Compiled

_RATERS = Rater.objects.select_related("study", "invitation")
_one = Compiled(
    lambda pk, slug: _RATERS.filter(pk=pk, study__slug=slug), pk=BigIntegerField(), slug=CharField()
)


def raters_of(*, study: Study) -> QuerySet[Rater]:
    """The raters by code, each with `n_answered` and `excluded`; trials are left out."""
    answered = Q(assignments__purpose=Purpose.MAIN.value, assignments__responses__current=True)
    standing = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    return (
        study.raters.exclude(kind=RaterKind.TRIAL)
        .annotate(n_answered=Count("assignments", filter=answered), excluded=Exists(standing))
        .order_by("code")
    )


def find_enrolled_rater(joined: Sequence[int], *, slug: str) -> Rater | None:
    """The rater of a study among those, given by their numbers, that a browser has joined as."""
    if len(joined) == 1:
        return _one.first(pk=joined[0], slug=slug)
    return _RATERS.filter(pk__in=joined, study__slug=slug).first()
