"""Sending to a service that pays: once, whatever it answers; what is not known is in doubt and read back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models.signals import post_save
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import JobState
from annotation.domain.pay.payment_states import PaymentState
from annotation.models import Job, Payment, PaymentBatch, PaymentEntry, PaymentList, PlatformIdentity
from annotation.services.base.jobs import claim
from annotation.services.pay import payers
from annotation.services.pay.payers import register_payer
from annotation.services.pay.sending import request_sending, run_sending
from annotation.services.pay.single_payments import change_payment
from annotation.services.people.identity import erase_identity
from annotation.tasks import run_job
from tests.support.payment_service import HttpPayer, PaymentService, payment_service
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, pay, states, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PaymentService]:
    monkeypatch.setattr(payers, "_payers", {})
    register_payer("local", "tests.support.payment_service.HttpPayer")
    with payment_service() as running:
        yield running


@pytest.fixture
def cast() -> Cast:
    """Two raters from the platform, and one from none."""
    cast = make_cast(items=4, overlap=4)
    pay(cast)
    for person in ("p-1", "p-2", ""):
        rater = worked(cast, 30)
        if person:
            PlatformIdentity.objects.create(
                rater=rater,
                study=cast.study,
                invitation=cast.invitation,
                platform="prolific",
                person=person,
            )
    return cast


def send(cast: Cast, listed: PaymentList) -> Job:
    job = request_sending(payment_list=listed, payer="local", actor=cast.users["owner"])
    run_job(job.pk)
    return Job.objects.get(pk=job.pk)


def test_what_is_approved_is_sent_once_and_confirmed(cast, service):
    listed = approved(cast)
    assert send(cast, listed).state == JobState.DONE
    assert states(cast.study) == {"confirmed": 2, "approved": 1}
    assert set(service.paid.values()) == {1}
    batch = PaymentBatch.objects.get()
    assert set(PaymentEntry.objects.filter(state="sent").values_list("reference", flat=True)) == {
        str(batch.key)
    }


def test_nothing_is_sent_again_by_asking_again(cast, service):
    listed = approved(cast)
    for _ in range(3):
        send(cast, listed)
    assert (service.calls.count("send"), set(service.paid.values())) == (1, {1})


@pytest.mark.parametrize("manner", ["too late", "lost", "unreadable", "doubled"])
def test_an_answer_that_does_not_come_is_read_back_and_never_sent_again(cast, service, manner):
    listed = approved(cast)
    service.manner = manner
    send(cast, listed)
    send(cast, listed)
    assert set(service.paid.values()) == {1}
    assert service.calls.count("send") == 1
    assert states(cast.study) == {"confirmed": 2, "approved": 1}
    doubted = PaymentEntry.objects.filter(state="in_doubt").count()
    assert doubted == (0 if manner == "doubled" else 2)


@pytest.mark.parametrize("manner", ["lost", "not taken"])
def test_what_the_service_does_not_know_stays_in_doubt(cast, service, manner):
    listed = approved(cast)
    service.manner, service.forgets = manner, True
    for _ in range(3):
        send(cast, listed)
    assert states(cast.study) == {"in_doubt": 2, "approved": 1}
    assert service.calls.count("send") == 1
    service.forgets = False
    send(cast, listed)
    assert states(cast.study) == (
        {"confirmed": 2, "approved": 1} if manner == "lost" else {"in_doubt": 2, "approved": 1}
    )


def test_a_refused_payment_has_failed(cast, service):
    listed = approved(cast)
    first = Payment.objects.earliest("pk")
    service.refused = {str(first.key)}
    send(cast, listed)
    assert states(cast.study) == {"failed": 1, "confirmed": 1, "approved": 1}
    assert str(first.key) not in service.paid


def test_what_an_earlier_attempt_became_says_nothing_of_the_next(cast, service):
    listed, owner = approved(cast), cast.users["owner"]
    first = Payment.objects.earliest("pk")
    service.refused = {str(first.key)}
    send(cast, listed)
    change_payment(payment=first, to=PaymentState.APPROVED, seen=PaymentState.FAILED, attempt=1, actor=owner)
    service.refused, service.manner = set(), "lost"
    service.forgets, service.remembered = True, set(service.known)
    for _ in range(2):
        send(cast, listed)
    # The first batch still says “refused”; whether the second attempt was made is not known.
    assert states(cast.study) == {"in_doubt": 1, "confirmed": 1, "approved": 1}
    assert service.paid[str(first.key)] == 1


class Killed(BaseException):
    """The end of a worker, which no handler of the job sees."""


@pytest.mark.parametrize("after_the_call", [False, True])
def test_a_worker_that_dies_in_the_middle_leaves_payments_in_doubt(
    cast, service, monkeypatch, after_the_call
):
    listed = approved(cast)
    job = request_sending(payment_list=listed, payer="local", actor=cast.users["owner"])
    whole = HttpPayer.send

    def dies(self, batch):
        if after_the_call:
            whole(self, batch)
        raise Killed

    monkeypatch.setattr(HttpPayer, "send", dies)
    lease = claim(job_id=job.pk)
    assert lease is not None
    with pytest.raises(Killed):
        run_sending(lease=lease)
    assert states(cast.study) == {"sent": 2, "approved": 1}
    monkeypatch.setattr(HttpPayer, "send", whole)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job.pk)
    assert service.calls.count("send") == int(after_the_call)
    expected = "confirmed" if after_the_call else "in_doubt"
    assert states(cast.study) == {expected: 2, "approved": 1}


@pytest.mark.parametrize("answer", [ZeroDivisionError("their fault"), None])
def test_a_fault_of_the_service_leaves_payments_in_doubt_and_is_logged(
    cast, service, monkeypatch, caplog, answer
):
    listed = approved(cast)

    def faulty(self, batch):
        if answer is not None:
            raise answer

    monkeypatch.setattr(HttpPayer, "send", faulty)
    assert send(cast, listed).state == JobState.DONE
    assert states(cast.study) == {"in_doubt": 2, "approved": 1}
    assert "met a fault" in caplog.text


def test_what_a_dead_job_left_as_sent_is_in_doubt_and_read_back(cast, service, monkeypatch):
    listed = approved(cast)
    job = request_sending(payment_list=listed, payer="local", actor=cast.users["owner"])
    whole = HttpPayer.send

    def dies(self, batch):
        whole(self, batch)
        raise Killed

    monkeypatch.setattr(HttpPayer, "send", dies)
    lease = claim(job_id=job.pk)
    assert lease is not None
    with pytest.raises(Killed):
        run_sending(lease=lease)
    monkeypatch.setattr(HttpPayer, "send", whole)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, lease=None, lease_until=None)
    send(cast, listed)
    assert states(cast.study) == {"confirmed": 2, "approved": 1}
    assert (service.calls.count("send"), set(service.paid.values())) == (1, {1})
    assert PaymentEntry.objects.filter(state="in_doubt").count() == 2


def test_nothing_is_sent_to_a_rater_whose_platform_id_is_erased_meanwhile(cast, service):
    listed = approved(cast)
    gone = Payment.objects.earliest("pk").rater

    def erase(**_: object) -> None:
        erase_identity(rater=gone)

    post_save.connect(erase, sender=PaymentBatch)
    try:
        send(cast, listed)
    finally:
        post_save.disconnect(erase, sender=PaymentBatch)
    assert states(cast.study) == {"failed": 1, "confirmed": 1, "approved": 1}
    assert PaymentEntry.objects.get(state="failed").note == "Not sent: the platform ID was erased."
    assert len(service.paid) == 1


def test_a_service_that_is_not_registered_is_refused(cast, service):
    with pytest.raises(NotAllowedNow) as refused:
        request_sending(payment_list=approved(cast), payer="other", actor=cast.users["owner"])
    assert refused.value.code == "unknown_payer"
