"""The answers of a rater so far."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from annotation.models import Assignment, Rater, Response


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
