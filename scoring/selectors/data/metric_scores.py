"""The scores of a study's metrics as columns, one value per item code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Max

from annotation.models import Study
from scoring.models import Score
from scoring.selectors.data.answers import CHUNK_SIZE, StudyAnswers, positions_of
from scoring.selectors.data.directions import directions_of
from scoring.stats.base.resampling import FloatArray


@dataclass(frozen=True)
class MetricScores:
    """By metric the newest run that has it, its sign, and its scores by item code, NaN where there is none.

    The sign is −1 where lower values are declared to be better.
    """

    runs: dict[str, int]
    signs: dict[str, int]
    columns: dict[str, FloatArray]


def metric_scores(study: Study, found: StudyAnswers) -> MetricScores:
    """Read the scores of each metric, of the newest run that has it.

    Parameters
    ----------
    study : Study
        Study of the scores.
    found : StudyAnswers
        Gives the item codes.

    Returns
    -------
    MetricScores
        Metrics in alphabetical order.
    """
    scores = Score.objects.filter(run__study=study)
    runs = dict(scores.values_list("metric").annotate(newest=Max("run")).order_by("metric"))
    directions = directions_of(study)
    columns = {}
    for metric, run in runs.items():
        own = Score.objects.filter(run=run, metric=metric, value__isnull=False).order_by()
        rows = list(own.values_list("item", "value").iterator(chunk_size=CHUNK_SIZE))
        column = np.full(len(found.item_pks), np.nan)
        at = positions_of(found.item_pks, [item for item, _ in rows])
        values = np.array([value for _, value in rows], dtype=np.float64)
        column[at[at >= 0]] = values[at >= 0]
        columns[metric] = column
    signs = {metric: -1 if directions.get(metric) == "lower" else 1 for metric in runs}
    return MetricScores(runs, signs, columns)
