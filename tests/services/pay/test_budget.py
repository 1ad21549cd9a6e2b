"""The budget: what is spent, committed and left, and the stop for new raters."""

from __future__ import annotations

from decimal import Decimal

import pytest

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import RaterState
from annotation.domain.pay.budget import Budget
from annotation.domain.pay.payment_states import PaymentState
from annotation.domain.pay.wages import PayFor
from annotation.models import AuditEntry, Pay, Rater, Study
from annotation.selectors.pay.budget import budget_of
from annotation.selectors.people.of_study import begun_raters
from annotation.services.pay.admission import Admission, admission_to, check_budget
from annotation.services.pay.budget import set_budget
from annotation.services.rating.enrolment import check_capacity, consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.withdrawal import withdraw
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import mark, pay, sent, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """A study in which no rater is at work."""
    cast = make_cast(items=4, overlap=3)
    Rater.objects.filter(study=cast.study).update(state=RaterState.WITHDRAWN)
    return cast


def budget(cast: Cast, amount: str | None) -> None:
    set_budget(
        study=cast.study, actor=cast.users["owner"], budget=None if amount is None else Decimal(amount)
    )


def computed(cast: Cast) -> Budget:
    return budget_of(Study.objects.get(pk=cast.study.pk), Pay.objects.get(), newcomer_pages=4)


def joins(cast: Cast) -> bool:
    try:
        consent(invitation=cast.invitation)
    except NoSeatLeft:
        return False
    return True


def test_what_is_spent_owed_and_reserved_adds_up(cast):
    pay(cast)
    budget(cast, "2.00")
    worked(cast, 30, 30)
    sent(cast)
    worked(cast, 30)
    found = computed(cast)
    # 2 pages sent, 1 page owed, 2 and 3 pages to come of raters who have begun; 9 of 12 slots are open.
    assert (found.spent, found.owed, found.reserved) == (Decimal("0.20"), Decimal("0.10"), Decimal("0.50"))
    assert (found.left, found.to_finish, found.missing) == (Decimal("1.20"), Decimal("0.90"), Decimal(0))


def test_a_payment_in_doubt_counts_as_spent_and_a_failed_one_as_owed(cast):
    pay(cast)
    worked(cast, 30)
    listed = sent(cast)
    mark(cast, listed, PaymentState.IN_DOUBT)
    assert (computed(cast).spent, computed(cast).owed) == (Decimal("0.10"), Decimal(0))


def test_no_rater_is_admitted_that_the_budget_does_not_pay(cast):
    pay(cast)
    budget(cast, "0.85")
    assert [joins(cast) for _ in range(4)] == [True, True, False, False]
    assert begun_raters(cast.study).exclude(state=RaterState.WITHDRAWN).count() == 2
    with pytest.raises(NoSeatLeft) as refused:
        check_capacity(invitation=cast.invitation, study=Study.objects.get(pk=cast.study.pk))
    assert refused.value.code == "budget_used"


def test_who_joins_while_the_budget_is_computed_is_counted_once(cast):
    """The count came before the rater joined, the sums after: the budget still pays for another."""
    pay(cast, "1.00", paid_for=PayFor.RATER)
    budget(cast, "2.50")
    before = begun_raters(cast.study).count()
    assert joins(cast)
    study = Study.objects.get(pk=cast.study.pk)
    mixed = Admission(admission_to(study=study, panel=None).budget, before)
    check_budget(study=study, admission=mixed)
    assert joins(cast)
    mixed = Admission(admission_to(study=study, panel=None).budget, before)
    with pytest.raises(NoSeatLeft):
        check_budget(study=study, admission=mixed)


def test_who_has_begun_goes_on_whatever_the_budget(cast):
    pay(cast)
    rater = worked(cast, 30)
    budget(cast, "0.00")
    assert not joins(cast)
    worked(cast, 30, rater=rater)
    assert next_assignment(rater=rater) is not None


def test_a_budget_for_all_slots_admits_everybody(cast):
    pay(cast)
    budget(cast, "1.20")
    assert all(joins(cast) for _ in range(5))


def test_a_rater_who_withdraws_makes_room_for_another(cast):
    pay(cast, "1.00", paid_for=PayFor.RATER)
    budget(cast, "1.00")
    assert joins(cast)
    assert not joins(cast)
    withdraw(rater=begun_raters(cast.study).exclude(state=RaterState.WITHDRAWN).get())
    assert joins(cast)


def test_without_a_budget_nothing_is_refused(cast):
    pay(cast)
    budget(cast, "0.00")
    budget(cast, None)
    assert joins(cast)
    assert AuditEntry.objects.filter(act="set_budget").count() == 2


@pytest.mark.parametrize("amount", ["-1", "1000000001"])
def test_a_budget_that_cannot_be_is_refused(cast, amount):
    pay(cast)
    with pytest.raises(InvalidContent):
        budget(cast, amount)
    assert Pay.objects.get().budget is None


def test_a_budget_needs_a_currency(cast):
    with pytest.raises(NotAllowedNow) as refused:
        budget(cast, "1")
    assert refused.value.code == "no_pay"
