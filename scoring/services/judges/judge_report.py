"""Reports on the automatic judges of a study: what they have in common with people."""

from __future__ import annotations

import hashlib
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Job, Study, User
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.data.staleness import data_state
from scoring.selectors.judges.criteria import criteria_by_name, is_scale
from scoring.selectors.judges.judge_pages import DEFINITIONS, KIND
from scoring.selectors.judges.judged_values import judge_facts, judged_places, judged_values
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.services.data.tables import ratings_table
from scoring.services.judges.judge_tables import JudgedCriterion, tables_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable
from scoring.stats.judges.alternative_annotator import EPSILONS

REPLICATES = 2000
TABLES = ("agreement", "test", "means", "orders", "sizes")


def request_judges(*, study: Study, actor: User | None, epsilon: float = EPSILONS["crowd"]) -> Job:
    """Ask a worker for the comparison of judges with people, unless a job is in progress.

    Parameters
    ----------
    study : Study
        Study of the report.
    actor : User or None
        User who asks for it.
    epsilon : float
        By how much a judge may be behind a rater, as a share of items: at least 0 and below 1.

    Raises
    ------
    InvalidContent
        `epsilon` is outside its range (`bad_option`).
    """
    if not 0 <= epsilon < 1:
        sentence = message("ε must be at least 0 and below 1.")
        raise InvalidContent(sentence, code="bad_option", fields={"epsilon": sentence})
    params = {"epsilon": epsilon, "replicates": REPLICATES}
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
        Its tables are those of `tables_of` for all criteria, and `judges`, the facts of each judge. It has no
        figure of a single rater.

    Raises
    ------
    GroundworkError
        The study has no ratings (`no_ratings`), or no judge that answered a rated scale (`no_judges`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study, params = study_of(lease.job), lease.job.params
    lease.beat(0, 1, message("Reading ratings and judges"))
    state = data_state(study, KIND)
    table, named, data = _rated(study)
    facts, criteria = judge_facts(study), _judged_criteria(study, table, named)
    if not criteria:
        raise GroundworkError(
            message("No judge has answered a question on a scale that raters have answered."),
            code="no_judges",
        )
    fingerprint = _fingerprint(table, criteria, facts)
    method: dict[str, Any] = {
        "replicates": int(params.get("replicates", REPLICATES)),
        "seed": int(fingerprint[:8], 16),
        "epsilon": float(params.get("epsilon", EPSILONS["crowd"])),
        "definitions": DEFINITIONS,
    }
    provenance = Provenance(KIND, fingerprint, method, data, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        resampling = Resampling(method["replicates"], method["seed"])
        tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
        for done, one in enumerate(criteria):
            lease.beat(done, len(criteria), one.name)
            for name, rows in tables_of(one, method["epsilon"], resampling).items():
                tables[name] += rows
        return [], {**tables, "judges": facts, "criteria": [one.name for one in criteria]}

    return complete_report(lease, provenance, compute)


def _rated(study: Study) -> tuple[RatingsTable, dict[tuple[str, str], str], dict[str, Any]]:
    """The ratings that count, the name of each criterion by form and key, and the counts of a report."""
    counting, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    names = criterion_names(counting)
    pairs = zip(counting["form"], counting["criterion"], names, strict=True)
    return ratings_table(study, counting), {(form, key): name for form, key, name in pairs}, data


def _judged_criteria(
    study: Study, table: RatingsTable, named: dict[tuple[str, str], str]
) -> list[JudgedCriterion]:
    """The criteria with ratings on a scale that a judge has answered."""
    judged = judged_values(study)
    scales = {
        (one.version.form.key, one.key)
        for one in criteria_by_name(study).values()
        if is_scale(one, identified=study.identified)
    }
    keys = list(zip(judged["form"], judged["criterion"], strict=True))
    name = pd.Series([named.get(key, "") if key in scales else "" for key in keys], index=judged.index)
    found = []
    for criterion, ratings in table.criteria.items():
        own = judged[name == criterion]
        if own.empty or not ratings.n_ratings:
            continue
        places = judged_places(study, {str(item) for item in ratings.items})
        scores = own.pivot(index="item", columns="judge", values="value").astype(float)
        scores = scores.reindex(index=places.index, columns=list(dict.fromkeys(own["judge"])))
        found.append(JudgedCriterion(ratings, scores.dropna(how="all"), places))
    return found


def _fingerprint(table: RatingsTable, criteria: list[JudgedCriterion], facts: list[dict[str, Any]]) -> str:
    """SHA-256 of the ratings, the answers of judges, and the places of their items."""
    digest = hashlib.sha256(table.fingerprint.encode())
    for one in sorted(criteria, key=lambda one: one.name):
        placed = one.scores.join(one.places).sort_index()[sorted([*one.scores.columns, *one.places.columns])]
        digest.update(f"\x1e{one.name}\x1f{placed.to_csv()}".encode())
    digest.update(repr([sorted(fact.items(), key=str) for fact in facts]).encode())
    return digest.hexdigest()
