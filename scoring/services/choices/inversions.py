"""Pairs of candidates of rankings that metrics put in another order than the raters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from scoring.models import Score
from scoring.services.choices.orders import order_part
from scoring.stats.choices.orders.inversions import inversion_rows


def find_inversions(study: Study) -> list[dict[str, Any]]:
    """Count inversions for each question that asks for an order and each metric with scores of its options.

    The score of an option is that of its item under the name of the metric, a full stop and the option, such
    as `bleu.a`. The newest run that has one counts. Higher scores are better.

    Parameters
    ----------
    study : Study
        With answers and scores.

    Returns
    -------
    list of dict
        `criterion`, `metric`, and what `inversion_rows` counts; none without such scores or answers.
    """
    scored = Score.objects.filter(run__study=study, value__isnull=False, metric__contains=".")
    if not scored.exists():
        return []
    part = order_part(study, pool_versions=False)
    if part is None:
        return []
    options = {one for of_question in part.options.values() for one in of_question}
    scores = _by_metric(scored.order_by("run__created_at", "run_id"), options)
    return [
        {"criterion": orders.criterion, "metric": metric, **row}
        for orders, candidates in part.questions()
        for metric, by_item in scores.items()
        for row in inversion_rows(orders, candidates, by_item)
    ]


def _by_metric(scored: QuerySet[Score], options: set[str]) -> Mapping[str, dict[str, dict[str, float]]]:
    """Metric → item → option → score; of several runs the newest."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for item, name, value in scored.values_list("item__key", "metric", "value").iterator():
        metric, _, option = name.rpartition(".")
        if metric and option in options and value is not None:
            found.setdefault(metric, {}).setdefault(item, {})[option] = value
    return found
