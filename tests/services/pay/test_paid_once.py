"""Nothing is paid twice: by an old file, by two ways of paying, or after a bonus was reduced."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from annotation.domain.base.errors import FileRefused, NotAllowedNow
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.models import AuditEntry, Bonus, Payment, PaymentList, Rater
from annotation.services.pay.bonuses import grant_bonus
from annotation.services.pay.payment_lists import mark_list
from annotation.services.pay.payment_results import import_payment_results
from annotation.services.pay.single_payments import change_payment, enter_outside_payment
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, change, made, mark, pay, seen, sent, states, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=4, overlap=3)
    pay(cast)
    return cast


def tried_again(cast: Cast) -> tuple[PaymentList, Payment]:
    """A payment whose first attempt failed, and whose second is sent."""
    worked(cast, 30)
    listed = sent(cast)
    payment = Payment.objects.get()
    change(cast, payment, PaymentState.FAILED)
    change(cast, payment, PaymentState.APPROVED)
    change(cast, payment, PaymentState.SENT, reference="transfer 2")
    return listed, payment


def results(tmp_path: Path, cast: Cast, listed: PaymentList, *lines: str) -> dict[str, int]:
    path = tmp_path / "results.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return import_payment_results(payment_list=listed, actor=cast.users["owner"], path=path)


@pytest.mark.parametrize(
    ("columns", "values", "code"),
    [
        ("payment,state", "failed", "attempt_needed"),
        ("payment,state,attempt", "failed,", "attempt_needed"),
        ("payment,state,attempt", "failed,1", "other_attempt"),
    ],
)
def test_an_old_file_does_not_report_the_second_attempt_as_failed(cast, tmp_path, columns, values, code):
    listed, payment = tried_again(cast)
    with pytest.raises(FileRefused) as refused:
        results(tmp_path, cast, listed, columns, f"{payment.key},{values}")
    assert [(one.row, one.column, one.code) for one in refused.value.problems] == [(2, "attempt", code)]
    assert states(cast.study) == {"sent": 1}


def test_a_result_of_the_second_attempt_names_it(cast, tmp_path):
    listed, payment = tried_again(cast)
    results(tmp_path, cast, listed, "payment,state,attempt", f"{payment.key},confirmed,2")
    assert states(cast.study) == {"confirmed": 1}


def test_a_page_that_shows_the_first_attempt_does_not_change_the_second(cast):
    _, payment = tried_again(cast)
    with pytest.raises(NotAllowedNow) as refused:
        change_payment(
            payment=payment,
            to=PaymentState.FAILED,
            seen=PaymentState.SENT,
            attempt=1,
            actor=cast.users["owner"],
        )
    assert (refused.value.code, states(cast.study)) == ("changed_elsewhere", {"sent": 1})


def test_what_is_approved_after_the_download_is_not_marked_as_sent_with_it(cast):
    worked(cast, 30), worked(cast, 30)
    listed = sent(cast)
    first, second = Payment.objects.order_by("pk")
    change(cast, first, PaymentState.FAILED)
    change(cast, second, PaymentState.FAILED)
    change(cast, first, PaymentState.APPROVED)
    downloaded = seen(listed, PaymentState.SENT)
    change(cast, second, PaymentState.APPROVED)
    with pytest.raises(NotAllowedNow) as refused:
        mark_list(
            payment_list=listed,
            to=PaymentState.SENT,
            actor=cast.users["owner"],
            reference="transfer 2",
            **downloaded,
        )
    assert (refused.value.code, states(cast.study)) == ("changed_elsewhere", {"approved": 2})
    assert mark(cast, listed, PaymentState.SENT, reference="transfer 2") == 2


def outside(cast: Cast, rater: Rater, kind: PaymentKind = PaymentKind.BASE) -> Payment:
    return enter_outside_payment(
        rater=rater, kind=kind, amount=Decimal("0.10"), reference="cash", note="", actor=cast.users["owner"]
    )


@pytest.mark.parametrize("state", ["due", "approved", "sent", "in_doubt", "failed"])
def test_what_a_list_may_still_pay_is_not_entered_as_paid_outside(cast, state):
    rater, other = worked(cast, 30), worked(cast, 30, 30)
    listed = {"due": made, "approved": approved}.get(state, sent)(cast)
    payment = listed.payments.get(rater=rater)
    if state in {"in_doubt", "failed"}:
        change(cast, payment, PaymentState(state))
    with pytest.raises(NotAllowedNow) as refused:
        outside(cast, rater)
    assert refused.value.code == "open_payment"
    assert "list 1" in str(refused.value.message)
    assert Payment.objects.filter(payment_list=None).count() == 0
    outside(cast, rater, PaymentKind.BONUS)
    assert listed.payments.filter(rater=other).count() == 1


@pytest.mark.parametrize("state", [PaymentState.CANCELLED, PaymentState.CONFIRMED])
def test_after_a_cancelled_or_confirmed_payment_one_can_be_entered(cast, state):
    rater = worked(cast, 30)
    mark(cast, made(cast) if state == PaymentState.CANCELLED else sent(cast), state)
    outside(cast, rater)
    assert states(cast.study) == (
        {state.value: 1, "confirmed": 1} if state == "cancelled" else {"confirmed": 2}
    )


@pytest.mark.parametrize("state", ["due", "approved", "failed"])
@pytest.mark.parametrize("amount", ["0", "0.99"])
def test_a_bonus_is_not_reduced_while_a_list_can_still_pay_it(cast, state, amount):
    rater, owner = worked(cast, 30), cast.users["owner"]
    grant_bonus(rater=rater, amount=Decimal(1), note="", actor=owner)
    listed = {"due": made, "approved": approved, "failed": sent}[state](cast)
    payment = listed.payments.get(kind="bonus")
    if state == "failed":
        change(cast, payment, PaymentState.FAILED)
    with pytest.raises(NotAllowedNow) as refused:
        grant_bonus(rater=rater, amount=Decimal(amount), note="", actor=owner)
    assert refused.value.code == "open_payment"
    assert Bonus.objects.get().amount == 1
    assert AuditEntry.objects.filter(act="grant_bonus").count() == 1
    change(cast, payment, PaymentState.CANCELLED)
    grant_bonus(rater=rater, amount=Decimal(amount), note="", actor=owner)
    assert Bonus.objects.filter(amount=1).count() == 0


def test_a_bonus_can_be_raised_while_a_list_pays_the_first_amount(cast):
    rater, owner = worked(cast, 30), cast.users["owner"]
    grant_bonus(rater=rater, amount=Decimal(1), note="", actor=owner)
    approved(cast)
    grant_bonus(rater=rater, amount=Decimal("1.50"), note="", actor=owner)
    assert list(made(cast).payments.values_list("kind", "amount")) == [("bonus", 50)]
