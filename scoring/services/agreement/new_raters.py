"""Intervals of a study's agreement that hold for new raters: asking a worker for them, and computing them."""

from __future__ import annotations

from functools import partial
from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.limits import MOST_REPLICATES, MOST_SEED
from annotation.domain.base.messages import message
from annotation.domain.base.numbers import check_whole_number
from annotation.models import Job, Study, User
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.agreement.new_raters import KIND
from scoring.selectors.data.staleness import data_state
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.counting import NOTHING_YET, select_ratings
from scoring.services.data.sums import with_sums
from scoring.services.data.tables import ratings_table
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.new_raters.limits import METHOD
from scoring.stats.agreement.reliability import REPLICATES


def request_new_raters(
    *,
    study: Study,
    actor: User | None,
    replicates: int = REPLICATES,
    seed: int | None = None,
    pool_versions: bool = False,
) -> Job:
    """Ask a worker for the intervals that hold for new raters, unless a job is under way.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        User who asks for them.
    replicates : int
        Bootstrap replicates of each interval.
    seed : int or None
        Seed of the intervals; None takes it from the data, so that the same data give the same intervals.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.

    Raises
    ------
    GroundworkError
        The number of replicates or the seed is outside its range (`bad_option`).
    """
    check_whole_number("replicates", replicates, least=1, most=MOST_REPLICATES)
    if seed is not None:
        check_whole_number("seed", seed, least=0, most=MOST_SEED)
    params = {"replicates": replicates, "seed": seed, "pool_versions": pool_versions}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def compute_new_raters(*, lease: Lease) -> Report:
    """Resample items and raters outside any transaction and store the report while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `new_raters`.

    Returns
    -------
    Report
        Rows of the contract's JSON, with the estimates of a reliability report.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`), or its raters are not identified
        (`anonymous_raters`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    if not study.identified:
        raise GroundworkError(
            message("The raters of this study are not identified, so they cannot be resampled."),
            code="anonymous_raters",
        )
    lease.beat(0, 1, message("Reading the ratings"))
    state, pool = data_state(study, KIND), bool(params.get("pool_versions"))
    frame = ratings_frame(study)
    if frame.empty:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    counting, data = select_ratings(study, frame, pool_versions=pool)
    table, seed = ratings_table(study, with_sums(study, counting)), params.get("seed")
    method: dict[str, Any] = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": int(table.fingerprint[:8], 16) if seed is None else int(seed),
        "pool_versions": pool,
        "intervals": METHOD,
    }
    provenance = Provenance(KIND, table.fingerprint, method, data, state)
    progress = partial(lease.beat, step=message("Computing confidence intervals"))

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        seed, replicates = method["seed"], method["replicates"]
        found = figures_for_new_raters(table, seed=seed, replicates=replicates, progress=progress)
        return [figure.to_row() for figure in found.figures], {}

    return complete_report(lease, provenance, compute)
