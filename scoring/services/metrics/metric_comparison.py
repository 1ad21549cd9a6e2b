"""Background comparison of any two metrics of a study on each criterion, computed once for the same data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.data.directions import directions_of
from scoring.selectors.data.staleness import data_state
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.metrics.metrics import REPLICATES, measured_items
from scoring.stats.base.association import Coefficient
from scoring.stats.base.multiple_testing import adjusted, enough_replicates
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.directions import UNDECLARED, Directions
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.comparing.comparison import Comparison, compare_metrics
from scoring.stats.metrics.levels import Level

KIND = "comparison"
LEVELS: tuple[Level, ...] = get_args(Level)
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)


def request_comparison(
    *,
    study: Study,
    actor: User | None,
    metrics: tuple[str, str],
    level: str,
    coefficient: str,
) -> Job:
    """Ask a worker which of two metrics correlates better with the ratings.

    Parameters
    ----------
    study : Study
        Study of the report.
    actor : User or None
        User who asks for it.
    metrics : (str, str)
        Two different metrics that have scores.
    level, coefficient : str
        Level and coefficient of the correlations.

    Raises
    ------
    InvalidContent
        `bad_comparison`: the metrics are the same, or level or coefficient are unknown.
    """
    if metrics[0] == metrics[1] or not all(metrics):
        raise InvalidContent(message("Choose two different metrics."), code="bad_comparison")
    if level not in LEVELS or coefficient not in COEFFICIENTS:
        raise InvalidContent(message("Choose a level and a coefficient."), code="bad_comparison")
    params = {"metrics": list(metrics), "level": level, "coefficient": coefficient, "replicates": REPLICATES}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def compute_comparison(*, lease: Lease) -> Report:
    """Compare the two metrics outside any transaction and store the report while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `comparison`.

    Returns
    -------
    Report
        A row for each criterion; p adjusted by Holm over the criteria, whose number may take more replicates
        than were asked for.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale, or lacks a metric, groups or systems.
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    lease.beat(0, 1, message("Reading ratings and scores"))
    state = data_state(study, KIND)
    items, _, data = measured_items(study, without=[])
    seed = int(items.fingerprint[:8], 16)
    directions = directions_of(study)
    declared = {metric: directions.get(metric, UNDECLARED) for metric in params["metrics"]}
    replicates = enough_replicates(int(params["replicates"]), len(items.criteria))
    method = {**params, "replicates": replicates, "seed": seed, "adjustment": "holm", "directions": declared}
    provenance = Provenance(KIND, items.fingerprint, method, data, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        _check(items, params["metrics"], params["level"])
        compared = _compared(items, lease, Resampling(replicates, seed), directions)
        return [one.to_row() for one in _adjusted(compared)], {}

    return complete_report(lease, provenance, compute)


def _compared(
    items: MeasuredItems, lease: Lease, resampling: Resampling, directions: Directions
) -> list[Comparison]:
    """The two metrics of a job, on each criterion."""
    params, compared = lease.job.params, []
    for done, criterion in enumerate(items.criteria, start=1):
        compared.append(
            compare_metrics(
                items,
                criterion,
                (params["metrics"][0], params["metrics"][1]),
                level=params["level"],
                coefficient=params["coefficient"],
                resampling=resampling,
                directions=directions,
            )
        )
        lease.beat(done, len(items.criteria), message("Comparing"))
    return compared


def _check(items: MeasuredItems, metrics: list[str], level: str) -> None:
    lacking = [metric for metric in metrics if metric not in items.metrics]
    if lacking:
        raise GroundworkError(
            message("The study has no scores of %(metrics)s.", metrics=", ".join(lacking)),
            code="unknown_metric",
        )
    if level == "group" and items.group is None:
        raise GroundworkError(message("The items have no groups. Choose another level."), code="no_groups")
    if level == "system" and len(items.systems) < 2:
        raise GroundworkError(
            message("The items come from fewer than 2 systems. Choose another level."), code="no_systems"
        )


def _adjusted(compared: list[Comparison]) -> list[Comparison]:
    """The same comparisons with p adjusted for the number of criteria."""
    p = adjusted(np.array([one.p for one in compared], dtype=np.float64), "holm")
    return [
        replace(one, p_adjusted=float(value), adjustment="holm")
        for one, value in zip(compared, p, strict=True)
    ]
