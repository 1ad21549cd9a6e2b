"""Correlations of scores and ratings with a smaller corpus: requested, computed, stored as a report."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from statistics import fmean, stdev
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.base.jobs import Lease, enqueue
from scoring.hauser.base.scores import MetricError
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.quality import Weights
from scoring.hauser.runs.corpus_curve import CRITERIA, FEWEST_SAMPLES, Candidate, Point, corpus_curve
from scoring.hauser.runs.score_trace import components_from
from scoring.models import Report, ScoredItem, ScoreRun
from scoring.selectors.data.staleness import data_state
from scoring.services.base.report_store import Provenance, complete_report
from scoring.services.data.counting import select_ratings
from scoring.services.similes.knowledge_bases import open_base

KIND = "corpus"
MOST_SAMPLES = 50
NO_RATINGS = message("The study has no counted ratings of quality or creativity yet.")


def request_corpus(*, run: ScoreRun, actor: User | None, base: str = "", samples: int = 5) -> Job:
    """Ask a worker for correlations with the ratings by corpus size, unless a job is in progress.

    Parameters
    ----------
    run : ScoreRun
        Run with the components, weights and other parts of quality.
    actor : User or None
        User who asks for it.
    base : str
        Knowledge base that samples are drawn from; empty for the run's own.
    samples : int
        Samples of each size.

    Raises
    ------
    InvalidContent
        `bad_samples`, `imported_scores` for a run that was not computed here, and those of a knowledge base
        that cannot be used.
    """
    if not run.key:
        raise InvalidContent(
            message(
                "The scores of “%(run)s” were imported, so their components are unknown. "
                "Choose a run that was computed here.",
                run=run.name,
            ),
            code="imported_scores",
        )
    if not FEWEST_SAMPLES <= samples <= MOST_SAMPLES:
        raise InvalidContent(
            message(
                "Choose between %(fewest)d and %(most)d samples per size.",
                fewest=FEWEST_SAMPLES,
                most=MOST_SAMPLES,
            ),
            code="bad_samples",
        )
    base = base or run.made_with["base"]
    _opened(base).close()
    params = {"run": run.pk, "base": base, "samples": samples}
    return enqueue(kind=KIND, study=run.study, params=params, created_by=actor)


def compute_corpus(*, lease: Lease) -> Report:
    """Compute the curve outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `corpus`.

    Returns
    -------
    Report
        A result per metric, coefficient and size; copied if the same data were computed like this before.

    Raises
    ------
    GroundworkError
        The run was deleted (`no_such_run`), has no scores (`no_scores`), nothing is rated (`no_ratings`), or
        the knowledge base cannot be used or is empty (`empty_base`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    params, study = lease.job.params, lease.job.study
    run = ScoreRun.objects.filter(study=study, pk=params["run"]).first()
    if run is None or study is None:
        raise GroundworkError(message("This run has been deleted."), code="no_such_run")
    lease.beat(0, 1, message("Reading ratings and components"))
    state = data_state(study, KIND)
    human, data = _human_means(study)
    candidates = _candidates(run, human)
    with _opened(params["base"]) as base:
        if not base.about.size.frequency:
            raise GroundworkError(
                message("The knowledge base %(name)s is empty.", name=params["base"]), code="empty_base"
            )
        provenance = _provenance(run, candidates, base, params, (data, state))

        def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
            points = corpus_curve(
                candidates,
                base,
                weight=run.made_with["weights"]["relevance"],
                samples=params["samples"],
                seed=provenance.method["seed"],
                beat=lambda done, total: lease.beat(done, total, message("Drawing samples")),
            )
            return [_row(point) for point in points], {}

        try:
            return complete_report(lease, provenance, compute)
        except MetricError as fault:
            raise GroundworkError(f"{str(fault)[:1].upper()}{str(fault)[1:]}.", code=fault.code) from fault


def _opened(name: str) -> KnowledgeBase:
    try:
        return open_base(name)
    except KnowledgeBaseError as fault:
        raise InvalidContent(f"{str(fault)[:1].upper()}{str(fault)[1:]}.", code=fault.code) from fault


def _human_means(study: Study) -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """Mean ratings that count by item and criterion, and the counts of a report's `data`."""
    counting, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    rated = counting[counting["criterion"].isin(set(CRITERIA.values()))].dropna(subset=["value"])
    if rated.empty:
        raise GroundworkError(NO_RATINGS, code="no_ratings")
    table = rated.pivot_table(index="item", columns="criterion", values="value", aggfunc="mean")
    means = {
        str(item): {str(name): float(value) for name, value in row.items() if pd.notna(value)}
        for item, row in table.to_dict("index").items()
    }
    return means, data


def _candidates(run: ScoreRun, human: dict[str, dict[str, float]]) -> list[Candidate]:
    """The run's candidates in groups as they were scored, whether rated or not."""
    weights = {name: value for name, value in run.made_with["weights"].items() if value}
    rows = ScoredItem.objects.filter(run=run).order_by("item__position", "item_id")
    found = []
    for key, group, explanation in rows.values_list("item__key", "item__group", "explanation").iterator(2000):
        parts = {name: explanation["normalised"][name]["value"] for name in weights if name != "relevance"}
        known = None not in parts.values()
        found.append(
            Candidate(
                group=group or explanation["literal"],
                components=components_from(explanation["components"]),
                other_parts=sum(weights[name] * value for name, value in parts.items()) if known else None,
                human=human.get(key, {}),
            )
        )
    if not found:
        raise GroundworkError(message("The run “%(run)s” has no scores yet.", run=run.name), code="no_scores")
    return found


def _provenance(
    run: ScoreRun,
    candidates: list[Candidate],
    base: KnowledgeBase,
    params: dict[str, Any],
    read: tuple[dict[str, Any], dict[str, Any]],
) -> Provenance:
    data, state = read
    weights = asdict(Weights(**run.made_with["weights"]))
    content = [base.about.fingerprint, weights, [_hashed(candidate) for candidate in candidates]]
    fingerprint = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    about = {"name": params["base"], "fingerprint": base.about.fingerprint}
    return Provenance(
        kind=KIND,
        fingerprint=fingerprint,
        method={"samples": params["samples"], "seed": int(fingerprint[:8], 16), "weights": weights},
        data={
            **data,
            "run": run.pk,
            "run_name": run.name,
            "caution": run.caution,
            "formula": "eq. (2)" if base.has_plausibility else "eq. (3)",
            "knowledge_base": {**about, "similes": base.about.size.frequency},
        },
        data_state=state,
    )


def _hashed(candidate: Candidate) -> dict[str, Any]:
    """A candidate with the field names that fingerprints use; stored curves and seeds depend on them."""
    fields = asdict(candidate)
    fields["beside"] = fields.pop("other_parts")
    return fields


def _row(point: Point) -> dict[str, Any]:
    known = point.known
    return {
        "metric": point.metric,
        "criterion": point.criterion,
        "coefficient": point.coefficient,
        "size": point.size,
        "estimate": fmean(known) if known else None,
        "least": min(known, default=None),
        "greatest": max(known, default=None),
        "sd": stdev(known) if len(known) > 1 else None,
        "samples": len(point.values),
        "undefined": point.values.count(None),
        "values": list(point.values),
        "n_items": point.n_items,
        "reason": point.reason,
    }
