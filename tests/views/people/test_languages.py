"""The language of the interface and that of a study's texts: two settings, each named where it holds."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state
from config.settings.languages import offered
from tests.support.catalogues import write_catalogue
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
ASKED = pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.5", "zh-hans"),
        ("zh-Hans", "zh-hans"),
        ("ja", "ja"),
        ("ja-JP,en;q=0.1", "ja"),
        ("fr", "en"),
    ],
)


@pytest.fixture
def cast() -> Cast:
    """A study whose texts are Chinese."""
    cast = make_cast(items=2, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(
        title="比喻研究", language="zh-Hans", consent="您的评分会被保存。", instructions="请评分。"
    )
    cast.study.refresh_from_db()
    return cast


def language_of(html: str) -> str:
    found = re.search(r'<html lang="([^"]*)"', html)
    assert found
    return found[1]


@ASKED
def test_a_page_is_in_the_first_language_on_offer_that_the_browser_asks_for(asked, spoken):
    page = Client(headers={"Accept-Language": asked}).get(reverse("home"))
    assert language_of(page.content.decode()) == spoken
    assert page["Content-Language"] == spoken


@ASKED
def test_what_django_says_itself_is_in_the_language_of_the_page(asked, spoken):
    client = Client(headers={"Accept-Language": asked})
    html = client.post(reverse("account_login"), {"login": "", "password": "x"}).content.decode()
    with translation.override(spoken):
        assert gettext("This field is required.") in html
    assert ("This field is required." in html) == (spoken == "en")


def test_a_researcher_chooses_a_language_in_the_account_menu_and_keeps_it(cast):
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(cast.users["owner"])
    address = reverse("study", args=[cast.slug])
    offered = f'formaction="{reverse("set_language")}" name="language" value="ja"'
    assert offered in client.get(address).content.decode()
    client.post(reverse("set_language"), {"language": "ja", "next": address})
    html = client.get(address).content.decode()
    assert language_of(html) == "ja"
    assert "概要" in html


@ASKED
def test_the_api_answers_in_english(cast, asked, spoken):
    client = cast.client("owner")
    answer = client.post("/api/v1/studies/", {}, format="json", headers={"Accept-Language": asked})
    assert answer.status_code == 400
    assert answer["Content-Language"] == "en"
    assert answer.content.decode().isascii()


def test_the_texts_of_a_study_keep_their_own_language(cast):
    client = Client()
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    link = reverse("join", args=[cast.invitation.token])
    html = client.get(link).content.decode()
    assert language_of(html) == "en"
    for text in ("<p>您的评分会被保存。</p>", "<p>请评分。</p>"):
        assert re.search(rf'<div lang="zh-Hans" dir="auto">{text}\s*</div>', html)
    assert re.findall(r'lang="zh-Hans"(?: dir="auto")?>[^<]*[A-Za-z]', html) == []
    rater = consent(invitation=cast.invitation)
    client.get(reverse("join", args=[rater.invitation.token]))
    page = client.get(reverse("rate-assignment", args=[cast.slug, next_assignment(rater=rater).pk]))
    assert re.search(r'<p class="figure-text[^>]* lang="zh-Hans">', page.content.decode())


def test_a_catalogue_offers_its_language_on_pages_of_raters(tmp_path, settings, cast):
    write_catalogue(tmp_path, "ja", {"I do not agree": "同意しない"})
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = offered(tmp_path)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    page = Client(headers={"Accept-Language": "ja"}).get(reverse("join", args=[cast.invitation.token]))
    assert language_of(page.content.decode()) == "ja"
    assert "同意しない" in page.content.decode()


def test_the_language_of_a_study_promises_no_language_of_the_interface(cast):
    client = Client()
    client.force_login(cast.users["owner"])
    html = client.get(reverse("study-texts", args=[cast.slug])).content.decode()
    assert "Buttons and messages may be in another language." in html
    assert language_of(html) == "en"
