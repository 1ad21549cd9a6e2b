"""Which way the metrics of a study point, as declared."""

from __future__ import annotations

from typing import cast

from annotation.models import Study
from scoring.models import MetricDirection
from scoring.stats.data.directions import Direction, Directions


def directions_of(study: Study) -> Directions:
    """The declared directions of a study's metrics.

    Parameters
    ----------
    study : Study
        The study.
    """
    declared = MetricDirection.objects.filter(study=study).order_by("metric")
    return {metric: cast(Direction, way) for metric, way in declared.values_list("metric", "direction")}
