"""Admins who act at the same moment: nothing is listed, approved, sent or entered twice."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import RaterState
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.domain.pay.wages import BonusLayout, PayFor
from annotation.models import Payment, PaymentEntry, PaymentList, Rater, Study
from annotation.services.pay.budget import set_budget
from annotation.services.pay.payment_files import export_payments
from annotation.services.pay.payment_lists import approve_payments, make_payment_list, mark_list
from annotation.services.pay.single_payments import change_payment, enter_outside_payment
from annotation.services.rating.enrolment import consent
from tests.concurrency.simultaneous import at_once
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import approved, made, pay, seen, sent, states, total, worked

pytestmark = pytest.mark.django_db(transaction=True)
ADMINS = ("owner", "admin", "owner", "admin")


def outcome(act: Callable[[], object]) -> str:
    try:
        act()
    except GroundworkError as refusal:
        return refusal.code
    return "done"


def outcomes(act: Callable[..., object], cast: Cast, **given: object) -> list[str]:
    """What becomes of an act that four admins do at once."""
    acts = [partial(outcome, partial(act, actor=cast.users[who], **given)) for who in ADMINS]
    return sorted(at_once(acts))


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=4, overlap=3)
    pay(cast)
    worked(cast, 30, 30), worked(cast, 30)
    return cast


def test_of_four_lists_at_once_one_is_made(cast: Cast) -> None:
    study = Study.objects.get(pk=cast.study.pk)
    assert outcomes(make_payment_list, cast, study=study) == ["done", *["nothing_due"] * 3]
    assert (PaymentList.objects.count(), Payment.objects.count()) == (1, 2)


def test_of_four_approvals_at_once_one_counts(cast: Cast) -> None:
    listed = made(cast)
    found = outcomes(approve_payments, cast, payment_list=listed, total=total(listed))
    assert found == ["done", *["nothing_to_approve"] * 3]
    assert PaymentEntry.objects.filter(state="approved").count() == 2


def test_what_is_sent_by_four_at_once_is_sent_once(cast: Cast) -> None:
    listed, to = approved(cast), PaymentState.SENT
    given = {"to": to, "reference": "T-1", **seen(listed, to)}
    assert outcomes(mark_list, cast, payment_list=listed, **given) == ["done", *["nothing_to_change"] * 3]
    assert PaymentEntry.objects.filter(state="sent").count() == 2


def test_a_payment_is_confirmed_or_failed_and_never_both(cast: Cast) -> None:
    sent(cast)
    payment, owner = Payment.objects.earliest("pk"), cast.users["owner"]
    change = partial(change_payment, payment=payment, seen=PaymentState.SENT, attempt=1, actor=owner)
    acts = [
        partial(outcome, partial(change, to=to)) for to in (PaymentState.CONFIRMED, PaymentState.FAILED) * 2
    ]
    assert sorted(at_once(acts)) == [*["changed_elsewhere"] * 3, "done"]
    assert sum(states(cast.study).values()) == 2


def test_of_four_downloads_at_once_those_of_one_member_go_through(cast: Cast) -> None:
    given = {"payment_list": approved(cast), "layout": BonusLayout.TABLE, "with_ids": False}
    assert outcomes(export_payments, cast, **given) == ["done"] * 2 + ["downloaded_before"] * 2


def test_an_outside_payment_that_two_enter_is_entered_once(cast: Cast) -> None:
    given = {"kind": PaymentKind.BASE, "amount": Decimal("0.20"), "reference": "cash 7", "note": ""}
    rater = Rater.objects.select_related("study").get(pk=Rater.objects.filter(user=None).earliest("pk").pk)
    assert outcomes(enter_outside_payment, cast, rater=rater, **given) == ["already_entered"] * 3 + ["done"]
    assert Payment.objects.count() == 1


def test_a_budget_for_two_admits_two_of_four_who_join_at_once() -> None:
    cast = make_cast(items=4, overlap=8)
    Rater.objects.filter(study=cast.study).update(state=RaterState.WITHDRAWN)
    pay(cast, "1.00", paid_for=PayFor.RATER)
    set_budget(study=cast.study, actor=cast.users["owner"], budget=Decimal("2.50"))
    acts = [partial(outcome, partial(consent, invitation=cast.invitation)) for _ in range(4)]
    assert sorted(at_once(acts)) == ["budget_used", "budget_used", "done", "done"]
