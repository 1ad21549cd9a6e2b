"""Jobs that take too long, that are cancelled in the middle of a step, and those whose worker is killed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.workers import kill, worker
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

QUEUES = ("short", "reports", "models", "messages")
ASK = """
import json
from annotation.models import Study
from annotation.services.base.jobs import enqueue
study, _ = Study.objects.get_or_create(slug="lamps", title="Lamps")
asked = json.loads('''ASKED''')
jobs = [enqueue(kind=kind, study=study, params=params, created_by=None) for kind, params in asked]
print(json.dumps([job.pk for job in jobs]))
"""
LOOK = """
import json
from annotation.models import AuditEntry, Job
done = list(AuditEntry.objects.filter(act="trial_done").values_list("detail__job", flat=True))
jobs = Job.objects.values_list("pk", "state", "attempt", "error_code")
print(json.dumps({pk: [*row, done.count(pk)] for pk, *row in jobs}))
"""
CANCEL = """
from annotation.models import Job
from annotation.services.base.jobs import cancel
cancel(job=Job.objects.get(pk=PK))
"""


@pytest.fixture
def trial(migrated: Installation) -> Iterator[Installation]:
    """An installation with the jobs of the tests."""
    own = {"DJANGO_SETTINGS_MODULE": "tests.support.trial_jobs.settings"}
    made = Installation(migrated.var, {**migrated.settings, **own})
    yield made
    made.close()


def ask(trial: Installation, *asked: tuple[str, dict[str, Any]]) -> list[int]:
    found: list[int] = json.loads(trial.run_script(ASK.replace("ASKED", json.dumps(asked))))
    return found


def wait_for(trial: Installation, states: dict[int, str], seconds: float = 240) -> dict[int, list[Any]]:
    """What became of each job, once they are in these states: state, attempt, code, how often it was done."""
    deadline = time.monotonic() + seconds
    while True:
        found = {int(pk): row for pk, row in json.loads(trial.run_script(LOOK)).items()}
        if all(found[pk][0] == state for pk, state in states.items()):
            return found
        assert time.monotonic() < deadline, (found, states)
        time.sleep(0.3)


def test_a_job_ends_at_its_limit_and_a_cancelled_one_at_once_whatever_its_step(trial: Installation) -> None:
    slow, stuck, last = ask(
        trial,
        ("trial_limited", {"steps": 1000}),
        ("trial_limited", {"steps": 1, "stuck": "in a library"}),
        ("trial_models", {"steps": 1, "stuck": "in a library"}),
    )
    process = worker(trial)
    try:
        wait_for(trial, {slow: "failed", stuck: "failed", last: "running"})
        trial.run_script(CANCEL.replace("PK", str(last)))
        # The one worker is free again.
        (after,) = ask(trial, ("trial_models", {"steps": 1}))
        found = wait_for(trial, {after: "done"})
        assert process.poll() is None
    finally:
        kill(process)
    assert found[slow] == ["failed", 1, "time_limit", 0]
    assert found[stuck] == ["failed", 1, "time_limit", 0]
    assert found[last] == ["cancelled", 1, "", 0]
    assert found[after] == ["done", 1, "", 1]


def test_jobs_of_every_queue_are_done_once_when_their_worker_is_killed(trial: Installation) -> None:
    jobs = ask(trial, *((f"trial_{queue}", {"steps": 30}) for queue in QUEUES))
    first = worker(trial, concurrency=len(QUEUES))
    try:
        wait_for(trial, dict.fromkeys(jobs, "running"))
    finally:
        kill(first)
    second = worker(trial, concurrency=len(QUEUES))
    try:
        found = wait_for(trial, dict.fromkeys(jobs, "done"))
    finally:
        kill(second)
    assert [found[pk] for pk in jobs] == [["done", 2, "", 1]] * len(QUEUES)


@pytest.mark.slow
def test_a_job_that_lets_nothing_else_run_is_killed_and_given_up(trial: Installation) -> None:
    (stuck,) = ask(trial, ("trial_limited", {"steps": 1, "stuck": "with the interpreter"}))
    process = worker(trial)
    try:
        found = wait_for(trial, {stuck: "failed"}, seconds=300)
    finally:
        kill(process)
    assert found[stuck] == ["failed", 5, "too_many_attempts", 0]
