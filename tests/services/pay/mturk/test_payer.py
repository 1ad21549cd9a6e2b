"""Bonuses on Mechanical Turk are sent once each, whatever is answered, and confirmed by reading them back."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from botocore.signers import RequestSigner
from django.utils import timezone

from annotation.domain.base.errors import FileRefused, GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.payment_states import PaymentState
from annotation.io.base import signed_http
from annotation.io.pay.mturk import MechanicalTurk
from annotation.models import Job, OutsideBatch, PaymentBatch, PaymentList
from annotation.selectors.pay import late_requests
from annotation.selectors.pay.payments import with_state
from annotation.services.base.jobs import claim
from annotation.services.pay.crowd.bonuses import request_bonuses, request_reading_back
from annotation.services.pay.payment_results import import_payment_results
from annotation.services.pay.sending import run_sending
from annotation.services.rating.erasure import erase_rater
from tests.support.outside.crowd_jobs import done, link_study
from tests.support.outside.mturk_server import MturkServer
from tests.support.people import Cast
from tests.support.studies.pay import approved, came, change, states, worked

WORKERS = ("A1WORKER", "A2WORKER")


class Killed(BaseException):
    """The worker's process ends."""


@pytest.fixture
def listed(cast: Cast, server: MturkServer) -> PaymentList:
    """A list with a top-up for each of two workers, who have submitted their assignments."""
    server.hits["HIT0"] = {"HITId": "HIT0", "HITStatus": "Assignable", "MaxAssignments": 6, "Reward": "1.00"}
    given: dict[str, Any] = {"invitation": cast.invitation, "actor": cast.users["owner"]}
    link_study(study=cast.study, number="HIT0", platform=Platform.MTURK, **given)
    for worker in WORKERS:
        worked(cast, 90, rater=came(cast, worker, Platform.MTURK))
        server.add_assignment(worker)
    return approved(cast)


def asked(cast: Cast, listed: PaymentList, n: int = 2) -> Job:
    seen = (n, n * Decimal("0.20"))
    owner = cast.users["owner"]
    return request_bonuses(payment_list=listed, platform=Platform.MTURK, actor=owner, seen=seen)


def read_back(cast: Cast, listed: PaymentList) -> None:
    owner = cast.users["owner"]
    done(request_reading_back(payment_list=listed, platform=Platform.MTURK, actor=owner))


def top_ups(cast: Cast) -> dict[str, int]:
    """The states of payments, without the pay of the two workers, which is paid by approving."""
    found = states(cast.study)
    found["approved"] -= 2
    return {state: n for state, n in found.items() if n}


def test_each_payment_is_one_bonus_with_a_reference_and_is_confirmed_by_the_list(cast, listed, server):
    done(asked(cast, listed))
    assert top_ups(cast) == {"sent": 2}
    read_back(cast, listed)
    assert top_ups(cast) == {"confirmed": 2}
    assert server.paid == dict.fromkeys(WORKERS, 1)
    assert {one["BonusAmount"] for one in server.bonuses} == {"0.20"}
    assert len(server.tokens) == 2
    assert all(any(token in one["Reason"] for token in server.tokens) for one in server.bonuses)


@pytest.mark.parametrize("manner", ["lost", "late", "fault", "unreadable", "away", "doubled"])
def test_no_worker_is_paid_twice_whatever_the_answer_is(cast, listed, server, manner, monkeypatch):
    """The first bonus is in doubt, the second is not sent; the doubt ends by what the list shows."""
    if manner == "late":
        monkeypatch.setattr(signed_http, "TIMEOUT", 1)
    server.manners["SendBonus"] = manner
    server.pays_later = True
    done(asked(cast, listed))
    server.manners.clear()
    monkeypatch.undo()
    if manner == "doubled":
        assert top_ups(cast) == {"sent": 2}
    else:
        assert top_ups(cast) == {"in_doubt": 1, "failed": 1}
        assert server.calls.count("SendBonus") == 1
    read_back(cast, listed)
    server.settle()
    read_back(cast, listed)
    paid = sum(server.paid.values())
    assert paid == {"doubled": 2, "fault": 0, "away": 0}.get(manner, 1)
    assert top_ups(cast).get("confirmed", 0) == paid
    assert max(server.paid.values(), default=0) <= 1


@pytest.mark.parametrize("manner", ["refused", "busy"])
def test_a_refused_bonus_failed_and_can_be_approved_again(cast, listed, server, manner):
    server.manners["SendBonus"] = manner
    done(asked(cast, listed))
    assert top_ups(cast) == {"failed": 2}


def test_a_request_that_arrived_before_is_in_doubt_and_not_failed(cast, listed, server):
    """Else it would be approved again and paid a second time."""
    for payment in listed.payments.filter(kind="top_up"):
        server.tokens.add(f"{payment.key.hex}-1")
    done(asked(cast, listed))
    assert top_ups(cast)["in_doubt"] == 1


@pytest.mark.parametrize(
    ("operation", "after"), [("submissions", False), ("send_bonus", False), ("send_bonus", True)]
)
def test_a_worker_that_dies_at_any_step_pays_at_most_once(
    cast, listed, server, monkeypatch, operation, after
):
    whole, job = getattr(MechanicalTurk, operation), asked(cast, listed)

    def dies(self: MechanicalTurk, *given: Any, **fields: Any) -> Any:
        if after:
            whole(self, *given, **fields)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(MechanicalTurk, operation, dies)
        lease = claim(job_id=job.pk)
        assert lease is not None
        with pytest.raises(Killed):
            run_sending(lease=lease)
    assert top_ups(cast) == {"sent": 2}
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    done(job)
    expected = {"submissions": {"failed": 2}, "send_bonus": {"in_doubt": 2}}[operation]
    assert top_ups(cast) == ({"confirmed": 1, "in_doubt": 1} if after else expected)
    assert sum(server.paid.values()) == after


def test_a_suspended_worker_pays_nothing_after_another_has_taken_over(cast, listed, server, monkeypatch):
    whole, job = MechanicalTurk.send_bonus, asked(cast, listed)

    def suspended(self: MechanicalTurk, **fields: Any) -> None:
        whole(self, **fields)
        monkeypatch.setattr(MechanicalTurk, "send_bonus", whole)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        done(job)

    monkeypatch.setattr(MechanicalTurk, "send_bonus", suspended)
    lease = claim(job_id=job.pk)
    assert lease is not None
    with pytest.raises(Exception, match="no longer held"):
        run_sending(lease=lease)
    assert sum(server.paid.values()) == 1
    assert top_ups(cast) == {"confirmed": 1, "in_doubt": 1}


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request of a service can arrive late any more, however soon a member marks a payment as failed."""
    monkeypatch.setattr(late_requests, "ARRIVES_WITHIN", timedelta(0))


def paid_again(cast: Cast, listed: PaymentList, job: Job) -> None:
    """Another worker ends a job; a member marks what is in doubt as failed, and it is approved and paid."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    done(job)
    for payment in listed.payments.filter(kind="top_up"):
        change(cast, payment, PaymentState.FAILED)
        change(cast, payment, PaymentState.APPROVED)
    done(asked(cast, listed))


@pytest.mark.parametrize("moment", ["call", "signature"])
def test_a_worker_that_wakes_when_its_payments_were_paid_again_pays_nothing(
    cast, listed, server, monkeypatch, no_waiting, moment
):
    """It was suspended between its last look at the ledger and the request: before the call or in it."""
    whole, job, signed = MechanicalTurk.send_bonus, asked(cast, listed), RequestSigner.sign

    def suspended(part: Any, *given: Any, **fields: Any) -> Any:
        monkeypatch.setattr(MechanicalTurk, "send_bonus", whole)
        monkeypatch.setattr(RequestSigner, "sign", signed)
        paid_again(cast, listed, job)
        return (whole if moment == "call" else signed)(part, *given, **fields)

    def suspended_in_call(self: MechanicalTurk, **fields: Any) -> None:
        monkeypatch.setattr(RequestSigner, "sign", suspended)
        whole(self, **fields)

    monkeypatch.setattr(MechanicalTurk, "send_bonus", suspended if moment == "call" else suspended_in_call)
    lease = claim(job_id=job.pk)
    assert lease is not None
    with pytest.raises(Exception, match="no longer held"):
        run_sending(lease=lease)
    assert server.paid == dict.fromkeys(WORKERS, 1)
    assert server.calls.count("SendBonus") == 2


def test_a_payment_of_a_service_has_not_failed_before_its_request_can_no_longer_arrive(
    cast, listed, server, tmp_path, monkeypatch
):
    server.manners["SendBonus"] = "lost"
    server.pays_later = True
    done(asked(cast, listed))
    doubted = with_state(listed.payments.filter(kind="top_up")).get(state=PaymentState.IN_DOUBT)
    with pytest.raises(GroundworkError) as refused:
        change(cast, doubted, PaymentState.FAILED)
    assert refused.value.code == "may_still_be_made"
    path = tmp_path / "results.csv"
    path.write_text(f"payment,state\n{doubted.key},failed\n", encoding="utf-8")
    given: dict[str, Any] = {"payment_list": listed, "actor": cast.users["owner"], "path": path}
    with pytest.raises(FileRefused, match="may still make this payment"):
        import_payment_results(**given)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + late_requests.ARRIVES_WITHIN + timedelta(minutes=1))
    assert import_payment_results(**given)["failed"] == 1


def test_while_a_job_may_send_a_payment_it_has_not_failed(cast, listed, server, monkeypatch, no_waiting):
    whole, refusals = MechanicalTurk.send_bonus, []

    def decided(self: MechanicalTurk, **fields: Any) -> None:
        for payment in listed.payments.filter(kind="top_up"):
            with pytest.raises(GroundworkError) as refused:
                change(cast, payment, PaymentState.FAILED)
            refusals.append(refused.value.code)
        whole(self, **fields)

    monkeypatch.setattr(MechanicalTurk, "send_bonus", decided)
    done(asked(cast, listed))
    assert set(refusals) == {"may_still_be_made"}
    assert top_ups(cast) == {"sent": 2}


def test_a_batch_that_was_given_up_is_never_paid(cast, listed, server, monkeypatch):
    whole, job = MechanicalTurk.submissions, asked(cast, listed)

    def suspended(self: MechanicalTurk, study: str) -> Any:
        OutsideBatch.objects.create(batch=PaymentBatch.objects.get())
        return whole(self, study)

    monkeypatch.setattr(MechanicalTurk, "submissions", suspended)
    done(job)
    assert top_ups(cast) == {"failed": 2}
    assert server.calls.count("SendBonus") == 0


def test_a_bonus_is_confirmed_though_the_worker_id_was_erased(cast, listed, server):
    server.pays_later = True
    done(asked(cast, listed))
    rater = cast.study.raters.get(identity__person=WORKERS[0])
    erase_rater(rater=rater, actor=cast.users["owner"])
    server.settle()
    read_back(cast, listed)
    assert top_ups(cast) == {"confirmed": 2}
