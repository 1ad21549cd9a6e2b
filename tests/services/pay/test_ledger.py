"""The ledger: a list is made and paid once, entries are only added, nothing in doubt is sent again."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.domain.base.errors import FileRefused, InvalidContent, NotAllowedNow
from annotation.domain.base.states import RaterState, StudyState
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.domain.pay.wages import PayFor
from annotation.models import (
    AuditEntry,
    EarnedBefore,
    Exclusion,
    LedgerRowError,
    Payment,
    PaymentEntry,
    PaymentList,
    Rater,
    Study,
    Withdrawal,
)
from annotation.selectors.pay.costs import pay_figures, pay_of
from annotation.selectors.pay.payments import with_state
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.pay.bonuses import grant_bonus
from annotation.services.pay.pay_settings import set_pay
from annotation.services.pay.payment_lists import approve_payments, make_payment_list
from annotation.services.pay.payment_results import import_payment_results
from annotation.services.pay.single_payments import change_payment, enter_outside_payment
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, change, made, mark, pay, sent, states, total, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=4, overlap=3)


def amounts(payment_list: PaymentList) -> list[tuple[str, str, int]]:
    return list(payment_list.payments.values_list("rater__code", "kind", "amount"))


def payment(**known: object) -> Payment:
    found: Payment = with_state(Payment.objects.all()).get(**known)
    return found


def test_a_list_has_pay_top_ups_and_bonuses_in_the_smallest_units(cast):
    pay(cast, floor=Decimal(12))
    quick, slow = worked(cast, 20, 20), worked(cast, 60, 60)
    grant_bonus(rater=quick, amount=Decimal("1.50"), note="", actor=cast.users["owner"])
    assert amounts(made(cast)) == [
        (quick.code, "base", 20),
        (quick.code, "bonus", 150),
        (slow.code, "base", 20),
        (slow.code, "top_up", 20),
    ]
    assert states(cast.study) == {"due": 4}


def test_a_second_list_has_only_what_was_earned_since(cast):
    pay(cast)
    rater = worked(cast, 30, 30)
    made(cast)
    with pytest.raises(NotAllowedNow) as refused:
        made(cast)
    assert refused.value.code == "nothing_due"
    worked(cast, 30, rater=rater)
    assert amounts(made(cast)) == [(rater.code, "base", 10)]
    assert list(Payment.objects.values_list("kind", "number")) == [("base", 1), ("base", 2)]


def test_a_top_up_that_was_paid_counts_towards_later_pay(cast):
    pay(cast, floor=Decimal(12))
    rater = worked(cast, 60)
    assert amounts(made(cast)) == [(rater.code, "base", 10), (rater.code, "top_up", 10)]
    worked(cast, 1, 1, ended=60, rater=rater)
    # 0.30 for 62 s is more than the minimum, and 0.20 of it is paid.
    assert amounts(made(cast)) == [(rater.code, "base", 20)]


def test_bonuses_alone_can_be_listed_where_a_platform_pays_the_rest(cast):
    pay(cast)
    rater = worked(cast, 30)
    grant_bonus(rater=rater, amount=Decimal(1), note="", actor=cast.users["owner"])
    listed = make_payment_list(
        study=cast.study, actor=cast.users["owner"], kinds=[PaymentKind.TOP_UP, PaymentKind.BONUS]
    )
    assert amounts(listed) == [(rater.code, "bonus", 100)]


def test_a_currency_without_cents_is_paid_in_whole_units(cast):
    pay(cast, "12.5", currency="JPY")
    rater = worked(cast, 30)
    assert amounts(made(cast)) == [(rater.code, "base", 13)]


def test_late_answers_of_who_did_not_finish_are_paid_as_the_pay_defines(cast):
    pay(cast, "2.00", paid_for=PayFor.RATER)
    rater = worked(cast, 30)
    with pytest.raises(NotAllowedNow):
        made(cast)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert amounts(made(cast)) == [(rater.code, "base", 200)]


def test_a_list_is_approved_once_for_the_amount_that_was_seen(cast):
    pay(cast)
    worked(cast, 30)
    listed, owner = made(cast), cast.users["owner"]
    with pytest.raises(InvalidContent) as refused:
        approve_payments(payment_list=listed, actor=owner, total=Decimal("0.11"))
    assert (refused.value.code, states(cast.study)) == ("other_total", {"due": 1})
    approve_payments(payment_list=listed, actor=owner, total=Decimal("0.1"))
    with pytest.raises(NotAllowedNow) as again:
        approve_payments(payment_list=listed, actor=owner, total=Decimal("0.1"))
    assert again.value.code == "nothing_to_approve"
    entry = PaymentEntry.objects.get(state="approved")
    assert (entry.actor, entry.previous, entry.number) == (owner, "due", 2)
    assert AuditEntry.objects.get(act="approve_payments").detail["total"] == "0.10 EUR"


def test_a_list_is_sent_once_with_a_reference_and_confirmed(cast):
    pay(cast)
    worked(cast, 30)
    listed = approved(cast)
    with pytest.raises(InvalidContent):
        mark(cast, listed, PaymentState.SENT)
    mark(cast, listed, PaymentState.SENT, reference="transfer 1")
    with pytest.raises(NotAllowedNow):
        mark(cast, listed, PaymentState.SENT, reference="transfer 2")
    mark(cast, listed, PaymentState.CONFIRMED)
    history = PaymentEntry.objects.order_by("number").values_list("state", "reference")
    assert list(history) == [("due", ""), ("approved", ""), ("sent", "transfer 1"), ("confirmed", "")]
    assert payment().reference == "transfer 1"


@pytest.mark.parametrize("to", [PaymentState.SENT, PaymentState.APPROVED, PaymentState.CANCELLED])
def test_what_is_in_doubt_is_not_sent_again(cast, to):
    pay(cast)
    worked(cast, 30)
    listed = sent(cast)
    mark(cast, listed, PaymentState.IN_DOUBT)
    for act in (
        lambda: change(cast, payment(), to, reference="again"),
        lambda: mark(cast, listed, PaymentState.SENT, reference="again"),
    ):
        with pytest.raises(NotAllowedNow):
            act()
    assert states(cast.study) == {"in_doubt": 1}
    change(cast, payment(), PaymentState.CONFIRMED)


def test_a_failed_payment_is_tried_again_under_the_same_key(cast):
    pay(cast)
    worked(cast, 30)
    sent(cast)
    before = payment()
    change(cast, before, PaymentState.FAILED, note="closed account")
    with pytest.raises(NotAllowedNow):
        made(cast)
    change(cast, before, PaymentState.APPROVED)
    change(cast, before, PaymentState.SENT, reference="transfer 2")
    after = payment()
    assert (after.key, after.attempt, Payment.objects.count()) == (before.key, 2, 1)


def test_a_cancelled_payment_is_due_again_in_the_next_list(cast):
    pay(cast)
    worked(cast, 30)
    mark(cast, made(cast), PaymentState.CANCELLED)
    assert total(made(cast)) == Decimal("0.10")
    assert states(cast.study) == {"cancelled": 1, "due": 1}


def test_a_state_that_is_out_of_date_changes_nothing(cast):
    pay(cast)
    worked(cast, 30)
    sent(cast)
    given = {"payment": payment(), "actor": cast.users["owner"], "seen": PaymentState.SENT, "attempt": 1}
    change_payment(to=PaymentState.CONFIRMED, **given)
    with pytest.raises(NotAllowedNow) as refused:
        change_payment(to=PaymentState.FAILED, **given)
    assert refused.value.code == "changed_elsewhere"


def test_what_was_paid_outside_is_entered_once_and_left_out_of_lists(cast):
    pay(cast)
    rater = worked(cast, 30, 30)
    given: dict[str, Any] = {"rater": rater, "kind": PaymentKind.BASE, "reference": "cash 7", "note": ""}
    enter_outside_payment(**given, amount=Decimal("0.15"), actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refused:
        enter_outside_payment(**given, amount=Decimal("0.15"), actor=cast.users["owner"])
    assert refused.value.code == "already_entered"
    assert amounts(made(cast)) == [(rater.code, "base", 5)]
    assert states(cast.study) == {"confirmed": 1, "due": 1}


@pytest.mark.parametrize("change", [{"amount": Decimal(0)}, {"reference": " "}, {"note": "x" * 201}])
def test_an_outside_payment_that_cannot_be_stores_nothing(cast, change):
    pay(cast)
    given = {"rater": worked(cast, 30), "kind": PaymentKind.BASE, "reference": "cash 7", "note": ""}
    with pytest.raises(InvalidContent) as refused:
        enter_outside_payment(**{**given, "amount": Decimal(1), "actor": cast.users["owner"], **change})
    assert list(refused.value.fields) == list(change)
    assert not Payment.objects.exists()


def test_rows_of_the_ledger_are_neither_changed_nor_deleted(cast):
    pay(cast)
    worked(cast, 30)
    made(cast)
    for rows in (Payment.objects.all(), PaymentEntry.objects.all(), PaymentList.objects.all()):
        one = rows[0]
        for act in (one.save, one.delete, rows.delete, lambda rows=rows: rows.update(pk=1)):
            with pytest.raises(LedgerRowError):
                act()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE annotation_payment SET amount = 1",
        "UPDATE annotation_paymententry SET state = 'approved'",
        "UPDATE annotation_paymententry SET reference = 'other'",
        "UPDATE annotation_paymentlist SET number = 7",
    ],
)
def test_the_database_refuses_changes_past_the_models(cast, statement):
    pay(cast)
    worked(cast, 30)
    made(cast)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "row",
    [
        {"number": 3, "previous": "sent", "state": "sent"},
        {"number": 3, "previous": "in_doubt", "state": "sent"},
        {"number": 2, "previous": "due", "state": "approved"},
        {"number": 3, "previous": "", "state": "due"},
    ],
)
def test_the_database_refuses_entries_that_must_not_be(cast, row):
    pay(cast)
    worked(cast, 30)
    approved(cast)
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentEntry.objects.create(payment=Payment.objects.get(), **row)


def test_the_database_refuses_a_second_sending_of_an_attempt(cast):
    pay(cast)
    worked(cast, 30)
    sent(cast)
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentEntry.objects.create(
            payment=Payment.objects.get(), number=4, previous="approved", state="sent", attempt=1
        )


def test_the_currency_of_the_ledger_stays(cast):
    pay(cast)
    worked(cast, 30)
    made(cast)
    with pytest.raises(NotAllowedNow) as refused:
        pay(cast, currency="USD")
    assert refused.value.code == "currency_in_ledger"
    set_pay(
        study=cast.study,
        actor=cast.users["owner"],
        currency="EUR",
        paid_for=PayFor.PAGE,
        amount=Decimal("0.2"),
    )


def test_excluding_a_rater_does_not_change_what_is_owed(cast):
    pay(cast)
    rater = worked(cast, 30)
    Exclusion.objects.create(study=cast.study, rater=rater, reason="careless")
    assert amounts(made(cast)) == [(rater.code, "base", 10)]


@pytest.mark.parametrize("policy", Withdrawal.values)
def test_what_was_earned_before_a_withdrawal_stays_owed(cast, policy):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=policy)
    pay(cast, floor=Decimal(12))
    rater = worked(cast, 60, 60)
    withdraw(rater=rater)
    withdraw(rater=rater)
    assert amounts(made(cast)) == [(rater.code, "base", 20), (rater.code, "top_up", 20)]
    study = Study.objects.get(pk=cast.study.pk)
    assert pay_figures(study, pay_of(study)).cost == Decimal("0.20")
    assert EarnedBefore.objects.count() == 1


def test_who_had_finished_and_withdraws_is_paid(cast):
    pay(cast, "2.00", paid_for=PayFor.RATER)
    rater = worked(cast, 30)
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.FINISHED)
    withdraw(rater=rater)
    assert amounts(made(cast)) == [(rater.code, "base", 200)]


def test_erasing_a_raters_data_keeps_the_payment_and_deletes_the_notes(cast):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=Withdrawal.ERASE)
    pay(cast)
    rater = worked(cast, 30)
    sent(cast)
    change(cast, payment(), PaymentState.CONFIRMED, note="called Ana Lopez")
    document = personal_data(Rater.objects.get(pk=rater.pk), with_review=False)
    assert document["payments"][0]["history"][-1]["note"] == "called Ana Lopez"
    withdraw(rater=rater)
    assert states(cast.study) == {"confirmed": 1}
    assert not PaymentEntry.objects.exclude(note="").exists()
    assert "Ana Lopez" not in str(list(AuditEntry.objects.values_list("detail", flat=True)))


def results(tmp_path: Path, cast: Cast, listed: PaymentList, *lines: str) -> dict[str, int]:
    path = tmp_path / "results.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return import_payment_results(payment_list=listed, actor=cast.users["owner"], path=path)


def test_results_of_a_file_are_stored_once(cast, tmp_path):
    pay(cast)
    worked(cast, 30), worked(cast, 30)
    listed = sent(cast)
    first, second = (str(one.key) for one in listed.payments.all())
    lines = (
        "payment,amount,attempt,state,reference,note",
        f"{first},0.10,1,confirmed,T-1,",
        f"{second.upper()},0.1,1,failed,,no account",
    )
    assert results(tmp_path, cast, listed, *lines) == {"confirmed": 1, "failed": 1, "unchanged": 0}
    assert results(tmp_path, cast, listed, *lines) == {"confirmed": 0, "failed": 0, "unchanged": 2}
    assert states(cast.study) == {"confirmed": 1, "failed": 1}


def test_a_bad_file_of_results_names_rows_and_columns_and_stores_nothing(cast, tmp_path):
    pay(cast)
    worked(cast, 30), worked(cast, 30)
    listed = sent(cast)
    first, second = (str(one.key) for one in listed.payments.all())
    lines = (
        "payment,amount,attempt,state,reference",
        f"{first},0.10,1,confirmed,T-1",
        f"{first},0.10,1,confirmed,T-1",
        f"{second},7,2,confirmed,{'x' * 121}",
        "nobody,0.10,1,confirmed,T-1",
        f"{second},0.10,1,perhaps,T-1",
    )
    with pytest.raises(FileRefused) as refused:
        results(tmp_path, cast, listed, *lines)
    found = {(one.row, one.column, one.code) for one in refused.value.problems}
    assert found == {
        (3, "payment", "doubled_payment"),
        (4, "amount", "other_amount"),
        (4, "attempt", "other_attempt"),
        (4, "reference", "too_long"),
        (5, "payment", "unknown_payment"),
        (6, "payment", "doubled_payment"),
        (6, "state", "unknown_state"),
    }
    assert states(cast.study) == {"sent": 2}


def test_results_for_what_was_never_sent_are_refused(cast, tmp_path):
    pay(cast)
    worked(cast, 30)
    listed = approved(cast)
    key = listed.payments.get().key
    with pytest.raises(FileRefused) as refused:
        results(tmp_path, cast, listed, "payment,state", f"{key},confirmed")
    assert [(one.row, one.column) for one in refused.value.problems] == [(2, "state")]


def test_a_list_of_another_state_cannot_be_marked(cast):
    pay(cast)
    worked(cast, 30)
    with pytest.raises(NotAllowedNow) as refused:
        mark(cast, made(cast), PaymentState.CONFIRMED)
    assert refused.value.code == "nothing_to_change"
