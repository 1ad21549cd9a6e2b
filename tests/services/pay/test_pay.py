"""Pay and time: what was worked, what it earns in an hour, what it costs, who is owed what."""

from __future__ import annotations

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import RaterState, StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Bonus, Pay, Rater, Response, Study
from annotation.selectors.pay.costs import pay_figures
from annotation.selectors.pay.paid_work import rater_times
from annotation.services.pay.bonuses import grant_bonus
from annotation.services.pay.pay_settings import set_pay
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=4, overlap=3)


def figures(cast: Cast):
    return pay_figures(Study.objects.get(pk=cast.study.pk), Pay.objects.filter(study=cast.study).first())


def test_without_settings_there_is_time_and_no_money(cast):
    worked(cast, 20, 30, 40)
    found = figures(cast)
    assert (found.raters, found.pages, found.page_seconds, found.sitting_seconds) == (1, 3, 30, 90)
    assert (found.paid, found.cost, found.bonuses) == (None, None, ())


def test_before_anybody_has_worked_the_reason_is_given_and_the_whole_cost_is_known(cast):
    pay(cast, page_seconds=30)
    found = figures(cast)
    assert (found.paid.per_hour, found.paid.reason) == (None, "nobody_yet")
    assert (found.page_seconds, found.sitting_seconds) == (None, None)
    assert found.estimated_per_hour == Decimal("12.00")
    # 4 items × 3 ratings at 0.10
    assert (found.cost, found.expected) == (Decimal("0.00"), Decimal("1.20"))


def test_a_draft_knows_its_cost_from_its_forms():
    cast = make_cast(items=4, overlap=3, opened=False)
    pay(cast)
    assert figures(cast).expected == Decimal("1.20")


def test_pay_by_the_page_is_held_against_the_floor(cast):
    pay(cast, floor=Decimal(12))
    quick, slow = worked(cast, 20, 20), worked(cast, 60, 60)
    found = figures(cast)
    # 0.20 for 40 s is 18.00 an hour, for 120 s it is 6.00; the median of both is 12.00.
    assert found.paid.per_hour == Decimal("12.00")
    assert found.paid.raters_under_floor == (slow.code,)
    assert quick.code not in found.paid.raters_under_floor
    assert found.cost == Decimal("0.40")
    # 12.00 an hour for 120 s is 0.40, of which 0.20 is paid.
    assert [(row.rater, row.amount, row.reason) for row in found.bonuses] == [
        (slow.code, Decimal("0.20"), "top_up")
    ]
    assert found.expected == Decimal("1.20")


def test_a_sitting_that_may_go_on_is_not_paid_yet(cast):
    pay(cast, "1.00", paid_for=PayFor.SITTING)
    rater = worked(cast, 30, 30)
    worked(cast, 30, ended=1, rater=rater)
    found = figures(cast)
    assert (found.cost, found.pages, found.sitting_seconds) == (Decimal("1.00"), 3, 60)
    # One sitting of 2 pages cost 1.00; 1 page is not paid yet, 9 seats are open.
    assert found.expected == Decimal("6.00")


def test_who_is_paid_once_is_paid_when_done_however_many_sittings_it_took(cast):
    pay(cast, "2.00", paid_for=PayFor.RATER)
    done, _ = worked(cast, 30, 30, ended=300), worked(cast, 30)
    worked(cast, 30, 30, rater=done)
    assert figures(cast).paid.reason == "nobody_yet"
    Rater.objects.filter(pk=done.pk).update(state=RaterState.FINISHED)
    found = figures(cast)
    assert (found.paid.sittings, found.cost) == (1, Decimal("2.00"))
    assert found.paid.per_hour == Decimal("60.00")


def test_a_closed_study_pays_those_who_did_not_get_to_the_end(cast):
    pay(cast, "2.00", paid_for=PayFor.RATER)
    worked(cast, 30)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    found = figures(cast)
    assert (found.cost, found.expected) == (Decimal("2.00"), Decimal("2.00"))


def test_a_page_left_open_counts_for_half_an_hour_at_most(cast):
    pay(cast, floor=Decimal(12))
    worked(cast, 30_000)
    found = figures(cast)
    assert found.page_seconds == 1800
    assert found.bonuses[0].amount == Decimal("5.90")


def test_the_servers_time_is_used_where_no_browser_sent_one(cast):
    pay(cast)
    rater = worked(cast, 20)
    Response.objects.filter(assignment__rater=rater).update(active_seconds=None)
    assert figures(cast).page_seconds == 60


def test_simulated_raters_and_trials_earn_nothing(cast):
    pay(cast)
    rater = worked(cast, 20)
    Rater.objects.filter(pk=rater.pk).update(simulated=True)
    worked(cast, 20, rater=trial_rater(study=cast.study, user=cast.users["admin"]))
    assert (figures(cast).raters, figures(cast).cost) == (0, Decimal("0.00"))


def test_pages_without_times_are_paid_and_have_no_hourly_rate(cast):
    pay(cast)
    rater = worked(cast, 20)
    Response.objects.filter(assignment__rater=rater).update(active_seconds=None, seconds=None)
    found = figures(cast)
    assert (found.cost, found.paid.per_hour, found.paid.reason) == (Decimal("0.10"), None, "no_time")


def test_a_bonus_is_granted_changed_and_taken_away_on_record(cast):
    pay(cast, floor=Decimal(12))
    rater = worked(cast, 60, 60)
    owner = cast.users["owner"]
    grant_bonus(rater=rater, amount=Decimal("1.00"), note="", actor=owner)
    grant_bonus(rater=rater, amount=Decimal("0.50"), note="for patience", actor=owner)
    row = figures(cast).bonuses[0]
    assert (row.amount, row.reason) == (Decimal("0.70"), "top_up+bonus")
    assert Bonus.objects.get().note == "for patience"
    assert grant_bonus(rater=rater, amount=Decimal(0), note="", actor=owner) is None
    assert not Bonus.objects.exists()
    assert AuditEntry.objects.filter(act="grant_bonus").count() == 3


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"currency": "euro"}, "currency"),
        ({"amount": Decimal(-1)}, "amount"),
        ({"floor": Decimal(0)}, "floor"),
        ({"page_seconds": 0.0}, "page_seconds"),
    ],
)
def test_pay_that_cannot_be_is_refused_and_nothing_stored(cast, fields, wrong):
    with pytest.raises(InvalidContent) as refused:
        pay(cast, **fields) if "amount" not in fields else pay(cast, str(fields["amount"]))
    assert list(refused.value.fields) == [wrong]
    assert not Pay.objects.exists()


@pytest.mark.parametrize(
    "change", [{"amount": Decimal("0.01")}, {"currency": "USD"}, {"paid_for": PayFor.RATER}]
)
def test_pay_that_was_shown_to_raters_is_not_taken_back(cast, change):
    shown_pay: dict[str, Any] = {
        "currency": "EUR",
        "paid_for": PayFor.PAGE,
        "amount": Decimal("0.1"),
        "shown": True,
    }
    given: dict[str, Any] = {"study": cast.study, "actor": cast.users["admin"]}
    set_pay(**given, **shown_pay)
    consent(invitation=cast.invitation)
    with pytest.raises(NotAllowedNow) as caught:
        set_pay(**given, **{**shown_pay, **change})
    assert caught.value.code == "pay_was_told"
    assert set_pay(**given, **{**shown_pay, "amount": Decimal("0.2")}).amount == Decimal("0.2")


def test_a_bonus_needs_a_currency_and_a_person(cast):
    rater, owner = worked(cast, 20), cast.users["owner"]
    with pytest.raises(NotAllowedNow) as refused:
        grant_bonus(rater=rater, amount=Decimal(1), note="", actor=owner)
    assert refused.value.code == "no_pay"
    trial = trial_rater(study=cast.study, user=owner)
    with pytest.raises(InvalidContent):
        grant_bonus(rater=trial, amount=Decimal(1), note="", actor=owner)


def test_pages_open_at_the_same_time_are_paid_for_the_time_that_passed():
    cast = make_cast(items=6, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(design="batches", batch_size=6)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = consent(invitation=cast.invitation)
    next_assignment(rater=rater)
    rater.assignments.update(opened_at=timezone.now() - timedelta(minutes=20))
    for page in rater.assignments.select_related("rater__study", "form", "version", "seat"):
        answers = {"quality": "4", "creativity": "3"}
        submission = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=submission)
    (time,) = (one for one in rater_times(cast.study) if one.rater == rater.code)
    (sitting,) = time.sittings
    assert sitting.pages == 6
    assert sitting.seconds == pytest.approx(1200, abs=30)


def test_a_correction_adds_its_own_time_and_no_page(cast):
    rater = worked(cast, 60, 30)
    first = Response.objects.filter(assignment__rater=rater).order_by("submitted_at").first()
    assert first is not None
    assert first.submitted_at is not None
    Response.objects.filter(pk=first.pk).update(current=False)
    later = first.submitted_at + timedelta(minutes=10)
    Response.objects.create(
        assignment=first.assignment,
        version=first.version,
        revision=2,
        submission_key=uuid.uuid4(),
        submitted_at=later,
        active_seconds=75,
    )
    (time,) = rater_times(cast.study)
    assert [(one.pages, one.seconds) for one in time.sittings] == [(2, 60 + 30 + 15)]
    assert sorted(time.page_seconds) == [30, 75]


def test_at_closing_no_rater_who_has_withdrawn_is_paid_for_the_whole(cast):
    pay(cast, amount="5.00", paid_for=PayFor.RATER)
    stayed, gone = worked(cast, 60), worked(cast, 60)
    withdraw(rater=gone)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert {one.rater: one.finished for one in rater_times(Study.objects.get(pk=cast.study.pk))} == {
        stayed.code: True,
        gone.code: False,
    }
    assert figures(cast).cost == Decimal("5.00")
