"""A worker that is killed while it sends payments: each is made once, and what is not known is read back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from tests.faults.workers import kill, worker
from tests.support.installation import Installation
from tests.support.payment_service import ADDRESS, PATIENCE, PaymentService, payment_service

pytestmark = [pytest.mark.processes]

ASK = """
from annotation.models import PlatformIdentity
from annotation.services.pay.sending import request_sending
from tests.support.people import make_cast
from tests.support.studies.pay import approved, pay, worked
cast = make_cast(items=4, overlap=4)
pay(cast)
for number in range(3):
    rater = worked(cast, 30)
    PlatformIdentity.objects.create(
        rater=rater, study=cast.study, invitation=cast.invitation, platform="prolific", person=f"p-{number}"
    )
request_sending(payment_list=approved(cast), payer="trial", actor=cast.users["owner"])
"""
LOOK = """
import json
from annotation.models import Job, Study
from tests.support.studies.pay import states
job = Job.objects.get(kind="send_payments")
print(json.dumps([job.state, job.attempt, states(Study.objects.get())]))
"""


@pytest.fixture
def service() -> Iterator[PaymentService]:
    with payment_service() as running:
        yield running


@pytest.fixture
def trial(migrated: Installation, service: PaymentService) -> Iterator[Installation]:
    own = {"DJANGO_SETTINGS_MODULE": "tests.support.trial_jobs.settings", ADDRESS: service.address}
    own[PATIENCE] = "60"
    made = Installation(migrated.var, {**migrated.settings, **own})
    yield made
    made.close()


def look(trial: Installation, state: str, seconds: float = 120) -> tuple[int, dict[str, int]]:
    deadline = time.monotonic() + seconds
    while True:
        found, attempt, payments = json.loads(trial.run_script(LOOK))
        if found == state:
            return attempt, payments
        assert time.monotonic() < deadline, (found, attempt, payments)
        time.sleep(0.3)


def test_payments_are_made_once_though_the_worker_dies_in_the_call(
    trial: Installation, service: PaymentService
) -> None:
    service.manner = "too late"
    trial.run_script(ASK)
    first = worker(trial)
    try:
        assert service.called.wait(120)
    finally:
        kill(first)
    service.manner = "answers"
    second = worker(trial)
    try:
        attempt, payments = look(trial, "done")
    finally:
        kill(second)
    assert attempt == 2
    assert payments == {"confirmed": 3}
    assert (service.calls.count("send"), set(service.paid.values())) == (1, {1})
