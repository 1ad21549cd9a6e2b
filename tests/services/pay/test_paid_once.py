"""Nothing is paid twice: by an old file, by two ways of paying, or after a bonus was reduced."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from annotation.domain.base.errors import FileRefused, NotAllowedNow
from annotation.domain.pay.payment_states import PaymentKind, PaymentState, following
from annotation.models import AuditEntry, Bonus, Payment, PaymentList, Rater
from annotation.selectors.pay.payments import with_state
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


def outside(
    cast: Cast,
    rater: Rater,
    kind: PaymentKind = PaymentKind.BASE,
    reference: str = "cash",
    beyond_earned: bool = False,
) -> Payment:
    return enter_outside_payment(
        rater=rater,
        kind=kind,
        amount=Decimal("0.10"),
        reference=reference,
        note="",
        actor=cast.users["owner"],
        beyond_earned=beyond_earned,
    )


@pytest.mark.parametrize("end", [PaymentState.CONFIRMED, PaymentState.FAILED, PaymentState.IN_DOUBT])
def test_the_reference_stays_with_a_payment_until_it_is_tried_again(cast, end):
    worked(cast, 30)
    sent(cast)
    change(cast, Payment.objects.get(), end)
    assert with_state(Payment.objects.all()).get().reference == "transfer 1"
    if end == PaymentState.FAILED:
        change(cast, Payment.objects.get(), PaymentState.APPROVED)
        assert with_state(Payment.objects.all()).get().reference == ""


@pytest.mark.parametrize("kind", [PaymentKind.BASE, PaymentKind.BONUS])
def test_what_a_list_paid_is_not_entered_again_under_its_reference(cast, kind):
    rater = worked(cast, 30)
    change(cast, Payment.objects.filter(payment_list=sent(cast)).get(), PaymentState.CONFIRMED)
    with pytest.raises(NotAllowedNow) as refused:
        outside(cast, rater, kind, reference="Transfer 1", beyond_earned=True)
    assert (refused.value.code, Payment.objects.count()) == ("already_entered", 1)


@pytest.mark.parametrize("kind", [PaymentKind.BASE, PaymentKind.TOP_UP, PaymentKind.BONUS])
def test_more_than_a_rater_earned_is_entered_only_when_it_is_confirmed(cast, kind):
    rater = worked(cast, 30)
    change(cast, Payment.objects.filter(payment_list=sent(cast)).get(), PaymentState.CONFIRMED)
    with pytest.raises(NotAllowedNow) as refused:
        outside(cast, rater, kind)
    earned = "0.00 EUR" if kind == PaymentKind.BONUS else "0.10 EUR"
    assert (refused.value.code, Payment.objects.count()) == ("beyond_earned", 1)
    assert f"has earned {earned} of this kind, and the ledger has payments of {earned}." in str(refused.value)
    outside(cast, rater, kind, beyond_earned=True)
    assert states(cast.study) == {"confirmed": 2}


def test_one_outside_transfer_can_be_for_pay_and_a_bonus(cast):
    rater = worked(cast, 30)
    grant_bonus(rater=rater, amount=Decimal("0.10"), note="", actor=cast.users["owner"])
    outside(cast, rater)
    outside(cast, rater, PaymentKind.BONUS)
    assert states(cast.study) == {"confirmed": 2}


@pytest.mark.parametrize(
    ("state", "usual", "last"),
    [
        ("due", "approved", "cancelled"),
        ("approved", "sent", "cancelled"),
        ("sent", "confirmed", "in_doubt"),
        ("in_doubt", "confirmed", "failed"),
        ("failed", "approved", "cancelled"),
    ],
)
def test_the_usual_next_state_of_a_payment_is_offered_first(state, usual, last):
    offered = following(state)
    assert (offered[0], offered[-1]) == (usual, last)


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
    outside(cast, rater, PaymentKind.BONUS, beyond_earned=True)
    assert listed.payments.filter(rater=other).count() == 1


@pytest.mark.parametrize("state", [PaymentState.CANCELLED, PaymentState.CONFIRMED])
def test_after_a_cancelled_or_confirmed_payment_one_can_be_entered(cast, state):
    rater = worked(cast, 30)
    mark(cast, made(cast) if state == PaymentState.CANCELLED else sent(cast), state)
    outside(cast, rater, beyond_earned=state == PaymentState.CONFIRMED)
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
