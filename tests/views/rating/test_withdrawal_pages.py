"""Raters who have withdrawn read that wherever a link leads, and rate nothing more."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from annotation.domain.base.states import StudyState
from annotation.models import Assignment, Invitation, Rater, Response, Study
from annotation.services.people.invitations import revoke
from annotation.services.rating.erasure import erase_rater
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
LEFT = "You have withdrawn"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2)


@pytest.fixture
def browser(cast) -> Client:
    """A rater who followed the open link, agreed and answered one item."""
    client = Client()
    client.post(reverse("join", args=[cast.invitation.token]))
    save(client, cast, quality=4)
    return client


def save(client: Client, cast: Cast, *, quality: int, **fields: object):
    client.get(reverse("rate", args=[cast.slug]), follow=True)
    page = Assignment.objects.filter(rater=newest(cast)).latest("position")
    sent = {
        "submission_key": str(uuid.uuid4()),
        "version": page.version_id,
        "assignment": page.pk,
        "answer-quality": quality,
        "answer-creativity": 3,
        **fields,
    }
    return client.post(reverse("rate-assignment", args=[cast.slug, page.pk]), sent)


def newest(cast: Cast) -> Rater:
    return Rater.objects.filter(study=cast.study, user=None).latest("pk")


def flat(html: str) -> str:
    return " ".join(html.split())


def leave(client: Client, cast: Cast):
    return client.post(reverse("rate-withdraw", args=[cast.slug]), follow=True)


def test_leaving_is_confirmed_with_the_code_and_the_consent_text(cast, browser):
    page = leave(browser, cast)
    assert page.status_code == 200
    text = page.content.decode()
    assert LEFT in text
    assert newest(cast).code in text
    assert "Your 1 saved answer is kept and counted." in text
    assert cast.study.consent in text


@pytest.mark.parametrize(
    ("policy", "before", "after"),
    [
        ("keep", "will be kept and counted", "saved answer is kept and counted"),
        ("exclude", "will be kept but left out of all statistics", "is kept but left out of all statistics"),
        ("erase", "will be deleted", "saved answer has been deleted"),
    ],
)
def test_the_page_says_what_becomes_of_the_answers(cast, browser, policy, before, after):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=policy)
    assert before in browser.get(reverse("rate-withdraw", args=[cast.slug])).content.decode()
    assert after in leave(browser, cast).content.decode()


@pytest.mark.parametrize("withdrawn_before", [False, True])
def test_a_rater_whose_data_the_team_erased_reads_so_and_not_that_answers_count(
    cast, browser, withdrawn_before
):
    if withdrawn_before:
        leave(browser, cast)
    erase_rater(rater=newest(cast), actor=cast.users["owner"])
    page = browser.get(reverse("rate", args=[cast.slug])).content.decode()
    day = date_format(timezone.localtime(), "j F Y")
    assert f"The research team deleted your answers and the data that identify you on {day}." in flat(page)
    assert "and counts" not in page
    assert LEFT not in page
    assert newest(cast).code in page


def test_answers_erased_by_withdrawal_are_not_reported_as_erased_by_the_team(cast, browser):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    leave(browser, cast)
    erase_rater(rater=newest(cast), actor=cast.users["owner"])
    page = browser.get(reverse("rate", args=[cast.slug])).content.decode()
    assert "Your 1 saved answer has been deleted." in page
    assert "study team" not in page


def test_after_withdrawing_the_data_can_be_downloaded_in_another_browser_by_the_personal_link(cast, browser):
    leave(browser, cast)
    fresh, own = Client(), Invitation.objects.get(rater=newest(cast))
    data = reverse("rate-my-data", args=[cast.slug])
    assert fresh.get(data).status_code == 404
    page = fresh.get(reverse("join", args=[own.token])).content.decode()
    assert page.index(data) < page.index("Consent form you agreed to")
    assert fresh.get(data).json()["rater"] == newest(cast).code


def test_a_revoked_link_gives_the_data_of_a_withdrawn_rater_to_no_one(cast, browser):
    leave(browser, cast)
    own = Invitation.objects.get(rater=newest(cast))
    revoke(invitation=own, actor=cast.users["owner"])
    fresh = Client()
    fresh.get(reverse("join", args=[own.token]))
    assert fresh.get(reverse("rate-my-data", args=[cast.slug])).status_code == 404


@pytest.mark.parametrize("name", ["rate", "rate-pause", "rate-guide", "rate-withdraw"])
def test_every_rating_page_then_says_so(cast, browser, name):
    leave(browser, cast)
    page = browser.get(reverse(name, args=[cast.slug]))
    assert (page.status_code, LEFT in page.content.decode()) == (200, True)


def test_so_do_the_links_and_the_answered_item(cast, browser):
    leave(browser, cast)
    rater = newest(cast)
    own = Invitation.objects.get(rater=rater)
    answered = Assignment.objects.filter(rater=rater, submitted_at__isnull=False).get()
    for path in (
        reverse("join", args=[cast.invitation.token]),
        reverse("join", args=[own.token]),
        reverse("rate-assignment", args=[cast.slug, answered.pk]),
    ):
        assert LEFT in browser.get(path).content.decode(), path


def test_a_page_still_open_elsewhere_cannot_save(cast, browser):
    leave(browser, cast)
    answered = Assignment.objects.filter(rater=newest(cast), submitted_at__isnull=False).get()
    sent = {
        "submission_key": str(uuid.uuid4()),
        "version": answered.version_id,
        "answer-quality": 1,
        "answer-creativity": 1,
    }
    refused = browser.post(reverse("rate-assignment", args=[cast.slug, answered.pk]), sent)
    assert refused.status_code == 409
    assert Response.objects.filter(assignment=answered).count() == 1


def test_in_a_closed_study_an_answer_can_be_read_and_not_changed(cast, browser):
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    answered = Assignment.objects.filter(rater=newest(cast), submitted_at__isnull=False).get()
    page = browser.get(reverse("rate-assignment", args=[cast.slug, answered.pk]))
    assert page.status_code == 200
    assert '<fieldset class="bare" disabled>' in page.content.decode()
    assert "Save and next" not in page.content.decode()


def test_each_item_has_its_own_address_and_saving_leads_to_the_next(cast, browser):
    first = Assignment.objects.filter(rater=newest(cast), submitted_at__isnull=False).get()
    saved = save(browser, cast, quality=2)
    second, third = Assignment.objects.filter(rater=newest(cast)).order_by("position")[1:3]
    assert saved.status_code == 303
    assert saved["Location"] == reverse("rate-assignment", args=[cast.slug, third.pk])
    assert len({first.pk, second.pk, third.pk}) == 3


def test_an_answer_changed_in_another_tab_is_shown_before_it_is_replaced(cast, browser):
    answered = Assignment.objects.filter(rater=newest(cast), submitted_at__isnull=False).get()
    address = reverse("rate-assignment", args=[cast.slug, answered.pk])
    sent = {"version": answered.version_id, "answer-quality": 1, "answer-creativity": 3}
    stale = browser.post(address, {**sent, "submission_key": str(uuid.uuid4()), "seen_revision": 0})
    assert stale.status_code == 422
    assert "Quality 4" in stale.content.decode()
    again = {**sent, "submission_key": str(uuid.uuid4()), "seen_revision": stale.context["seen_revision"]}
    assert browser.post(address, again).status_code == 303
    assert [one.revision for one in answered.responses.all()] == [1, 2]


def test_the_home_page_leads_back_to_the_study_this_browser_rates_in(cast, browser):
    page = browser.get(reverse("home")).content.decode()
    assert reverse("rate", args=[cast.slug]) in page
    assert reverse("rate", args=[cast.slug]) not in Client().get(reverse("home")).content.decode()


def test_the_log_that_members_read_names_no_rater(cast):
    rater = Client()
    rater.force_login(cast.users["rater"])
    rater.post(reverse("rate-withdraw", args=[cast.slug]))
    member = Client()
    member.force_login(cast.users["researcher"])
    page = member.get(reverse("study-audit", args=[cast.slug])).content.decode()
    assert "withdraw" in page
    assert cast.study.raters.get(user=cast.users["rater"]).code in page
    assert cast.users["rater"].email not in page
