"""An excluded rater is given nothing more, and what comes in all the same fills no seat."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import Response, Seat
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


def answer(page) -> Response:
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "4", "creativity": "3"})
    return submit(assignment=page, version=page.version, submission=submission).response


def test_what_an_excluded_rater_holds_goes_to_others(cast):
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    exclude_rater(rater=rater, reason="a bot", actor=cast.users["owner"])
    assert not Seat.objects.exclude(state=SeatState.FREE).exists()
    with pytest.raises(NotAllowedNow) as refused:
        next_assignment(rater=rater)
    assert refused.value.code == "rater_excluded"
    late = answer(page)
    assert (late.late, Seat.objects.filter(state=SeatState.FILLED).count()) == (True, 0)


def test_when_the_exclusion_is_lifted_the_rater_goes_on(cast):
    rater = consent(invitation=cast.invitation)
    exclusion = exclude_rater(rater=rater, reason="a mistake", actor=cast.users["owner"])
    lift_exclusion(exclusion=exclusion, reason="A slip.", actor=cast.users["owner"])
    assert not answer(next_assignment(rater=rater)).late
