"""A worker that dies in the middle of a report loses nothing: the job finishes, with one report."""

from __future__ import annotations

import pytest

from tests.backup.making import VERIFY
from tests.faults.workers import kill, look, python, wait_for, worker
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

ASK = """
from annotation.models import Study
from scoring.services.reports.reliability import request_report
print("job", request_report(study=Study.objects.get(), actor=None, replicates=100_000, seed=1).pk)
"""
STUDY = """
from annotation.services.seats.seat_creation import make_seats
from tests.support.studies.rated_study import rated_study
make_seats(study=rated_study(with_scores=False))
"""


@pytest.mark.slow
def test_a_report_survives_the_kill_of_its_worker(migrated: Installation) -> None:
    installation = migrated
    installation.run_script(STUDY)
    python(installation, ASK)
    first = worker(installation)
    try:
        wait_for(installation, "running")
    finally:
        kill(first)
    state, _, attempt, own, reports = look(installation)
    assert (state, attempt, own, reports) == ("running", 1, 0, 0)
    second = worker(installation)
    try:
        _, _, attempt, own, reports = wait_for(installation, "done", seconds=300)
    finally:
        kill(second)
    assert attempt == 2
    assert (own, reports) == (1, 1)
    assert installation.run_script(VERIFY) == "[]\n"
