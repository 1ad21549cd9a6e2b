"""Reports that compare the automatic judges of a study with people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.limits import MOST_REPLICATES
from annotation.domain.base.messages import message
from annotation.domain.base.numbers import check_whole_number
from annotation.models import Job, Study, User
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.base.figures import DEFINITIONS
from scoring.selectors.data.staleness import data_state
from scoring.selectors.judges.judge_pages import KIND
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.judges.judge_tables import tables_of
from scoring.services.judges.judged_criteria import JudgedStudy, judged_study
from scoring.services.judges.judged_distributions import distribution_tables
from scoring.services.judges.option_tables import option_tables
from scoring.stats.base.resampling import Resampling
from scoring.stats.judges.alternative_annotator import EPSILONS

REPLICATES = 2000
TABLES = (
    *("agreement", "test", "means", "orders", "sizes"),
    *("option_agreement", "option_test", "bias", "both_orders", "calibration", "bins", "soft_labels"),
)


def request_judges(
    *, study: Study, actor: User | None, epsilon: float = EPSILONS["crowd"], replicates: int = REPLICATES
) -> Job:
    """Ask a worker for the comparison of judges with people, unless a job is in progress.

    Parameters
    ----------
    study : Study
        Study of the report.
    actor : User or None
        User who asks for it.
    epsilon : float
        By how much a judge may be behind a rater, as a share of items: at least 0 and below 1.
    replicates : int
        Bootstrap replicates of each interval.

    Raises
    ------
    InvalidContent
        `epsilon` is outside its range (`bad_option`).
    GroundworkError
        The number of replicates is outside its range (`bad_option`).
    """
    if not 0 <= epsilon < 1:
        sentence = message("ε must be at least 0 and below 1.")
        raise InvalidContent(sentence, code="bad_option", fields={"epsilon": sentence})
    check_whole_number("replicates", replicates, least=1, most=MOST_REPLICATES)
    params = {"epsilon": epsilon, "replicates": replicates}
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def compute_judges(*, lease: Lease) -> Report:
    """Compute a report outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `judges`.

    Returns
    -------
    Report
        Its tables are those of `tables_of`, `option_tables` and `distribution_tables` for all criteria;
        `judges`, the facts of each judge; and `not_compared`. It has no figure of a single rater.

    Raises
    ------
    GroundworkError
        The study has no ratings (`no_ratings`), or no judge that answered a rated question that
        can be compared (`no_judges`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    lease.beat(0, 1, message("Reading ratings and judges"))
    state = data_state(study, KIND)
    found = judged_study(study)
    if not found.scales and not found.options:
        raise GroundworkError(
            message("No judge has answered a scale, a choice or a comparison that raters have answered."),
            code="no_judges",
        )
    method: dict[str, Any] = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": int(found.fingerprint[:8], 16),
        "epsilon": float(params.get("epsilon", EPSILONS["crowd"])),
        "definitions": DEFINITIONS[KIND],
    }
    provenance = Provenance(KIND, found.fingerprint, method, found.data, state)
    return complete_report(lease, provenance, lambda: ([], _tables(study, found, method, lease)))


def _tables(study: Study, found: JudgedStudy, method: Mapping[str, Any], lease: Lease) -> dict[str, Any]:
    resampling = Resampling(method["replicates"], method["seed"])
    families = {fact["name"]: fact["same_family_as"] for fact in found.facts if fact["same_family_as"]}
    steps: list[tuple[str, Callable[[], Mapping[str, list[dict[str, Any]]]]]] = [
        *((scale.name, partial(tables_of, scale, method["epsilon"], resampling)) for scale in found.scales),
        *(
            (option.name, partial(option_tables, option, families, method["epsilon"], resampling))
            for option in found.options
        ),
        *(
            (one.ratings.criterion, partial(distribution_tables, one, resampling))
            for one in found.distributions
        ),
    ]
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    labels = criterion_labels(study)
    for done, (name, compute) in enumerate(steps):
        lease.beat(done, len(steps), labels.get(name, name))
        for table, rows in compute().items():
            tables[table] += rows
    return {
        **tables,
        "judges": found.facts,
        "criteria": [scale.name for scale in found.scales],
        "option_criteria": [option.name for option in found.options],
        "not_compared": found.not_compared,
    }
