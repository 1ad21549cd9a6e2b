"""The raters of a study."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.models import Exclusion, Rater, RaterKind, Study


def raters_of(*, study: Study) -> QuerySet[Rater]:
    """The raters by code, each with `n_answered` and `excluded`; trials are left out."""
    answered = Q(assignments__purpose=Purpose.MAIN.value, assignments__responses__current=True)
    standing = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    return (
        study.raters.exclude(kind=RaterKind.TRIAL)
        .annotate(n_answered=Count("assignments", filter=answered), excluded=Exists(standing))
        .order_by("code")
    )
