"""Setting whether higher or lower values of a metric are better."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Study, User
from annotation.services.base import audit
from scoring.models import MetricDirection, Score

KNOWN = {way for way, _ in MetricDirection.DIRECTIONS}


def declare_directions(*, study: Study, directions: Mapping[str, str], actor: User | None) -> None:
    """Set whether higher or lower values of metrics are better, or neither.

    Parameters
    ----------
    study : Study
        Study with scores of the metrics.
    directions : mapping of str to str
        `higher`, `lower` or `unsigned` by metric; other metrics remain unchanged.
    actor : User or None
        User who sets them.

    Raises
    ------
    InvalidContent
        `unknown_metric` or `unknown_direction`; nothing is stored then.
    """
    metrics = set(Score.objects.filter(run__study=study).values_list("metric", flat=True).distinct())
    unknown = sorted(directions.keys() - metrics)
    if unknown:
        raise InvalidContent(
            message("The study has no scores of %(metrics)s.", metrics=", ".join(unknown)),
            code="unknown_metric",
        )
    wrong = sorted(set(directions.values()) - KNOWN)
    if wrong:
        raise InvalidContent(
            message("“%(direction)s” is not a direction. Use higher, lower or unsigned.", direction=wrong[0]),
            code="unknown_direction",
        )
    with transaction.atomic():
        for metric, direction in directions.items():
            MetricDirection.objects.update_or_create(
                study=study, metric=metric, defaults={"direction": direction}
            )
        audit.record(study=study, actor=actor, act="declare_directions", directions=dict(directions))
