"""RabbitMQ as the broker, with Redis for what web servers count together."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.support.ports import answers
from tests.support.running.production import Site, documented, wait_until

pytestmark = [pytest.mark.processes]

ASK = """
from scoring.services.reports.reliability import request_report
from tests.support.studies.rated_study import rated_study
print(request_report(study=rated_study(with_scores=False), actor=None, replicates=100, seed=1).pk)
"""
STATE = "from annotation.models import Job; print(Job.objects.get(pk={job}).state)"


def control(*words: str) -> str:
    done = subprocess.run(
        ["rabbitmqctl", "-q", *words], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


@pytest.fixture
def rabbitmq() -> Iterator[str]:
    """The address of a virtual host for this test alone."""
    if shutil.which("rabbitmqctl") is None or not answers(5672):
        pytest.skip("no RabbitMQ on this machine (Debian: apt-get install rabbitmq-server)")
    name = f"groundwork-{os.getpid()}"
    control("add_vhost", name)
    try:
        control("set_permissions", "-p", name, "guest", ".*", ".*", ".*")
        yield f"amqp://guest:guest@127.0.0.1:5672/{name}"
    finally:
        control("delete_vhost", name)


def test_a_report_goes_through_it(site: Site, rabbitmq: str):
    through = {"CELERY_BROKER_URL": rabbitmq, "CACHE_URL": site.environment["CELERY_BROKER_URL"]}
    asked = site.run(["python", "manage.py", "shell", "-v", "0", "-c", ASK], **through)
    assert asked.returncode == 0, asked.stderr
    waiting = control("list_queues", "-p", rabbitmq.rpartition("/")[2], "name", "messages")
    assert "groundwork.reports\t1" in waiting
    with site.worker(**through) as log:
        wait_until(lambda: site.run_script(STATE.format(job=asked.stdout)) == "done")
        wait_until(lambda: "succeeded" in log.read_text())


@pytest.mark.parametrize("program", [0, -1], ids=["command", "worker"])
def test_without_a_redis_for_the_cache_the_start_refuses_with_one_sentence(unprepared: Site, program: int):
    done = unprepared.run(documented()[program], CELERY_BROKER_URL="amqp://guest:guest@127.0.0.1:5672//")
    assert done.returncode != 0
    assert done.stderr.startswith("CACHE_URL is not set, and CELERY_BROKER_URL names no Redis")
    assert len(done.stderr.splitlines()) == 1
