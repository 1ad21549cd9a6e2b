"""Generalisability of a study's ratings: variance components, coefficients and D studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.agreement.generalisability import DEFINITIONS, KIND
from scoring.selectors.data.staleness import data_state
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.rated_rows import rated_rows, rows_fingerprint, with_groups
from scoring.services.data.tables import declared_scales
from scoring.stats.agreement.generalisability.analysis import generalisability
from scoring.stats.agreement.generalisability.as_json import analysis_json, refused_json, set_name
from scoring.stats.agreement.generalisability.estimation import NotEstimated
from scoring.stats.data.scale import Scale

CONFIDENCE = 0.95


def request_generalisability(*, study: Study, actor: User | None) -> Job:
    """Ask a worker for the components of each criterion, unless a job is under way.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        User who asks for it.
    """
    return enqueue(kind=KIND, study=study, params={}, created_by=actor)


def compute_generalisability(*, lease: Lease) -> Report:
    """Estimate the components outside any transaction and store the report while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `generalisability`.

    Returns
    -------
    Report
        Its table `analyses` has what `analysis_json` gives for each criterion, and for the criteria of a form
        that share a scale together; `refused` has those without components, with the reason.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`), or its raters are not identified
        (`anonymous_raters`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study = study_of(lease.job)
    lease.beat(0, 1, message("Reading the ratings"))
    state = data_state(study, KIND)
    rows, data = rated_rows(study)
    rated = rows.drop(columns=["system", "form"])
    sets = _criterion_sets(rows, declared_scales(study))
    method = {
        "confidence": CONFIDENCE,
        "definitions": DEFINITIONS,
        "sets": [set_name(one_set) for one_set in sets],
    }
    provenance = Provenance(KIND, rows_fingerprint(rated), method, data, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        return [], _analysed(rated, sets, lease)

    return complete_report(lease, provenance, compute)


def _criterion_sets(rows: pd.DataFrame, scales: Mapping[tuple[str, str], Scale]) -> list[tuple[str, ...]]:
    """Each criterion alone, then those of a form that share a scale."""
    shared: dict[tuple[str, Scale], list[str]] = {}
    named = rows[["criterion", "form"]].drop_duplicates()
    for name, form in named.itertuples(index=False, name=None):
        scale = scales[form, name.removeprefix(f"{form}:")]
        shared.setdefault((form, scale), []).append(name)
    together = [tuple(one) for one in shared.values() if len(one) > 1]
    return [*((name,) for name in named["criterion"]), *together]


def _analysed(rated: pd.DataFrame, sets: Sequence[tuple[str, ...]], lease: Lease) -> dict[str, Any]:
    analyses: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    labels = criterion_labels(study_of(lease.job))
    for done, criteria in enumerate(sets):
        frame = with_groups(rated[rated["criterion"].isin(criteria)])
        shown = set_name([labels.get(name, name) for name in criteria])
        tick = partial(_beat, lease, done, len(sets), shown)
        try:
            found = generalisability(frame, confidence=CONFIDENCE, tick=tick)
        except NotEstimated as refusal:
            refused.append(refused_json(criteria, refusal))
        else:
            analyses.append(analysis_json(found))
    return {"analyses": analyses, "refused": refused}


def _beat(lease: Lease, done: int, total: int, criterion: str, _evaluations: int) -> None:
    lease.beat(done, total, criterion)
