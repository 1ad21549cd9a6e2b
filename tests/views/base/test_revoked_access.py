"""What is closed stays closed: revoked links, erased people, other attempts, whatever is sent."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow, TooFast
from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.states import RaterState, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Invitation, PlatformIdentity, Rater, Response, Study
from annotation.selectors.people.platform_return import return_of
from annotation.selectors.studies.exports import checks_table
from annotation.services.people.invitations import invite, revoke
from annotation.services.quality.checks import create_check
from annotation.services.quality.qualification_progress import start_attempt
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, invited, make_cast
from tests.support.studies.qualification_study import attempt, qualify

pytestmark = pytest.mark.django_db
ADDRESS = "?PROLIFIC_PID=person-one&STUDY_ID=s&SESSION_ID=x"


def answer(rater: Rater) -> Assignment:
    page = open_assignment(assignment=next_assignment(rater=rater))
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    submit(assignment=page, version=page.version, submission=submission)
    return page


def browser_of(rater: Rater) -> Client:
    client = Client()
    client.get(reverse("join", args=[rater.invitation.token]))
    return client


def erasing(**fields) -> Cast:
    cast = make_cast(items=4, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase", **fields)
    return cast


@pytest.mark.parametrize("state", [RaterState.CONSENTED, RaterState.FAILED, RaterState.WITHDRAWN])
def test_asking_for_more_opens_nothing_to_raters_who_may_not_rate(state):
    cast = erasing(more_allowed=True)
    cast.study.forms.update(per_rater=2)
    qualify(cast, pages=0, attempts=1)
    rater = consent(invitation=cast.invitation)
    if state is RaterState.FAILED:
        attempt(rater, (1, 5, 1, 1))
    browser = browser_of(rater)
    if state is RaterState.WITHDRAWN:
        withdraw(rater=rater)
    before = Rater.objects.get(pk=rater.pk).state
    browser.post(reverse("rate-more", args=[cast.slug]))
    rater.refresh_from_db()
    assert (rater.state, rater.extra) == (before, 0)


def test_a_revoked_personal_link_opens_nothing_by_post_either():
    cast = make_cast(items=2)
    rater = consent(invitation=cast.invitation)
    link = rater.invitation
    revoke(invitation=link, actor=cast.users["owner"])
    thief = Client()
    assert thief.post(reverse("join", args=[link.token])).status_code == 410
    assert thief.get(reverse("rate", args=[cast.slug])).status_code == 404


def test_the_revoked_link_of_a_withdrawn_rater_offers_no_download_that_it_would_refuse():
    cast = make_cast(items=2)
    rater = consent(invitation=cast.invitation)
    own, download = browser_of(rater), reverse("rate-my-data", args=[cast.slug])
    withdraw(rater=rater)
    address = reverse("join", args=[rater.invitation.token])
    assert download in Client().get(address).content.decode()
    revoke(invitation=rater.invitation, actor=cast.users["owner"])
    finder = Client()
    page = finder.get(address).content.decode()
    assert download not in page
    assert "This link was revoked. Ask the research team" in page
    assert finder.get(download).status_code == 404
    assert download in own.get(address).content.decode()
    assert own.get(download).status_code == 200


def test_an_erased_platform_id_does_not_come_back():
    cast = erasing()
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    link = invite(study=cast.study, actor=cast.users["admin"], platform=Platform.PROLIFIC)
    address = reverse("join", args=[link.token]) + ADDRESS
    browser = Client()
    browser.get(address)
    browser.post(address)
    browser.post(reverse("rate-withdraw", args=[cast.slug]))
    hashed = PlatformIdentity.objects.get(study=cast.study).person
    assert browser.post(address).status_code == 409
    found = PlatformIdentity.objects.get(study=cast.study)
    assert (found.person, found.session) == (hashed, "")
    assert hashed != "person-one"


def test_no_label_and_no_trace_of_an_answer_is_left_of_an_erased_rater():
    cast = erasing(least_seconds=30)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    link = invite(study=cast.study, actor=cast.users["admin"], personal=True, label="Jane Doe")
    rater = consent(invitation=link)
    with pytest.raises(TooFast):
        answer(rater)
    assert Assignment.objects.get(rater=rater).hurried_content
    withdraw(rater=rater)
    left = Assignment.objects.get(rater=rater)
    assert (left.hurried_content, left.hurried_after) == ("", None)
    assert Invitation.objects.get(pk=link.pk).label == ""


def test_checks_of_others_are_exported_after_a_rater_who_met_one_is_erased():
    cast = erasing(check_every=2)
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="told",
        kind=CheckKind.INSTRUCTED,
        settings={"told": {"quality": 4}},
        form=cast.study.forms.get(),
        texts={"simile": "Choose 4"},
    )
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    gone, stays = (consent(invitation=cast.invitation) for _ in range(2))
    for rater in (gone, stays):
        for _ in range(4):
            answer(rater)
    token = gone.invitation.token
    withdraw(rater=gone)
    assert [row["rater"] for row in checks_table(cast.study)[1]] == [stays.code]
    own = invited(token).get(f"/api/v1/rate/{cast.slug}/answers/")
    assert (own.status_code, own.json()["results"]) == (200, [])


def test_one_consent_page_sent_for_two_people_makes_two_raters():
    cast = make_cast(items=2)
    link = invite(study=cast.study, actor=cast.users["admin"], platform=Platform.PROLIFIC)
    key = uuid.uuid4()
    one = consent(invitation=link, join_key=key, entry=Entry(Platform.PROLIFIC, "A", "s", "1"))
    other = consent(invitation=link, join_key=key, entry=Entry(Platform.PROLIFIC, "B", "s", "2"))
    assert one.pk != other.pk
    assert {one.identity.person, other.identity.person} == {"A", "B"}


def test_a_rater_who_has_withdrawn_since_the_link_was_read_is_not_let_in_again():
    cast = make_cast(items=2)
    link = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    read_before = Invitation.objects.select_related("study", "rater").get(pk=link.pk)
    rater = consent(invitation=link)
    withdraw(rater=rater)
    with pytest.raises(NotAllowedNow) as refused:
        consent(invitation=read_before)
    assert refused.value.code == "rater_withdrawn"


def test_what_is_no_text_is_refused_and_nothing_stored():
    cast = make_cast(items=2)
    rater = consent(invitation=cast.invitation)
    browser = browser_of(rater)
    page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    sent = {name: page.context[name] for name in ("submission_key", "version", "assignment", "seen_revision")}
    answers = {"answer-quality": 3, "answer-creativity": 4, "remark": "a\x00b"}
    assert browser.post(page.context["action"], sent | answers).status_code == 422
    assert not Response.objects.filter(assignment__rater=rater).exists()


def test_references_are_closed_while_another_attempt_asks_for_the_same_items():
    cast = make_cast(items=2, opened=False)
    qualify(cast, attempts=2)
    rater = consent(invitation=cast.invitation)
    attempt(rater, (3, 3, 5, 2))
    start_attempt(rater=rater)
    now = open_assignment(assignment=next_assignment(rater=rater))
    old = rater.attempts.get(number=1).assignments.get(item=now.item)
    got = browser_of(rater).get(reverse("rate-feedback", args=[cast.slug, old.pk]))
    assert (got.status_code, got.headers["Location"]) == (302, reverse("rate", args=[cast.slug]))
    payload = invited(rater.invitation.token).get(f"/api/v1/rate/{cast.slug}/assignments/{old.pk}/")
    assert payload.json().get("feedback") is None


def test_mechanical_turk_is_sent_no_finished_task_without_an_answer():
    cast = make_cast(items=2)
    link = invite(study=cast.study, actor=cast.users["admin"], platform=Platform.MTURK)
    rater = consent(invitation=link, entry=Entry(Platform.MTURK, "W", "hit", "assignment"))
    way = return_of(rater, nothing_left=True)
    assert way is not None
    assert way.address == ""
