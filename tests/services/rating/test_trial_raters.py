"""A member who tries the task is never taken for a rater whose answers were imported."""

from __future__ import annotations

import pytest

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import RaterState
from annotation.models import Rater, RaterKind
from annotation.services.rating.enrolment import trial_rater
from annotation.services.rating.withdrawal import withdraw
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def imported(cast: Cast) -> Rater:
    """A rater that an earlier version imported under the code of the researcher's trial."""
    code = f"T-{cast.users['researcher'].pk}"
    return Rater.objects.create(study=cast.study, code=code, state=RaterState.FINISHED)


def test_a_trial_has_a_code_of_its_own_next_to_an_imported_rater(cast, imported):
    trial = trial_rater(study=cast.study, user=cast.users["researcher"])
    assert (trial.kind, trial.code) == (RaterKind.TRIAL, f"{imported.code}-trial")
    assert trial_rater(study=cast.study, user=cast.users["researcher"]) == trial


def test_a_trial_stays_the_same_rater(cast):
    trial = trial_rater(study=cast.study, user=cast.users["researcher"])
    assert trial_rater(study=cast.study, user=cast.users["researcher"]) == trial
    assert trial.code == f"T-{cast.users['researcher'].pk}"


def test_the_api_shows_a_member_their_trial_and_withdraws_no_one(cast, imported):
    client = cast.client("researcher")
    shown = client.get(f"/api/v1/rate/{cast.slug}/").json()
    assert (shown["trial"], shown["rater"]) == (True, f"{imported.code}-trial")
    client.post(f"/api/v1/rate/{cast.slug}/withdraw/")
    imported.refresh_from_db()
    assert imported.state == RaterState.FINISHED


def test_the_page_of_a_member_withdraws_no_one(cast, imported, client):
    client.force_login(cast.users["researcher"])
    client.post(f"/rate/{cast.slug}/withdraw/")
    imported.refresh_from_db()
    assert imported.state == RaterState.FINISHED


def test_no_one_withdraws_for_an_imported_rater(imported):
    with pytest.raises(NotAllowedNow) as refused:
        withdraw(rater=imported)
    assert refused.value.code == "rater_imported"
    imported.refresh_from_db()
    assert imported.state == RaterState.FINISHED
