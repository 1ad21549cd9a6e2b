"""Messages of earlier versions do no harm, and their jobs are done."""

from __future__ import annotations

import pytest

from tests.faults.workers import kill, python, wait_for, worker
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

STUDY = """
from tests.support.studies.disagreement_study import make_study
print("made", make_study().pk)
"""
# As earlier versions left it: published, in the one queue they had, under the name of a task of theirs.
ASK = """
from celery import current_app
from datetime import timedelta
from django.utils import timezone
from annotation.models import Job, Study
job = Job.objects.create(
    study=Study.objects.get(), kind="multiverse", params={"n": NUMBER},
    published_at=timezone.now() + timedelta(hours=HOURS),
)
current_app.send_task("TASK", args=[job.pk])
print("job", job.pk)
"""


def ask(installation: Installation, number: int, task: str, hours: int = 0) -> None:
    words = {"NUMBER": number, "TASK": task, "HOURS": hours}
    code = ASK
    for name, value in words.items():
        code = code.replace(name, str(value))
    python(installation, code)


def test_a_message_under_an_old_name_is_dropped_and_its_job_done(migrated: Installation) -> None:
    python(migrated, STUDY)
    ask(migrated, 1, "scoring.multiverse")
    process = worker(migrated)
    try:
        # It waited when the worker came up: the worker publishes every waiting job again.
        *_, first_attempts, _, _ = wait_for(migrated, "done")
        # It came while the worker was running, from a web process that had not been upgraded.
        ask(migrated, 2, "scoring.multiverse")
        *_, second_attempts, _, _ = wait_for(migrated, "done")
        # It names its job, as those of the version before did; the sweep does not look at it for an hour.
        ask(migrated, 3, "annotation.run_job", hours=1)
        *_, third_attempts, _, reports = wait_for(migrated, "done")
        assert process.poll() is None
    finally:
        kill(process)
    log = migrated.var.with_suffix(".worker").read_text(encoding="utf-8")
    assert log.count("Received unregistered task of type 'scoring.multiverse'") == 2
    assert (first_attempts, second_attempts, third_attempts, reports) == (1, 1, 1, 3)
