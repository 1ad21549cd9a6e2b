"""Pages for a rater whose session is lost: they name the personal link, also where no script runs."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater
from annotation.services.people.invitations import revoke
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3)


@pytest.fixture
def rater(cast: Cast) -> Rater:
    return consent(invitation=cast.invitation)


def link(rater: Rater) -> str:
    return reverse("join", args=[rater.invitation.token])


def owner_on(html: str) -> str:
    found = re.search(r'id="outbox" data-owner="([^"]*)"', html)
    assert found
    return found[1]


def close(cast: Cast) -> None:
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_browser_without_a_session_is_sent_to_the_personal_link_alone(cast, rater, method):
    address = reverse("rate-assignment", args=[cast.slug, next_assignment(rater=rater).pk])
    answer = getattr(Client(), method)(address)
    assert answer.status_code == 404
    html = answer.content.decode()
    assert "open your personal link" in html
    assert "Do not use the invitation link again" in html
    assert "or the invitation link" not in html
    assert ("What you just sent was not saved." in html) is (method == "post")


def test_the_rating_page_never_advises_to_open_the_invitation_link(cast, rater):
    client = Client()
    html = client.get(link(rater), follow=True).content.decode()
    assert "personal link" in html
    assert "invitation link" not in html
    assert f'data-link="{link(rater)}"' in html


def test_the_first_item_leads_to_the_personal_link_to_keep_and_the_next_ones_do_not(cast, rater):
    client = Client()
    joining = client.get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert "your personal link, shown on the “Pause” page." in " ".join(joining.split())
    first = client.get(link(rater), follow=True)
    words = "Keep your personal link to continue later"
    pause = reverse("rate-pause", args=[cast.slug])
    assert f'<a href="{pause}">{words}</a>' in first.content.decode()
    assert link(rater) in client.get(pause).content.decode()
    page = next_assignment(rater=rater)
    answers = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    submit(assignment=page, version=page.version, submission=answers)
    second = client.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()
    assert words not in second
    # The menu leads to it from every page of work, and no such page shows it.
    assert f'<a href="{pause}#personal-link">Personal link</a>' in second
    assert link(rater) not in re.sub(r'data-link="[^"]*"', "", second)
    guide = client.get(reverse("rate-guide", args=[cast.slug])).content.decode()
    assert f'<a href="{pause}#personal-link">{words}</a>' in guide
    assert f'<a href="{pause}#personal-link">Personal link</a>' in client.get("/").content.decode()


def test_the_invitation_page_says_that_it_starts_a_new_rater(cast):
    html = Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert "Continue with your personal link" in html
    assert "With this link, you would start again as a new rater." in html
    assert owner_on(html) == ""
    assert 'data-link=""' in html


def test_each_rater_of_each_study_has_a_box_of_their_own(cast, rater):
    others = [consent(invitation=cast.invitation), consent(invitation=make_cast(slug="moons").invitation)]
    owners = [
        owner_on(Client().get(link(one), follow=True).content.decode()) for one in (rater, rater, *others)
    ]
    assert owners[0] == owners[1]
    assert len(set(owners)) == 3
    assert "" not in owners


def test_a_revoked_personal_link_is_not_given_to_the_browser(cast, rater):
    client = Client()
    client.get(link(rater))
    revoke(invitation=rater.invitation, actor=cast.users["owner"])
    html = client.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()
    assert owner_on(html)
    assert rater.invitation.token not in html


def test_the_personal_link_of_a_closed_study_lets_its_rater_learn_what_became_of_an_answer(cast, rater):
    page = next_assignment(rater=rater)
    close(cast)
    client = Client()
    refused = client.get(link(rater))
    assert (refused.status_code, bool(owner_on(refused.content.decode()))) == (409, True)
    fields = {"submission_key": "9f9b0c3e-4a8b-4d0e-8a53-5d3c4f6f0a01", "version": page.version_id}
    sent = {**fields, "answer-quality": "3", "answer-creativity": "4"}
    late = client.post(reverse("rate-assignment", args=[cast.slug, page.pk]), sent)
    assert late.status_code == 409
    assert "This study is closed. Your saved answers are kept." in late.content.decode()


def test_a_closed_study_lets_no_one_in_by_a_revoked_link_or_an_unused_one(cast, rater):
    revoke(invitation=rater.invitation, actor=cast.users["owner"])
    close(cast)
    for address in (link(rater), reverse("join", args=[cast.invitation.token])):
        client = Client()
        assert owner_on(client.get(address).content.decode()) == ""
        assert client.get(reverse("rate", args=[cast.slug])).status_code == 404


def test_after_the_last_item_no_page_offers_to_continue(cast, rater):
    client = Client()
    client.get(link(rater))
    while (page := next_assignment_or_none(rater)) is not None:
        answers = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=answers)
    done = client.get(reverse("rate", args=[cast.slug]))
    assert "Done. Thank you!" in done.content.decode()
    pause = client.get(reverse("rate-pause", args=[cast.slug])).content.decode()
    last = client.get(done.context["last_url"]).content.decode()
    assert "Paused." not in pause
    assert "Continue rating" not in pause
    assert "Personal link and withdrawal" in pause
    assert "Go to current item" not in last
    assert [html.count("Back to the summary") for html in (pause, last)] == [1, 1]


def next_assignment_or_none(rater: Rater) -> Assignment | None:
    try:
        return next_assignment(rater=rater)
    except NoSeatLeft:
        return None
