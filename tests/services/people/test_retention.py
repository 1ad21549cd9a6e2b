"""What a study promises to erase after its closing is erased then, not before, and nothing else."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.models import (
    AuditEntry,
    DemographicAnswer,
    DemographicQuestion,
    Invitation,
    Job,
    PlatformIdentity,
    Rater,
    Study,
    User,
)
from annotation.selectors.people.retention import PERIODS, due_periods
from annotation.services.base.jobs import claim
from annotation.services.people import retention
from annotation.services.people.demographics import set_questions
from annotation.services.people.invitations import invite
from annotation.services.people.nightly import request_nightly, run_nightly
from annotation.services.people.personal_links import create_personal_links
from annotation.services.people.retention import erase_expired, set_retention
from annotation.services.rating.enrolment import consent
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_next
from tests.support.people import Cast, make_cast

NOW = timezone.now()


@pytest.fixture
def cast(db) -> Cast:
    cast = make_cast(items=2, overlap=1)
    rater = Rater.objects.get(study=cast.study)
    question = DemographicQuestion.objects.create(
        study=cast.study, key="age", text="How old are you?", kind="number"
    )
    DemographicAnswer.objects.create(rater=rater, question=question, value="41", answered_at=NOW)
    PlatformIdentity.objects.create(
        rater=rater,
        study=cast.study,
        invitation=cast.invitation,
        platform=Platform.PROLIFIC.value,
        person="5f2c",
        task="t",
        session="s",
    )
    return cast


def periods(about: int | None = None, ids: int | None = None, activity: int | None = None):
    return dict(zip(PERIODS, (about, ids, activity), strict=True))


def keep(cast: Cast, **days: int | None) -> Study:
    return set_retention(study=cast.study, actor=cast.users["owner"], periods=periods(**days))


def closed(cast: Cast, days_ago: float) -> Study:
    study = change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    Study.objects.filter(pk=study.pk).update(closed_at=NOW - timedelta(days=days_ago))
    study.refresh_from_db()
    return study


@pytest.mark.pure
@given(
    days=st.integers(0, 1000) | st.none(),
    since=st.integers(0, 1000),
    state=st.sampled_from(list(StudyState)),
)
def test_a_period_has_ended_only_so_many_days_after_the_study_was_closed(days, since, state):
    study = Study(state=state, keep_ids_days=days, closed_at=NOW - timedelta(days=since))
    ended = state == StudyState.CLOSED and days is not None and since >= days
    assert due_periods(study, NOW) == (["keep_ids_days"] if ended else [])


def test_answers_about_the_person_go_when_their_time_has_come_and_ids_stay(cast):
    keep(cast, about=30, ids=90)
    study = closed(cast, 31)
    assert erase_expired(study=study, now=NOW) == {"keep_about_days": 1}
    assert not DemographicAnswer.objects.exists()
    assert PlatformIdentity.objects.get().person == "5f2c"
    assert AuditEntry.objects.filter(study=study, act="erase_expired").count() == 1


def test_who_raters_are_is_erased_once_and_a_keyed_hash_stays(cast):
    keep(cast, ids=0)
    study = closed(cast, 1)
    assert erase_expired(study=study, now=NOW) == {"keep_ids_days": 1}
    identity = PlatformIdentity.objects.select_related("rater").get()
    assert (len(identity.person), identity.task, identity.session) == (64, "", "")
    assert identity.rater.user is None
    assert erase_expired(study=study, now=NOW) == {}
    assert PlatformIdentity.objects.get().person == identity.person


def test_labels_of_personal_links_and_keys_of_consent_pages_go_with_the_ids(cast):
    """A label is a name or an id of the platform; both belong to raters without an account, too."""
    invite(study=cast.study, actor=cast.users["owner"], label="Pat Doe 5f2c", personal=True)
    create_personal_links(study=cast.study, actor=cast.users["owner"], names=["Kim"])
    joined = consent(invitation=cast.invitation, join_key=uuid.uuid4())
    keep(cast, ids=0)
    study = closed(cast, 1)
    assert erase_expired(study=study, now=NOW) == {"keep_ids_days": 4}
    joined.refresh_from_db()
    assert joined.join_key is None
    assert set(Invitation.objects.values_list("label", flat=True)) == {"", "everybody"}
    assert not Invitation.objects.exclude(person_hash="").exists()
    assert erase_expired(study=study, now=NOW) == {}


def test_a_study_that_is_opened_again_erases_nothing(cast):
    keep(cast, about=0, ids=0, activity=0)
    closed(cast, 400)
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert erase_expired(study=study, now=NOW) == {}


@pytest.mark.parametrize("longer", [31, None])
def test_what_raters_agreed_to_can_only_be_made_shorter(cast, longer):
    keep(cast, about=30)
    with pytest.raises(NotAllowedNow) as refusal:
        keep(cast, about=longer)
    assert refusal.value.code == "retention_promised"
    assert keep(cast, about=7).keep_about_days == 7


def test_a_period_that_is_too_long_is_named_at_its_own_field(cast):
    keep(cast, about=30, ids=90, activity=0)
    client = Client()
    client.force_login(cast.users["owner"])
    page = client.post(reverse("study-personal-data", args=[cast.slug]), periods(about=7, ids=91, activity=1))
    assert page.status_code == 422
    promised = "Raters have consented to a period "
    assert page.context["form"].errors == {
        "keep_ids_days": [promised + "of at most 90 days (platform IDs and accounts). Enter 90 or less."],
        "keep_activity_days": [promised + "that ends when the study is closed (page activity). Enter 0."],
    }


def test_researchers_read_the_same_words_for_no_limit_and_no_days(cast):
    keep(cast, about=0, ids=7)
    client = Client()
    client.force_login(cast.users["researcher"])
    page = client.get(reverse("study-personal-data", args=[cast.slug])).content.decode()
    for words in ("until the study is closed", "7 days", "no limit"):
        assert page.count(f"{words}\n") == 1, words


@pytest.mark.parametrize("days", [-1, 36_501])
def test_a_period_that_cannot_be_is_refused_and_nothing_is_stored(cast, days):
    with pytest.raises(InvalidContent) as refusal:
        keep(cast, about=days)
    assert refusal.value.code == "bad_retention"
    cast.study.refresh_from_db()
    assert cast.study.keep_about_days is None


def test_raters_read_the_periods_before_they_agree(db):
    cast = make_cast(slug="asked", opened=False)
    age = RaterQuestion("age", "How old are you?", DemographicKind.NUMBER, ())
    set_questions(study=cast.study, actor=cast.users["owner"], questions=[age])
    keep(cast, about=30, ids=7, activity=1)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    page = " ".join(Client().get(reverse("join", args=[cast.invitation.token])).content.decode().split())
    assert "We delete your answers about yourself 30 days after the study closes." in page
    assert "We delete the data that identify you 7 days after the study closes." in page
    assert "We delete the counts of leaving the page and pasting text 1 day after the study closes." in page


def consent_page(**days: int | None) -> str:
    cast = make_cast()
    keep(cast, **days)
    return " ".join(Client().get(reverse("join", args=[cast.invitation.token])).content.decode().split())


def test_raters_read_that_a_study_without_periods_has_set_no_limit(db):
    assert "We have set no time limit for storing your data." in consent_page(about=30)


def test_raters_read_of_no_days_that_the_end_of_the_study_erases(db):
    page = consent_page(ids=0)
    assert "We delete the data that identify you when the study closes." in page
    assert "We have set no time limit for your other data." in page
    assert "0 days" not in page


def test_the_night_erases_what_has_expired_and_sessions_that_have_ended(cast):
    keep(cast, about=0)
    closed(cast, 1)
    Session.objects.create(session_key="over", session_data="", expire_date=NOW - timedelta(days=1))
    Session.objects.create(session_key="live", session_data="", expire_date=NOW + timedelta(days=1))
    job = Job.objects.create(kind="nightly", params={"day": "2026-01-01"})
    lease = claim(job_id=job.pk)
    assert lease is not None
    run_nightly(lease=lease)
    job.refresh_from_db()
    assert job.state == "done"
    assert not DemographicAnswer.objects.exists()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["live"]


def failing_night(monkeypatch, broken: Study) -> Job:
    """Run a night in which the rows of one study cannot be erased."""

    def refuse(study: Study) -> int:
        if study.pk == broken.pk:
            raise DatabaseError("Key (person)=(5f2c) is still referenced")
        return DemographicAnswer.objects.filter(rater__study=study).delete()[0]

    monkeypatch.setitem(retention.ERASERS, "keep_about_days", refuse)
    job = Job.objects.create(kind="nightly", params={"day": timezone.localtime().date().isoformat()})
    run_next(Queue.SHORT.value)
    job.refresh_from_db()
    return job


def with_an_answer(slug: str) -> Study:
    cast = make_cast(slug=slug, items=2, overlap=1)
    question = DemographicQuestion.objects.create(study=cast.study, key="age", text="Age?", kind="number")
    rater = Rater.objects.get(study=cast.study)
    DemographicAnswer.objects.create(rater=rater, question=question, value="41", answered_at=NOW)
    keep(cast, about=0)
    return closed(cast, 1)


def test_a_study_that_fails_stops_no_other_and_is_named_without_personal_data(db, monkeypatch):
    broken, fine = with_an_answer("broken"), with_an_answer("fine")
    Session.objects.create(session_key="over", session_data="", expire_date=NOW - timedelta(days=1))
    job = failing_night(monkeypatch, broken)
    assert (job.state, job.error_code) == ("failed", "nightly_incomplete")
    assert f"1 study were not deleted: {broken.pk} (fault)" in job.error
    assert DemographicAnswer.objects.get().rater.study == broken
    assert not Session.objects.exists()
    entry = AuditEntry.objects.get(act="erase_expired_failed")
    assert (entry.study, entry.detail) == (broken, {"code": "fault"})
    assert "5f2c" not in job.error
    assert AuditEntry.objects.filter(study=fine, act="erase_expired").exists()


def test_what_the_night_left_undone_is_on_the_page_of_the_site(db, monkeypatch):
    broken = with_an_answer("broken")
    administrator = Client()
    administrator.force_login(User.objects.get(email="superuser-broken@example.org"))
    failing_night(monkeypatch, broken)
    page = administrator.get(reverse("site-system")).content.decode()
    assert f"not deleted: {broken.pk} (fault)" in page
    Job.objects.create(kind="nightly", params={}, state="done")
    assert "not erased" not in administrator.get(reverse("site-system")).content.decode()


def test_a_night_that_failed_is_tried_again_after_an_hour_and_three_times_at_most(db, settings):
    settings.NIGHTLY_HOUR = 0
    for _ in range(2):
        job = request_nightly()
        assert job is not None
        Job.objects.filter(pk=job.pk).update(state="failed", finished_at=timezone.now())
        assert request_nightly() is None
        Job.objects.update(finished_at=timezone.now() - timedelta(minutes=61))
    last = request_nightly()
    assert last is not None
    Job.objects.filter(pk=last.pk).update(state="failed", finished_at=timezone.now() - timedelta(minutes=61))
    assert request_nightly() is None


def test_the_night_comes_once_a_day_and_not_before_its_hour(db, settings):
    settings.NIGHTLY_HOUR = 24
    assert request_nightly() is None
    settings.NIGHTLY_HOUR = 0
    first = request_nightly()
    assert first is not None
    Job.objects.filter(pk=first.pk).update(state="done")
    assert request_nightly() is None
