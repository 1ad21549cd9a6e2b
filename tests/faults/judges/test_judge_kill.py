"""A worker that is killed while a chat judge answers: only the call in flight is repeated, and counted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from tests.faults.workers import kill, worker
from tests.support.installation import Installation
from tests.support.outside.chat_server import ChatServer, chat_server

pytestmark = [pytest.mark.processes]

N_ITEMS = 5
ASK = """
from scoring.services.judges.running.runs import request_run
from tests.services.judges.running.running_judges import allowed_judge
from tests.support.people import make_cast
cast = make_cast(items=5)
request_run(judge=allowed_judge(cast.study, cast.users["owner"], patience=60), actor=None)
"""
LOOK = """
import json
from collections import Counter
from annotation.models import Job
from scoring.models import Judge, Judgement, JudgeCall
from scoring.services.judges.running.planning import Counts
job = Job.objects.get(kind="judge")
states = Counter(JudgeCall.objects.values_list("state", flat=True))
repeated = Counts.of(Judge.objects.get()).repeated
print(json.dumps([job.state, job.attempt, states, repeated, Judgement.objects.count()]))
"""

PAGE = """
import re
from django.test import Client
from annotation.models import Membership
from scoring.models import Judge
judge = Judge.objects.get()
client = Client()
client.force_login(Membership.objects.get(study=judge.study, role="owner").user)
page = client.get(f"/studies/{judge.study.slug}/judges/{judge.pk}/", HTTP_HOST="localhost").content.decode()
print(re.search(r"Calls repeated after a crash</dt>\\s*<dd>(\\d+)</dd>", page).group(1))
"""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def connected(migrated: Installation, server: ChatServer) -> Iterator[Installation]:
    own = {"GROUNDWORK_JUDGE_ADDRESS": server.base, "GROUNDWORK_JUDGE_PRIVATE": "1"}
    made = Installation(migrated.var, {**migrated.settings, **own})
    yield made
    made.close()


def look(connected: Installation, wanted: str) -> tuple[int, dict[str, int], int, int]:
    deadline = time.monotonic() + 120
    while True:
        state, attempt, states, repeated, judgements = json.loads(connected.run_script(LOOK))
        if state == wanted:
            return attempt, states, repeated, judgements
        assert time.monotonic() < deadline, (state, attempt, states)
        time.sleep(0.3)


def test_a_killed_run_repeats_only_the_call_in_flight_and_says_so(
    connected: Installation, server: ChatServer
) -> None:
    server.script = {"moon 2": ["late"]}
    connected.run_script(ASK)
    first = worker(connected)
    try:
        deadline = time.monotonic() + 120
        while server.times_asked("moon 2") < 1:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        kill(first)
    assert look(connected, "running")[1:] == ({"answered": 2, "sent": 1, "planned": 2}, 0, 4)
    second = worker(connected)
    try:
        attempt, states, repeated, judgements = look(connected, "done")
    finally:
        kill(second)
    assert attempt == 2
    assert (states, repeated, judgements) == ({"answered": N_ITEMS}, 1, 2 * N_ITEMS)
    assert connected.run_script(PAGE).strip() == "1"
    assert [server.times_asked(f"moon {item}") for item in range(N_ITEMS)] == [1, 1, 2, 1, 1]
