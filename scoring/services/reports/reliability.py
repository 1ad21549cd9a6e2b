"""Reliability reports: asking a worker for one, and computing it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.limits import MOST_REPLICATES, MOST_SEED
from annotation.domain.base.messages import message
from annotation.domain.base.numbers import check_whole_number
from annotation.models import Job, Study, User
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.data.staleness import data_state
from scoring.services.agreement.scales import scale_part
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.choices.options import choice_part
from scoring.services.choices.orders import order_part
from scoring.services.data.counting import NOTHING_YET
from scoring.services.spans.error_report import error_part
from scoring.services.spans.tuple_report import tuple_part
from scoring.stats.base.parallel import Progress

KIND = "reliability"
REPLICATES = 2000


PARTS = {
    "scale": scale_part,
    "choice": choice_part,
    "order": order_part,
    "tuples": tuple_part,
    "errors": error_part,
}


class Part(Protocol):
    """The part of a report about one kind of question: on a scale, with options, orders, or tuples."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def data(self) -> dict[str, Any]: ...

    @property
    def cannot_rate(self) -> dict[str, int]: ...

    @property
    def method(self) -> dict[str, Any]: ...

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]: ...


def request_report(
    *,
    study: Study,
    actor: User | None,
    replicates: int = REPLICATES,
    seed: int | None = None,
    pool_versions: bool = False,
    announce: bool = True,
) -> Job:
    """Ask a worker for the agreement figures of a study, unless a job is under way.

    Parameters
    ----------
    study : Study
        Study of the report.
    actor : User or None
        User who asks for it.
    replicates : int
        Bootstrap replicates of each interval.
    seed : int or None
        Seed of the intervals; None takes it from the data, so that the same data give the same figures.
    pool_versions : bool
        Take all versions of a form together, and compare them; otherwise the newest one that was answered.
    announce : bool
        Whether workers are notified; False where the caller computes it.

    Raises
    ------
    GroundworkError
        The number of replicates or the seed is outside its range (`bad_option`).
    """
    check_whole_number("replicates", replicates, least=1, most=MOST_REPLICATES)
    if seed is not None:
        check_whole_number("seed", seed, least=0, most=MOST_SEED)
    params = {"replicates": replicates, "seed": seed, "pool_versions": pool_versions}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor, announce=announce)


def compute_report(*, lease: Lease) -> Report:
    """Compute a report outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `reliability`.

    Raises
    ------
    GroundworkError
        The study has neither ratings on a scale nor choices nor orders nor tuples (`no_ratings`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    pool = bool(params.get("pool_versions"))
    lease.beat(0, 1, message("Reading the ratings"))
    state = data_state(study, KIND)
    found = {kind: make(study, pool_versions=pool) for kind, make in PARTS.items()}
    by_kind: dict[str, Part] = {kind: one for kind, one in found.items() if one is not None}
    if not by_kind:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    parts = list(by_kind.values())
    fingerprint, seed = _combine_fingerprints([part.fingerprint for part in parts]), params.get("seed")
    method: dict[str, Any] = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": int(fingerprint[:8], 16) if seed is None else int(seed),
        "pool_versions": pool,
    }
    for part in parts:
        method |= part.method
    provenance = Provenance(KIND, fingerprint, method, _data(by_kind), state)
    progress = partial(lease.beat, step=message("Computing confidence intervals"))
    return complete_report(lease, provenance, lambda: _computed(parts, method, progress))


def _data(by_kind: Mapping[str, Part]) -> dict[str, Any]:
    """What was counted: of the first kind of question, and of each where there are several."""
    parts = list(by_kind.values())
    cannot_rate = {name: number for part in parts for name, number in part.cannot_rate.items()}
    several = {"by_kind": {kind: part.data for kind, part in by_kind.items()}} if len(parts) > 1 else {}
    return {**parts[0].data, **several, "cannot_rate": cannot_rate}


def _computed(
    parts: Sequence[Part], method: Mapping[str, Any], progress: Progress
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The figures and the tables of all parts."""
    rows: list[dict[str, Any]] = []
    tables: dict[str, Any] = {}
    for part in parts:
        figures, part_tables = part.computed(method, progress)
        before = [*tables.get("before", []), *part_tables.get("before", [])]
        rows += figures
        tables |= part_tables | ({"before": before} if before else {})
    return rows, tables


def _combine_fingerprints(fingerprints: Sequence[str]) -> str:
    """One fingerprint of several; a single one is unchanged."""
    if len(fingerprints) == 1:
        return fingerprints[0]
    return hashlib.sha256("".join(fingerprints).encode()).hexdigest()
