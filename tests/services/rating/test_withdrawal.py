"""Who withdraws has left once and for good: promises are fulfilled, and others are given the items."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.states import SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import (
    AuditEntry,
    Exclusion,
    PlatformIdentity,
    Rater,
    Response,
    Seat,
    Study,
    Withdrawal,
)
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.progress import coverage, totals
from annotation.services.people.invitations import invite
from annotation.services.quality.exclusions import lift_exclusion
from annotation.services.rating.enrolment import consent, find_person
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from tests.support.people import Cast, invited, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


def set_policy(cast: Cast, what: Withdrawal) -> None:
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=what)


def rated(cast: Cast, number: int) -> Rater:
    rater = consent(invitation=cast.invitation)
    for _ in range(number):
        page = next_assignment(rater=rater)
        answers = {"quality": "4", "creativity": "3"}
        submit(
            assignment=page,
            version=page.version,
            submission=Submission(page_key=uuid.uuid4(), answers=answers),
        )
    return rater


def test_withdrawing_again_changes_nothing(cast):
    set_policy(cast, Withdrawal.EXCLUDE)
    rater = rated(cast, 1)
    client = invited(rater.invitation.token)
    for _ in range(3):
        assert client.post(f"/api/v1/rate/{cast.slug}/withdraw/").status_code == 200
    assert Exclusion.objects.filter(rater=rater).count() == 1
    assert AuditEntry.objects.filter(act="withdraw").count() == 1


def test_no_one_lets_withdrawn_answers_count_again(cast):
    set_policy(cast, Withdrawal.EXCLUDE)
    withdraw(rater=rated(cast, 1))
    with pytest.raises(NotAllowedNow) as refused:
        lift_exclusion(exclusion=Exclusion.objects.get(), reason="", actor=cast.users["owner"])
    assert refused.value.code == "withdrawn_stays"
    assert all(row["excluded"] for row in long_ratings(cast.study))


@pytest.mark.parametrize("what", [Withdrawal.EXCLUDE, Withdrawal.ERASE])
def test_items_whose_answers_no_longer_count_are_given_to_others(cast, what):
    set_policy(cast, what)
    withdraw(rater=rated(cast, 3))
    assert (totals(cast.study).saved, totals(cast.study).left) == (0, 3)
    rated(cast, 3)
    assert [(cover.responses, cover.items) for cover in coverage(cast.study)[0].covers] == [(1, 3)]
    assert totals(cast.study).left == 0


def test_answers_that_stay_in_the_study_keep_their_seats(cast):
    set_policy(cast, Withdrawal.KEEP)
    withdraw(rater=rated(cast, 2))
    assert Seat.objects.filter(state=SeatState.FILLED).count() == Response.objects.count() == 2


def test_erasing_leaves_nothing_that_says_who_it_was_and_still_knows_them_again(cast):
    set_policy(cast, Withdrawal.ERASE)
    link = invite(study=cast.study, actor=cast.users["admin"], platform=Platform.PROLIFIC)
    entry = Entry(Platform.PROLIFIC, "person-one", "task", "session")
    rater = consent(invitation=link, user=cast.users["stranger"], entry=entry)
    withdraw(rater=rater)
    rater.refresh_from_db()
    stored = PlatformIdentity.objects.values().get(rater=rater)
    assert "person-one" not in str(stored)
    assert (stored["task"], stored["session"], rater.user, rater.join_key) == ("", "", None, None)
    assert find_person(study=cast.study, entry=entry) == rater
    assert find_person(study=cast.study, entry=Entry(Platform.PROLIFIC, "person-two")) is None
    with pytest.raises(NotAllowedNow) as refused:
        consent(invitation=link, entry=entry)
    assert refused.value.code == "rater_withdrawn"
