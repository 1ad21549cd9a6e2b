"""Two workers share a run of 2,000 items; one is killed in the middle: complete, no item twice."""

from __future__ import annotations

import pytest

from tests.backup.making import VERIFY
from tests.faults.workers import kill, python, worker
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

N_ITEMS = 2000
ASK = """
from annotation.models import Study
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import checked_settings
from tests.support.studies.simile_study import make_similes
study = Study.objects.create(slug="buses", title="Buses")
make_similes(study, groups=400)
print("job", request_scores(study=study, actor=None, asked=checked_settings(profile="none")).pk)
"""
# One process that looks often: a process a look would come too late.
WAIT = """
import time
from annotation.models import Job
while True:
    job = Job.objects.get(kind="score")
    if job.state == "WANTED" and job.done > 0 or job.ended:
        break
    time.sleep(0.02)
print("state", job.state, job.done)
"""
COUNT = """
from django.db.models import Count
from annotation.models import Job
from scoring.models import Score, ScoredItem, ScoreRun
run, job = ScoreRun.objects.get(), Job.objects.get(kind="score")
per_item = Score.objects.filter(run=run).values("item").annotate(n=Count("pk"))
metrics = Score.objects.filter(run=run).values("metric").distinct().count()
whole = sum(row["n"] == metrics for row in per_item)
print("count", ScoredItem.objects.filter(run=run).count(), whole, job.done, job.total, run.revision)
"""


def wait_for(installation: Installation, wanted: str) -> tuple[str, int]:
    _, state, done = python(installation, WAIT.replace("WANTED", wanted))
    return state, int(done)


def test_a_run_shared_by_two_workers_is_complete_when_one_is_killed(migrated: Installation) -> None:
    python(migrated, ASK)
    first, second = worker(migrated), worker(migrated)
    try:
        state, done = wait_for(migrated, "running")
        kill(first)
        assert state == "running"
        assert done < N_ITEMS
        assert wait_for(migrated, "done") == ("done", N_ITEMS)
    finally:
        for process in (first, second):
            if process.poll() is None:
                kill(process)
    _, *counted = python(migrated, COUNT)
    assert [int(number) for number in counted] == [N_ITEMS, N_ITEMS, N_ITEMS, N_ITEMS, 1]
    assert migrated.run_script(VERIFY) == "[]\n"
