"""Bonuses on Prolific: each is paid at most once, whatever the server answers and wherever a worker dies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, LeaseLost, NotAllowedNow
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import JobState
from annotation.domain.pay.payment_states import PaymentState
from annotation.io.base import signed_http
from annotation.io.pay.prolific import Prolific
from annotation.models import (
    CrowdConnection,
    CrowdStudy,
    Job,
    OutsideBatch,
    Payment,
    PaymentEntry,
    PaymentList,
)
from annotation.selectors.pay import late_requests
from annotation.selectors.pay.payments import total_of, with_state
from annotation.services.base.jobs import Lease, cancel, claim
from annotation.services.pay.crowd import batches
from annotation.services.pay.crowd.connection import disconnect
from annotation.services.pay.crowd.outside_studies import unlink_study
from annotation.services.pay.prolific import payer as payer_module
from annotation.services.pay.sending import request_due_readings, request_sending, run_sending
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.tasks import run_job
from tests.support.outside.crowd_jobs import connect, link_study
from tests.support.outside.prolific_server import TOKEN, ProlificServer
from tests.support.people import Cast
from tests.support.studies.pay import approved, came, change, states, worked


@pytest.fixture
def listed(cast: Cast, server: ProlificServer) -> PaymentList:
    """An approved list: two raters from Prolific have a top-up each, and all three their pay."""
    server.studies["abc"] = {"id": "abc", "status": "ACTIVE", "total_available_places": 2, "reward": 10}
    for number in range(2):
        worked(cast, 90, rater=came(cast, f"p-{number}"))
        server.add_submission(f"p-{number}")
    open_link = invite(study=cast.study, actor=cast.users["owner"])
    worked(cast, 90, rater=consent(invitation=open_link))
    link_study(study=cast.study, invitation=cast.invitation, number="abc", actor=cast.users["owner"])
    return approved(cast)


def send(cast: Cast, listed: PaymentList, *, only_read: bool = False) -> Job:
    job = request_sending(
        payment_list=listed, payer="prolific", actor=cast.users["owner"], only_read=only_read
    )
    run_job(job.pk)
    return Job.objects.get(pk=job.pk)


def top_ups(cast: Cast) -> dict[str, int]:
    """The states of payments that Prolific can make: all others stay approved."""
    found = states(cast.study)
    found["approved"] = found.get("approved", 0) - 4
    return {state: n for state, n in found.items() if n}


def test_a_batch_is_paid_once_stays_sent_and_is_confirmed_when_the_submissions_show_it(cast, listed, server):
    assert send(cast, listed).state == JobState.DONE
    assert top_ups(cast) == {"sent": 2}
    assert OutsideBatch.objects.get().number == "bulk0"
    send(cast, listed)
    assert top_ups(cast) == {"confirmed": 2}
    assert set(server.paid.values()) == {1}
    assert server.count("/pay/") == 1
    assert set(PaymentEntry.objects.filter(state="confirmed").values_list("reference", flat=True)) == {
        "bulk0"
    }


def test_the_number_of_the_batch_is_committed_before_it_is_paid(cast, listed, server, monkeypatch):
    found = []

    def look(self: Prolific, batch: str, **_: Any) -> None:
        found.append((connection.in_atomic_block, OutsideBatch.objects.filter(number=batch).count()))

    # The test itself is in a transaction: its savepoints show whether the code has opened another.
    depth = len(connection.savepoint_ids)
    monkeypatch.setattr(Prolific, "pay_bonuses", look)
    send(cast, listed)
    assert [n for _, n in found] == [1]
    assert len(connection.savepoint_ids) == depth


@pytest.mark.parametrize("manner", ["lost", "late", "unreadable", "doubled", "fault", "away"])
def test_whatever_the_paying_call_answers_it_is_called_once(cast, listed, server, manner, monkeypatch):
    monkeypatch.setattr(signed_http, "TIMEOUT", 0.5)
    server.manners["/pay/"] = manner
    for _ in range(4):
        send(cast, listed)
    assert server.count("/pay/") == 1
    carried_out = manner not in {"fault", "away"}
    assert top_ups(cast) == {"confirmed" if carried_out else "in_doubt": 2}
    assert set(server.paid.values()) == ({1} if carried_out else set())


@pytest.mark.parametrize("manner", ["refused", "busy"])
def test_a_refusal_to_pay_fails_and_a_new_approval_makes_another_batch(cast, listed, server, manner):
    server.manners["/pay/"] = manner
    send(cast, listed)
    assert top_ups(cast) == {"failed": 2}
    assert not server.paid
    server.manners.clear()
    for one in Payment.objects.filter(entries__state="failed"):
        change(cast, one, PaymentState.APPROVED)
    send(cast, listed)
    send(cast, listed)
    assert top_ups(cast) == {"confirmed": 2}
    assert set(server.paid.values()) == {1}


@pytest.mark.parametrize("manner", ["lost", "fault", "refused", "away", "unreadable"])
def test_what_goes_wrong_before_the_number_is_stored_has_paid_nothing_and_fails(
    cast, listed, server, manner, monkeypatch
):
    server.manners["bonus-payments/"] = manner
    send(cast, listed)
    assert top_ups(cast) == {"failed": 2}
    assert OutsideBatch.objects.get().number == ""
    assert not server.paid
    assert server.count("/pay/") == 0


def test_a_bonus_that_is_not_shown_yet_stays_in_doubt_until_it_is(cast, listed, server):
    server.pays_later = True
    for _ in range(3):
        send(cast, listed)
    assert top_ups(cast) == {"in_doubt": 2}
    server.settle()
    send(cast, listed, only_read=True)
    assert top_ups(cast) == {"confirmed": 2}
    assert set(server.paid.values()) == {1}


def test_a_bonus_of_the_same_amount_from_before_confirms_nothing(cast, listed, server):
    amount = Payment.objects.filter(kind="top_up").earliest("pk").amount
    for one in server.submissions.values():
        one["bonus_payments"] = [amount]
    server.manners["/pay/"] = "away"
    send(cast, listed)
    send(cast, listed)
    assert top_ups(cast) == {"in_doubt": 2}


def test_a_person_whose_earlier_bonus_is_in_doubt_gets_no_other_one(cast, listed, server):
    server.manners["/pay/"] = "away"
    send(cast, listed)
    first = Payment.objects.filter(kind="top_up", rater__identity__person="p-0").get().rater
    worked(cast, 300, rater=first)
    second = approved(cast)
    server.manners.clear()
    send(cast, second)
    assert not server.paid
    assert set(second.payments.values_list("rater", flat=True)) >= {first.pk}


def test_a_person_without_a_submission_is_not_sent_and_does_not_stop_others(cast, listed, server):
    del server.submissions[next(iter(server.submissions))]
    send(cast, listed)
    send(cast, listed)
    assert top_ups(cast) == {"failed": 1, "confirmed": 1}
    assert "no submission" in PaymentEntry.objects.get(state="failed").note


def test_only_reading_sends_nothing_that_is_approved(cast, listed, server):
    send(cast, listed, only_read=True)
    assert top_ups(cast) == {"approved": 2}
    assert not server.batches


def test_the_token_stays_while_payments_have_no_result(cast, listed, server):
    server.manners["/pay/"] = "lost"
    server.pays_later = True
    send(cast, listed)
    with pytest.raises(NotAllowedNow) as refused:
        disconnect(study=cast.study, platform=Platform.PROLIFIC, actor=cast.users["owner"])
    assert refused.value.code == "payments_in_doubt"


def test_the_study_on_prolific_and_the_account_stay_while_payments_have_no_result(cast, listed, server):
    """The payments are read back from the submissions of this study, by a token of this account."""
    server.pays_later = True
    send(cast, listed)
    owner = cast.users["owner"]
    connect(study=cast.study, actor=owner, token=TOKEN)
    CrowdConnection.objects.update(account="other@example.org")
    for act in (
        lambda: unlink_study(study=cast.study, platform=Platform.PROLIFIC, actor=owner),
        lambda: connect(study=cast.study, actor=owner, token=TOKEN),
    ):
        with pytest.raises(GroundworkError) as refused:
            act()
        assert refused.value.code == "payments_in_doubt"
    assert CrowdStudy.objects.exists()
    assert CrowdConnection.objects.get().account == "other@example.org"


def test_what_is_approved_after_a_person_has_confirmed_the_sum_is_not_sent(cast, listed, server):
    first, second = Payment.objects.filter(kind="top_up", rater__identity__isnull=False).order_by("pk")
    for state in (PaymentState.SENT, PaymentState.FAILED):
        change(cast, second, state, reference="transfer 1")
    confirmed = {"payment_list": listed, "payer": "prolific", "actor": cast.users["owner"]}
    job = request_sending(**confirmed, seen=(1, total_of([first])))
    change(cast, second, PaymentState.APPROVED)
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.FAILED, "changed_elsewhere")
    assert not server.batches
    run_job(request_sending(**confirmed, seen=(2, total_of([first, second]))).pk)
    assert set(server.paid.values()) == {1}


def test_what_has_no_result_is_read_again_after_half_an_hour(cast, listed, server):
    server.pays_later = True
    job = send(cast, listed)
    assert request_due_readings() == 0
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now() - timedelta(minutes=31))
    server.settle()
    assert request_due_readings() == 1
    run_job(Job.objects.latest("pk").pk)
    assert top_ups(cast) == {"confirmed": 2}
    assert request_due_readings() == 0


def claimed(job: Job) -> Lease:
    lease = claim(job_id=job.pk)
    assert lease is not None
    return lease


class Killed(BaseException):
    """The end of a worker, which no handler of the job sees."""


STEPS = ("bonuses_of", "prepare_bonuses", "pay_bonuses")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("done", [False, True])
def test_a_worker_that_dies_at_any_step_pays_at_most_once(cast, listed, server, monkeypatch, step, done):
    job = request_sending(payment_list=listed, payer="prolific", actor=cast.users["owner"])
    whole = getattr(Prolific, step)

    def dies(self: Prolific, *given: Any, **fields: Any) -> None:
        if done:
            whole(self, *given, **fields)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Prolific, step, dies)
        lease = claimed(job)
        with pytest.raises(Killed):
            run_sending(lease=lease)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job.pk)
    send(cast, listed)
    paid = step == "pay_bonuses" and done
    expected = "confirmed" if paid else "in_doubt" if step == "pay_bonuses" else "failed"
    assert top_ups(cast) == {expected: 2}
    assert set(server.paid.values()) == ({1} if paid else set())


def test_a_worker_that_dies_after_storing_the_number_leaves_a_doubt(cast, listed, server, monkeypatch):
    job = request_sending(payment_list=listed, payer="prolific", actor=cast.users["owner"])
    whole = batches.claim

    def dies(*given: Any) -> None:
        whole(*given)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(payer_module, "claim", dies)
        with pytest.raises(Killed):
            run_sending(lease=claimed(job))
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job.pk)
    assert top_ups(cast) == {"in_doubt": 2}
    assert not server.paid


def test_a_suspended_worker_cannot_pay_what_another_has_given_up(cast, listed, server, monkeypatch):
    """The second worker takes over while the first sets up its batch; then the first one goes on."""
    job = request_sending(payment_list=listed, payer="prolific", actor=cast.users["owner"])
    whole = Prolific.prepare_bonuses
    lease = claimed(job)

    def suspended(self: Prolific, *given: Any) -> str:
        number = whole(self, *given)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        run_job(job.pk)
        return number

    with monkeypatch.context() as patched:
        patched.setattr(Prolific, "prepare_bonuses", suspended)
        with pytest.raises(LeaseLost):
            run_sending(lease=lease)
    assert server.count("/pay/") == 0
    assert top_ups(cast) == {"failed": 2}


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request of a service can arrive late any more, however soon a member marks a payment as failed."""
    monkeypatch.setattr(late_requests, "ARRIVES_WITHIN", timedelta(0))


def suspend(monkeypatch: pytest.MonkeyPatch, moment: str, meanwhile: Callable[[], object]) -> None:
    """The next worker that pays is suspended before its call, or when the server is connected."""
    where = {"call": (Prolific, "pay_bonuses"), "connection": (signed_http, "_connected")}
    whole = {name: getattr(*one) for name, one in where.items()}

    def suspended(*given: Any, **fields: Any) -> Any:
        monkeypatch.setattr(*where[moment], whole[moment])
        opened = whole[moment](*given, **fields) if moment == "connection" else None
        meanwhile()
        return opened or whole[moment](*given, **fields)

    def until_connected(*given: Any, **fields: Any) -> Any:
        monkeypatch.setattr(Prolific, "pay_bonuses", whole["call"])
        monkeypatch.setattr(signed_http, "_connected", suspended)
        return whole["call"](*given, **fields)

    monkeypatch.setattr(Prolific, "pay_bonuses", suspended if moment == "call" else until_connected)


@pytest.mark.parametrize("moment", ["call", "connection"])
def test_a_worker_that_wakes_when_its_payments_were_paid_again_pays_nothing(
    cast, listed, server, monkeypatch, no_waiting, moment
):
    """Another worker ends the job; a member marks what is in doubt as failed, and it is paid again."""
    job = request_sending(payment_list=listed, payer="prolific", actor=cast.users["owner"])

    def pay_again() -> None:
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        run_job(job.pk)
        for payment in with_state(listed.payments.all()).filter(state=PaymentState.IN_DOUBT):
            change(cast, payment, PaymentState.FAILED)
            change(cast, payment, PaymentState.APPROVED)
        send(cast, listed)

    suspend(monkeypatch, moment, pay_again)
    with pytest.raises(LeaseLost):
        run_sending(lease=claimed(job))
    assert server.count("/pay/") == 1
    assert set(server.paid.values()) == {1}
    send(cast, listed)
    assert top_ups(cast) == {"confirmed": 2}


@pytest.mark.parametrize("moment", ["call", "connection"])
def test_a_worker_whose_job_was_cancelled_meanwhile_pays_nothing(cast, listed, server, monkeypatch, moment):
    job = request_sending(payment_list=listed, payer="prolific", actor=cast.users["owner"])
    suspend(monkeypatch, moment, lambda: cancel(job=job))
    with pytest.raises(LeaseLost):
        run_sending(lease=claimed(job))
    assert not server.paid


@pytest.mark.parametrize("moment", ["call", "connection"])
def test_what_a_member_has_paid_meanwhile_is_not_paid_again_and_the_others_fail(
    cast, listed, server, monkeypatch, moment
):
    """A batch is paid as a whole or not at all; what was not paid can be approved again."""
    paid_by_hand = listed.payments.filter(kind="top_up", rater__identity__isnull=False).earliest("pk")
    suspend(
        monkeypatch,
        moment,
        lambda: change(cast, paid_by_hand, PaymentState.CONFIRMED, reference="transfer 1"),
    )
    send(cast, listed)
    assert not server.paid
    assert top_ups(cast) == {"confirmed": 1, "failed": 1}


def test_the_number_of_a_batch_cannot_be_changed(cast, listed):
    send(cast, listed)
    with pytest.raises(TypeError):
        OutsideBatch.objects.update(number="other")
    with pytest.raises(IntegrityError):
        OutsideBatch.objects.create(batch=OutsideBatch.objects.get().batch, number="other")
