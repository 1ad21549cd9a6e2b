"""Power plans of a study: simulated before it is rated, stored, and compared later with what was found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.metrics.power_plans import KIND, pilots_of
from scoring.services.base.report_store import Provenance, complete_report
from scoring.services.metrics.power_settings import Settings, designs_of, question_of, read_settings
from scoring.stats.base.parallel import Progress
from scoring.stats.base.result import finite_or_none
from scoring.stats.metrics.power.power import REPLICATES, PowerResult, PowerRow, fewest_ratings, power

CONFIDENCE = 0.95


def request_power(*, study: Study, given: Mapping[str, Any], actor: User | None) -> Job:
    """Ask a worker to simulate a plan.

    Parameters
    ----------
    study : Study
        The study that is planned, or whose ratings are the pilot.
    given : mapping
        As `read_settings` takes them.
    actor : User or None
        User who asks for it.

    Raises
    ------
    InvalidContent
        A setting cannot be used; nothing was stored.
    """
    settings = read_settings(given, pilots_of(study, str(given.get("question") or "")))
    return enqueue(kind=KIND, study=study, params=settings, created_by=actor)


def compute_power(*, lease: Lease) -> Report:
    """Simulate the designs of a plan and store the shares while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `power`.

    Returns
    -------
    Report
        Its method has the settings of the plan; its table `designs` a row for each design, `without_effect`
        the row of the first design where there is nothing to find (None for a coefficient), and `enough`
        the row with fewest ratings and a power of .8, or None.

    Raises
    ------
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    settings = lease.job.params
    method = _method(settings)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        beat = partial(lease.beat, step=message("Simulating studies"))
        return [], simulate_plan(settings, progress=beat)[1]

    return complete_report(lease, Provenance(KIND, _fingerprint(settings), method, {}, {}), compute)


def simulate_plan(
    settings: Settings, *, seed: int | None = None, progress: Progress | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Simulate the designs of a plan.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    seed : int, optional
        Seed of all draws; by default that of the settings: the same settings give the same plan.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    method, tables : dict
        The settings with `seed`, `replicates` and `confidence`, and the tables of the plan.
    """
    method = _method(settings) | ({} if seed is None else {"seed": seed})
    result = power(
        question_of(settings),
        designs_of(settings),
        seed=method["seed"],
        studies=settings["studies"],
        confidence=CONFIDENCE,
        progress=progress,
    )
    return method, _tables(result)


def _fingerprint(settings: Settings) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def _method(settings: Settings) -> dict[str, Any]:
    seed = int(_fingerprint(settings)[:8], 16)
    return {**settings, "seed": seed, "replicates": REPLICATES, "confidence": CONFIDENCE}


def _tables(result: PowerResult) -> dict[str, Any]:
    enough = fewest_ratings(result)
    return {
        "designs": [_row(row) for row in result.rows],
        "without_effect": result.false_positives and _row(result.false_positives),
        "enough": enough and _row(enough),
    }


def _row(row: PowerRow) -> dict[str, Any]:
    fields = asdict(row)
    design: dict[str, Any] = fields.pop("design")
    return design | {key: finite_or_none(value) for key, value in fields.items()}
