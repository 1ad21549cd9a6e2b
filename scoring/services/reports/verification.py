"""Checks that all stored data are consistent, on both sides; nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotation.domain.base.states import JobState
from annotation.models import AuditEntry, Job
from annotation.selectors.base.archives import archive_path
from annotation.selectors.base.snapshot import one_moment
from annotation.selectors.people.erasures import ERASING
from annotation.selectors.studies.verify.answers import (
    find_mixed_rows,
    find_wrong_revisions,
)
from annotation.selectors.studies.verify.breach import Breach, Rule
from annotation.selectors.studies.verify.constraints import (
    find_broken_constraints,
    find_damage,
    find_late_sequences,
    find_lost_references,
    find_odd_json,
)
from annotation.selectors.studies.verify.contents import find_incomplete_answers, find_wrong_contents
from annotation.selectors.studies.verify.counters import find_wrong_cases, find_wrong_counters
from annotation.selectors.studies.verify.jobs import find_wrong_jobs
from annotation.selectors.studies.verify.pairs import find_wrong_rounds
from annotation.selectors.studies.verify.seats import (
    find_misplaced_seats,
    find_missing_seats,
    find_wrong_reservations,
    find_wrong_seats,
)
from scoring.models import FigureSet, ItemSummary, ScoreRun
from scoring.services.reports.bundles import KIND, MOST_STORED
from scoring.services.similes.knowledge_bases import DEMO_BASE, folder

NO_FILE = Rule(
    "file_missing",
    "The file of this bundle does not exist.",
    "Copy media/ from the last backup, or make a new bundle on the page of exports.",
)
FIGURES = Rule(
    "figures_miscounted",
    "Its n_items is not the number of its summaries.",
    "Compute the figures of the items again on the page of the items.",
)
NO_BASE = Rule(
    "knowledge_base_missing",
    "The knowledge base that it was computed with does not exist here.",
    "Copy knowledge/ from the last backup, or build the base again; its scores stay as they are.",
)
OF_FILES = {NO_FILE.code, NO_BASE.code}


def find_missing_files() -> Iterator[Breach]:
    """Yield stored bundles whose archive is missing, and runs whose knowledge base is missing."""
    erased = AuditEntry.objects.filter(ERASING, study=OuterRef("study")).order_by("-created_at")
    made = Job.objects.filter(kind=KIND, state=JobState.DONE, study__isnull=False).annotate(
        erased_at=Subquery(erased.values("created_at")[:1])
    )
    missing = []
    for _, jobs in groupby(made.order_by("study", "-pk"), key=lambda job: job.study_id):
        for job in list(jobs)[:MOST_STORED]:
            outdated = (
                job.erased_at is not None and job.started_at is not None and job.started_at <= job.erased_at
            )
            if not outdated and not archive_path(job).is_file():
                missing.append(job.pk)
    yield from NO_FILE.of_keys(Job, missing, total=len(missing))
    known = {"", DEMO_BASE, *folder().names()}
    lost = [run.pk for run in ScoreRun.objects.order_by("pk") if _base_of(run) not in known]
    yield from NO_BASE.of_keys(ScoreRun, lost, total=len(lost))


def find_wrong_figures() -> Iterator[Breach]:
    """Yield sets of figures that do not have as many summaries as they say."""
    counted = (
        ItemSummary.objects.filter(made=OuterRef("pk")).order_by().values("made").annotate(n=Count("pk"))
    )
    sets = FigureSet.objects.annotate(counted=Coalesce(Subquery(counted.values("n")), 0))
    yield from FIGURES.breaches(sets.filter(~Q(n_items=F("counted")), ready=True))


def _base_of(run: ScoreRun) -> str:
    return str((run.made_with.get("knowledge_base") or {}).get("name", ""))


CHECKS: tuple[Callable[[], Iterator[Breach]], ...] = (
    # First: leases are compared with the clock, and the rows are those of the beginning.
    find_wrong_jobs,
    find_damage,
    find_lost_references,
    find_broken_constraints,
    find_odd_json,
    find_late_sequences,
    find_wrong_seats,
    find_misplaced_seats,
    find_wrong_reservations,
    find_missing_seats,
    find_wrong_rounds,
    find_wrong_revisions,
    find_mixed_rows,
    find_incomplete_answers,
    find_wrong_contents,
    find_wrong_counters,
    find_wrong_cases,
    find_missing_files,
    find_wrong_figures,
)


def verify() -> list[Breach]:
    """Check every rule on the data as they are at one moment, also while raters answer."""
    with one_moment():
        found = [breach for check in CHECKS for breach in check()]
    return _confirmed(found) if any(breach.code in OF_FILES for breach in found) else found


def _confirmed(found: list[Breach]) -> list[Breach]:
    """Keep the confirmed breaches: a file that was replaced after the rows were read is not missing."""
    with one_moment():
        still = {breach.row for breach in find_missing_files()}
    return [breach for breach in found if breach.code not in OF_FILES or breach.row in still]
