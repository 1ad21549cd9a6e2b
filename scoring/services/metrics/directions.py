"""Declaring which way a metric points."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.models import Study, User
from annotation.services.base import audit
from scoring.models import MetricDirection, Score

KNOWN = {way for way, _ in MetricDirection.DIRECTIONS}


def declare_directions(*, study: Study, directions: Mapping[str, str], actor: User | None) -> None:
    """Say of metrics whether a higher or a lower value is better, or neither.

    Parameters
    ----------
    study : Study
        Study with scores of the metrics.
    directions : mapping of str to str
        `higher`, `lower` or `unsigned` by metric; what is not named stays as it is.
    actor : User or None
        User who declares them.

    Raises
    ------
    InvalidContent
        `unknown_metric` or `unknown_direction`; nothing is stored then.
    """
    metrics = set(Score.objects.filter(run__study=study).values_list("metric", flat=True).distinct())
    unknown = sorted(directions.keys() - metrics)
    if unknown:
        raise InvalidContent(f"The study has no scores of {', '.join(unknown)}.", code="unknown_metric")
    wrong = sorted(set(directions.values()) - KNOWN)
    if wrong:
        raise InvalidContent(
            f"{wrong[0]!r} is no direction: higher, lower or unsigned.", code="unknown_direction"
        )
    with transaction.atomic():
        for metric, direction in directions.items():
            MetricDirection.objects.update_or_create(
                study=study, metric=metric, defaults={"direction": direction}
            )
        audit.record(study=study, actor=actor, act="declare_directions", directions=dict(directions))
