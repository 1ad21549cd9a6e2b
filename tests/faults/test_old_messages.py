"""Messages under the task names of an earlier version do no harm, and their jobs are done."""

from __future__ import annotations

import pytest

from tests.faults.workers import kill, python, wait_for, worker
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

STUDY = """
from tests.support.studies.disagreement_study import make_study
print("made", make_study().pk)
"""
# As an earlier version left it: published, under the name of the task that version had for the kind.
ASK = """
from celery import current_app
from django.utils import timezone
from annotation.models import Job, Study
job = Job.objects.create(
    study=Study.objects.get(), kind="multiverse", params={"n": NUMBER}, published_at=timezone.now()
)
current_app.send_task("scoring.multiverse", args=[job.pk])
print("job", job.pk)
"""


def test_a_message_under_an_old_name_is_dropped_and_its_job_done(migrated: Installation) -> None:
    python(migrated, STUDY)
    python(migrated, ASK.replace("NUMBER", "1"))
    process = worker(migrated)
    try:
        # It waited when the worker came up: the worker publishes every waiting job again.
        *_, first_attempts, _, _ = wait_for(migrated, "done")
        # It came while the worker was running, from a web process that had not been upgraded.
        python(migrated, ASK.replace("NUMBER", "2"))
        *_, second_attempts, _, reports = wait_for(migrated, "done")
        assert process.poll() is None
    finally:
        kill(process)
    log = migrated.var.with_suffix(".worker").read_text(encoding="utf-8")
    assert log.count("Received unregistered task of type 'scoring.multiverse'") == 2
    assert (first_attempts, second_attempts, reports) == (1, 1, 2)
