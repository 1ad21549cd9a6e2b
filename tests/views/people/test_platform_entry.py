"""People from crowd platforms: one person is one rater, ids are stored separately, the way back is shown."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.platforms import Platform
from annotation.models import Invitation, PlatformIdentity, Rater
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.people.invitations import invite
from tests.support.people import Cast, make_cast
from tests.views.people.platform_visits import PROLIFIC, come, link

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, overlap=3)


def rate_all(browser: Client, cast: Cast):
    for _ in range(cast.study.items.count()):
        page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
        sent = {
            name: page.context[name] for name in ("submission_key", "version", "assignment", "seen_revision")
        }
        sent |= {"answer-quality": 3, "answer-creativity": 4}
        browser.post(page.context["action"], sent)
    return browser.get(reverse("rate", args=[cast.slug]))


def test_the_same_person_in_another_browser_is_one_rater_by_the_same_session(cast):
    invitation = link(cast, Platform.PROLIFIC)
    come(invitation, PROLIFIC)
    _, back = come(invitation, PROLIFIC)
    assert back.headers["Location"] == reverse("rate", args=[cast.slug])
    assert Rater.objects.filter(came_by=invitation).count() == 1


def test_in_the_same_browser_a_person_comes_back_in_a_new_session(cast):
    invitation = link(cast, Platform.PROLIFIC)
    browser, _ = come(invitation, PROLIFIC)
    come(invitation, {**PROLIFIC, "SESSION_ID": "second"}, browser)
    identity = PlatformIdentity.objects.get(study=cast.study)
    assert (identity.person, identity.session) == ("person-one", "second")
    assert Rater.objects.filter(came_by=invitation).count() == 1


@pytest.mark.parametrize("session", ["another", ""])
def test_a_known_id_alone_opens_nothing(cast, session):
    """Ids of crowd workers are in many files: another browser and session is another person."""
    invitation = link(cast, Platform.PROLIFIC, screenout_code="OUT1")
    come(invitation, PROLIFIC)
    stranger, refused = come(invitation, {**PROLIFIC, "SESSION_ID": session})
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "This ID already takes part" in page
    assert "open your personal link here" in page
    code = Rater.objects.get(came_by=invitation).code
    assert not [secret for secret in ("OUT1", code, "first") if secret in page]
    assert stranger.get(reverse("rate", args=[cast.slug])).status_code == 404
    assert (
        stranger.post(f"{reverse('join', args=[invitation.token])}?PROLIFIC_PID=person-one").status_code
        == 409
    )
    identity = PlatformIdentity.objects.get(study=cast.study)
    assert (identity.session, identity.rater.state) == ("first", "consented")


def test_a_platforms_link_is_not_joined_without_its_parameters_over_the_api(cast):
    invitation = link(cast, Platform.PROLIFIC)
    answer = APIClient().post(f"/api/v1/join/{invitation.token}/", {"agree": True}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_from_platform")
    assert not Rater.objects.filter(came_by=invitation).exists()


def test_two_people_in_one_browser_are_two_raters(cast):
    invitation = link(cast, Platform.PROLIFIC)
    browser, _ = come(invitation, PROLIFIC)
    come(invitation, {**PROLIFIC, "PROLIFIC_PID": "person-two"}, browser)
    assert Rater.objects.filter(came_by=invitation).count() == 2


def test_a_rater_who_is_done_is_sent_back_with_the_completion_code(cast):
    browser, _ = come(link(cast, Platform.PROLIFIC, completion_code="DONE1"), PROLIFIC)
    page = rate_all(browser, cast).content.decode()
    assert "https://app.prolific.com/submissions/complete?cc=DONE1" in page


def test_a_person_who_comes_too_late_is_refused_and_screened_out(cast):
    invitation = link(cast, Platform.PROLIFIC, screenout_code="OUT1", cap=1)
    come(invitation, PROLIFIC)
    _, refused = come(invitation, {**PROLIFIC, "PROLIFIC_PID": "late"})
    assert refused.status_code == 409
    assert "complete?cc=OUT1" in refused.content.decode()
    assert not PlatformIdentity.objects.filter(person="late").exists()


def test_a_person_who_does_not_agree_leaves_nothing_behind(cast):
    invitation = link(cast, Platform.PROLIFIC, screenout_code="OUT1", no_consent_code="NO1")
    address = reverse("join-declined", args=[invitation.token])
    page = Client().get(f"{address}?PROLIFIC_PID=person-one").content.decode()
    assert "You chose not to take part. Nothing was saved." in page
    assert ("cc=NO1" in page, "OUT1" in page) == (True, False)
    assert not Rater.objects.filter(came_by=invitation).exists()


def test_a_link_without_the_platforms_parameters_is_refused(cast):
    _, refused = come(link(cast, Platform.PROLIFIC), {})
    assert (refused.status_code, "PROLIFIC_PID" in refused.content.decode()) == (409, True)


def test_the_platforms_ids_are_in_no_export_of_ratings(cast):
    browser, _ = come(link(cast, Platform.PROLIFIC), PROLIFIC)
    rate_all(browser, cast)
    rows = list(long_ratings(cast.study))
    assert len(rows) == 4
    assert "person-one" not in str(rows)


def test_a_mechanical_turk_task_is_previewed_accepted_and_sent_back(cast):
    invitation = link(cast, Platform.MTURK)
    work = {"workerId": "A1", "hitId": "H1", "turkSubmitTo": "https://www.mturk.com"}
    browser, preview = come(invitation, {**work, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert "This is a preview" in preview.content.decode()
    assert not Rater.objects.filter(came_by=invitation).exists()
    come(invitation, {**work, "assignmentId": "S1"}, browser)
    page = rate_all(browser, cast)
    text = page.content.decode()
    assert 'action="https://www.mturk.com/mturk/externalSubmit"' in text
    assert 'name="assignmentId" value="S1"' in text
    assert "https://www.mturk.com" in page.headers["Content-Security-Policy"]


def test_only_the_entry_page_may_be_framed_and_by_the_platform_alone(cast):
    address = reverse("join", args=[link(cast, Platform.MTURK).token])
    entry, home = Client().get(address), Client().get("/")
    assert "frame-ancestors https://www.mturk.com" in entry.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in entry.headers
    assert "frame-ancestors 'none'" in home.headers["Content-Security-Policy"]


def test_a_crowd_link_that_cannot_work_is_not_made(cast):
    for ways, code in (
        ({"platform": Platform.OTHER}, "no_person_param"),
        ({"platform": Platform.PROLIFIC, "personal": True}, "personal_crowd"),
        (
            {"platform": Platform.OTHER, "person_param": "w", "completion_url": "javascript:x"},
            "bad_return_address",
        ),
    ):
        with pytest.raises(InvalidContent) as caught:
            invite(study=cast.study, actor=cast.users["admin"], **ways)
        assert caught.value.code == code


def test_an_admin_makes_a_link_for_a_platform_on_the_page_of_links(cast):
    admin = Client()
    admin.force_login(cast.users["admin"])
    sent = {"kind": "prolific", "label": "Wave 1", "cap": "30", "completion_code": "C1"}
    admin.post(reverse("study-links", args=[cast.slug]), sent)
    made = Invitation.objects.get(label="Wave 1")
    assert (made.platform, made.cap, made.completion_code) == ("prolific", 30, "C1")
    page = admin.get(reverse("study-links", args=[cast.slug])).content.decode()
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page


@pytest.mark.parametrize(("kind", "gets_codes"), [("prolific", True), ("none", False), ("personal", False)])
def test_the_proposed_codes_go_to_links_for_platforms_only(cast, kind: str, gets_codes: bool) -> None:
    admin = Client()
    admin.force_login(cast.users["admin"])
    form = admin.get(reverse("study-links", args=[cast.slug])).context["link_form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"kind": kind}
    codes = {name: sent[f"{name}_code"] for name in ("completion", "screenout", "no_consent")}
    assert len(set(codes.values()) - {""}) == len(codes)
    assert admin.post(reverse("study-links", args=[cast.slug]), sent).status_code == 302
    made = Invitation.objects.latest("pk")
    expected = codes if gets_codes else dict.fromkeys(codes, "")
    assert {name: getattr(made, f"{name}_code") for name in codes} == expected
    # The next link has codes of its own.
    again = admin.get(reverse("study-links", args=[cast.slug])).context["link_form"]
    assert not set(codes.values()) & {again[f"{name}_code"].value() for name in codes}


def test_a_rater_who_has_answered_nothing_gets_no_completion_code():
    cast = make_cast(items=1, overlap=1)
    invitation = link(cast, Platform.PROLIFIC, completion_code="PAID1", screenout_code="OUT1")
    idle, _ = come(invitation, PROLIFIC)
    busy, _ = come(invitation, {**PROLIFIC, "PROLIFIC_PID": "busy", "SESSION_ID": "b"})
    busy.get(reverse("rate", args=[cast.slug]), follow=True)
    page = idle.get(reverse("rate", args=[cast.slug])).content.decode()
    assert ("PAID1" in page, "OUT1" in page) == (False, False)
    assert "PAID1" in rate_all(busy, cast).content.decode()
    page = idle.get(reverse("rate", args=[cast.slug])).content.decode()
    assert ("PAID1" in page, "OUT1" in page) == (False, True)
    assert Rater.objects.get(identity__person="person-one").state == "consented"
