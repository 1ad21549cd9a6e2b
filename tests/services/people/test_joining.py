"""Joining a study: one person is one rater, whatever links they follow."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Rater, User
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2)


@pytest.fixture
def person() -> User:
    return User.objects.create_user(email="pat@example.org", name="Pat", password="a-long-password")


def test_a_log_in_that_rates_already_cannot_become_a_second_rater(cast, person):
    first = consent(invitation=cast.invitation, user=person)
    personal = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    with pytest.raises(NotAllowedNow) as caught:
        consent(invitation=personal, user=person)
    assert caught.value.code == "already_rates"
    assert Rater.objects.get(user=person) == first


def test_the_page_says_so_instead_of_failing(cast, person):
    consent(invitation=cast.invitation, user=person)
    personal = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    browser = Client()
    browser.force_login(person)
    answer = browser.post(reverse("join", args=[personal.token]))
    assert answer.status_code == 409
    assert "already takes part in this study" in answer.content.decode()


def test_following_the_open_link_again_is_the_same_rater(cast, person):
    first = consent(invitation=cast.invitation, user=person)
    assert consent(invitation=cast.invitation, user=person) == first


def test_the_same_consent_page_sent_twice_joins_once(cast):
    key = uuid.uuid4()
    first = consent(invitation=cast.invitation, join_key=key)
    assert consent(invitation=cast.invitation, join_key=key) == first
    assert consent(invitation=cast.invitation, join_key=uuid.uuid4()) != first


def test_a_double_click_on_the_consent_page_makes_one_rater(cast):
    page, before = Client(), Rater.objects.count()
    shown = page.get(reverse("join", args=[cast.invitation.token]))
    sent = {"join_key": shown.context["join_key"]}
    for browser in (page, Client()):
        browser.post(reverse("join", args=[cast.invitation.token]), sent)
    assert Rater.objects.count() == before + 1
