"""Studies that retain data about their raters for a limited time, and the periods that have ended."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from annotation.domain.base.states import StudyState
from annotation.models import Study

# Answers about the person; who they are; how they worked.
PERIODS = ("keep_about_days", "keep_ids_days", "keep_activity_days")


def studies_with_periods() -> QuerySet[Study]:
    """Closed studies that have set a period."""
    limited = Q(*((f"{name}__isnull", False) for name in PERIODS), _connector=Q.OR)
    return Study.objects.filter(limited, state=StudyState.CLOSED, closed_at__isnull=False).order_by("pk")


def due_periods(study: Study, now: datetime) -> list[str]:
    """The names of the periods that have ended; none while the study is not closed."""
    if study.state != StudyState.CLOSED or study.closed_at is None:
        return []
    return [name for name in PERIODS if _has_ended(study.closed_at, getattr(study, name), now)]


def _has_ended(closed_at: datetime, days: int | None, now: datetime) -> bool:
    return days is not None and closed_at + timedelta(days=days) <= now
