"""Reliability reports: asking a worker for one, and computing it."""

from __future__ import annotations

from typing import Any

from annotation.domain.errors import GroundworkError
from annotation.models import Job, Study, User
from annotation.selectors.ratings import ratings_frame
from annotation.services.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.staleness import data_state
from scoring.services.before_exclusions import everything, headline_rows
from scoring.services.crossed import crossed_means
from scoring.services.form_versions import by_version
from scoring.services.reports import Made, earlier_report, store_report
from scoring.services.selection import criterion_names, select_ratings
from scoring.services.side_tables import side_tables
from scoring.services.tables import ratings_table
from scoring.stats.report import reliability

KIND = "reliability"
REPLICATES = 2000


def request_report(
    *,
    study: Study,
    actor: User | None,
    replicates: int = REPLICATES,
    seed: int | None = None,
    pool_versions: bool = False,
    announce: bool = True,
) -> Job:
    """Ask a worker for the agreement figures of a study.

    Parameters
    ----------
    study : Study
        What the report is about.
    actor : User or None
        Who asks.
    replicates : int
        Bootstrap replicates of each interval.
    seed : int or None
        Of the intervals; None takes it from the data, so that the same data give the same figures.
    pool_versions : bool
        Take all versions of a form together, and compare them; otherwise the newest one that was answered.
    announce : bool
        Tell the workers; False where the caller computes it itself.

    Returns
    -------
    Job
        The new job, or the one that is already under way in the study.
    """
    params = {"replicates": replicates, "seed": seed, "pool_versions": pool_versions}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor, announce=announce)


def compute_report(*, lease: Lease) -> Report:
    """Compute a report outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Of a job of kind `reliability`.

    Returns
    -------
    Report
        The one report of this job.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = _study_of(lease), lease.job.params
    lease.beat(0, 1, "Reading the ratings")
    state = data_state(study, KIND)
    frame = ratings_frame(study)
    kept, data = select_ratings(study, frame, pool_versions=bool(params.get("pool_versions")))
    table = ratings_table(study, kept)
    seed = params.get("seed")
    method: dict[str, Any] = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": int(table.fingerprint[:8], 16) if seed is None else int(seed),
        "pool_versions": bool(params.get("pool_versions")),
    }
    before = None
    if data["excluded"]:
        before = everything(study, frame, pool_versions=method["pool_versions"])
        method["before"] = before.fingerprint
    versions = by_version(study, kept)
    if versions:
        method["versions"] = {number: part.fingerprint for number, part in versions.items()}
    cannot_rate = {name: ratings.cannot_rate for name, ratings in table.criteria.items()}
    made = Made(KIND, table.fingerprint, method, {**data, "cannot_rate": cannot_rate}, state)
    same = earlier_report(study, made)
    if same is not None:
        return lease.complete(lambda: store_report(lease.job, study, made, same.figures, same.tables))
    result = reliability(
        table,
        seed=method["seed"],
        replicates=method["replicates"],
        progress=lambda done, total: lease.beat(done, total, "Intervals"),
    )
    rows, tables = [figure.to_row() for figure in result.figures], side_tables(table)
    tables["crossed"] = crossed_means(study, kept.assign(name=criterion_names(kept)))
    if before is not None:
        tables["before"] = headline_rows(before, seed=method["seed"], replicates=method["replicates"])
    if versions:
        tables["versions"] = {
            number: headline_rows(part, seed=method["seed"], replicates=method["replicates"])
            for number, part in versions.items()
        }
    return lease.complete(lambda: store_report(lease.job, study, made, rows, tables))


def _study_of(lease: Lease) -> Study:
    if lease.job.study is None:
        raise GroundworkError("A reliability job needs a study.", code="no_study")
    return lease.job.study
