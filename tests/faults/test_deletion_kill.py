"""A process that is killed in the middle of deleting a study leaves one that the next process deletes."""

from __future__ import annotations

import signal

import pytest

from tests.backup.making import VERIFY
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

STUDY = """
from datetime import timedelta
from django.utils import timezone
from annotation.models import Study
from annotation.services.studies.deletion import request_due_deletions
from tests.support.studies.rated_study import rated_study
study = rated_study()
Study.objects.filter(pk=study.pk).update(state="closed", deleted_after=timezone.now() - timedelta(days=1))
request_due_deletions()
"""
KILLED = """
import os, signal
from annotation.models import Job
from annotation.services.base.jobs import Lease
from annotation.services.studies import deletion
from annotation.tasks import run_job
beats = []
def beat(*_):
    beats.append(1)
    if len(beats) == {n}:
        os.kill(os.getpid(), signal.SIGKILL)
Lease.beat = beat
deletion.CHUNK_SIZE = 3
run_job(Job.objects.get(kind="delete_study").pk)
"""
LEFT = """
from annotation.models import Job, Rating, Study
from annotation.services.studies.deletion import request_due_deletions
Job.objects.filter(kind="delete_study", state="running").update(state="queued", lease=None, lease_until=None)
request_due_deletions()
print(Study.objects.count(), Rating.objects.count(), Job.objects.get(kind="delete_study").state)
"""


def test_a_deletion_that_is_killed_twice_ends_complete(migrated: Installation) -> None:
    migrated.run_script(STUDY)
    for n in (4, 30):
        killed = migrated.manage("shell", "-c", KILLED.format(n=n))
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert migrated.run_script(LEFT).split()[0] == "1"
    done = migrated.manage("shell", "-c", KILLED.format(n=0))
    assert done.returncode == 0, done.stderr
    assert migrated.run_script(LEFT).split() == ["0", "0", "done"]
    assert migrated.run_script(VERIFY) == "[]\n"
