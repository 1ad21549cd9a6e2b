"""Ordinal mixed models of a study's ratings: adjusted means of systems and severity of raters."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.data.staleness import data_state
from scoring.selectors.metrics.mixed_models import DEFINITIONS, KIND
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.rated_rows import rated_rows, rows_fingerprint, with_groups
from scoring.stats.agreement.ordinal.as_json import model_json, refusal_json
from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from scoring.stats.agreement.ordinal.rater_thresholds import RaterThresholds, rater_thresholds
from scoring.stats.base.resampling import Tick

CONFIDENCE = 0.95


def request_mixed_model(*, study: Study, actor: User | None) -> Job:
    """Ask a worker for the model of each criterion, unless a job is under way.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        User who asks for it.
    """
    return enqueue(kind=KIND, study=study, params={}, created_by=actor)


def compute_mixed_model(*, lease: Lease) -> Report:
    """Fit the models outside any transaction and store the report while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `mixed_model`.

    Returns
    -------
    Report
        Its table `models` has what `model_json` gives for each criterion, with thresholds of each rater, and
        `refused` the criteria without a model, with the reason.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`), its raters are not identified
        (`anonymous_raters`), or some items alone have a system (`partly_system`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study = study_of(lease.job)
    lease.beat(0, 1, message("Reading the ratings"))
    state = data_state(study, KIND)
    rated, data = _rated(study)
    fingerprint = rows_fingerprint(rated)
    seed = int(fingerprint[:8], 16)
    method = {"seed": seed, "confidence": CONFIDENCE, "definitions": DEFINITIONS}
    provenance = Provenance(KIND, fingerprint, method, data, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        return [], _fitted(rated, lease, seed)

    return complete_report(lease, provenance, compute)


def _rated(study: Study) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The ratings that count, with system and group where the items have them, and their counts."""
    rows, data = rated_rows(study)
    rated = rows.drop(columns="form")
    without_system = rated["system"] == ""
    if without_system.all():
        rated = rated.drop(columns="system")
    elif without_system.any():
        raise GroundworkError(
            message("Only some of the rated items have a system. Give all of them a system, or none."),
            code="partly_system",
        )
    return rated, data


def _fitted(rated: pd.DataFrame, lease: Lease, seed: int) -> dict[str, Any]:
    models: list[dict[str, Any]] = []
    refused: list[dict[str, str]] = []
    named, labels = list(rated.groupby("criterion", sort=False)), criterion_labels(study_of(lease.job))
    for done, (criterion, frame) in enumerate(named):
        tick = partial(_beat, lease, done, len(named), labels.get(str(criterion), str(criterion)))
        try:
            model = ordinal_model(with_groups(frame), confidence=CONFIDENCE, seed=seed, tick=tick)
        except NotFitted as refusal:
            refused.append(refusal_json(str(criterion), refusal))
        else:
            models.append(model_json(model, _own_thresholds(frame, tick)))
    return {"models": models, "refused": refused}


def _own_thresholds(frame: pd.DataFrame, tick: Tick) -> RaterThresholds | NotFitted:
    """Thresholds of each rater, or why there are none."""
    try:
        return rater_thresholds(with_groups(frame), tick=tick)
    except NotFitted as refusal:
        return refusal


def _beat(lease: Lease, done: int, total: int, criterion: str, _evaluations: int) -> None:
    lease.beat(done, total, criterion)
