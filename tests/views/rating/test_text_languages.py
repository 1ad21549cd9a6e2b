"""Raters read the texts of a study in their own language where it has them, and every table says which."""

from __future__ import annotations

import copy

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import StudyState
from annotation.models import Form, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.people.consent import agreed_text
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.definition import definition_of, form_as_document
from annotation.selectors.studies.exports import TABLES
from annotation.services.people.consent import change_text
from annotation.services.people.invitations import invite
from annotation.services.studies.definitions import copy_study, create_from_definition
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.form_editing import change_form
from annotation.services.studies.lifecycle import change_state
from tests.support.studies.two_languages import (
    DEFINITION,
    LANGUAGE,
    QUESTION,
    Sitting,
    study_in_two_languages,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def test_two_raters_read_their_own_language_and_the_tables_say_which(owner):
    study, token = study_in_two_languages(owner)
    english, chinese = Sitting(study, token, "en"), Sitting(study, token, LANGUAGE)
    assert ("You agree to take part." in english.join_page, "您同意参加" in english.join_page) == (
        True,
        False,
    )
    for text in ("明喻", "您同意参加。", "请阅读每个明喻。", "部分明喻令人难过。"):
        assert text in chinese.join_page, text
    assert f'<div lang="{LANGUAGE}" dir="auto"><p>您同意参加。' in chinese.join_page
    # The description has no translation: it is shown as it is, in its own language.
    assert 'lang="en" dir="auto">How good similes are.' in chinese.join_page

    # So do the studies that a browser rates in; a text in another language than the page says which.
    rates_in = chinese.client.get(reverse("home")).content.decode()
    assert f'lang="{LANGUAGE}" dir="auto">明喻</a>' in rates_in
    japanese = chinese.client.get(reverse("home"), headers={"Accept-Language": "ja"}).content.decode()
    assert 'lang="en" dir="auto">Similes</a>' in japanese
    guide = chinese.page("rate-guide").content.decode()
    rating = chinese.page("rate").content.decode()
    for text in ("清晰度", "它有多清晰？", "没有人能理解。", "Everybody understands it."):
        assert (text in guide, text in rating) == (True, True), text
    assert "The lamp hung like a moon." in rating
    assert ("Clarity" in rating, "清晰度" in english.page("rate").content.decode()) == (False, False)

    for sitting in (english, chinese):
        sitting.answer()
    shown = {row["rater"]: row["text_language"] for row in long_ratings(study)}
    assert shown == {english.rater.code: "en", chinese.rater.code: LANGUAGE}
    _, rows = TABLES["raters"](study)
    agreed = {row["rater"]: (row["consent_language"], row["consent_text_language"]) for row in rows}
    assert agreed == {english.rater.code: ("en", "en"), chinese.rater.code: (LANGUAGE, LANGUAGE)}


def test_worked_examples_are_read_in_the_language_of_the_page_and_say_it(owner):
    study, token = study_in_two_languages(owner)
    chinese = Sitting(study, token, LANGUAGE).page("rate-guide").content.decode()
    assert f'<div class="worked__text" lang="{LANGUAGE}">' in chinese
    assert "大家都听得见。" in chinese
    assert f'<b lang="{LANGUAGE}">清晰。</b' in chinese
    assert "Everybody can hear it." not in chinese
    english = Sitting(study, token, "en").page("rate-guide").content.decode()
    assert '<div class="worked__text" lang="en">' in english
    assert "Everybody can hear it." in english


def test_a_question_about_the_rater_is_read_in_chinese_and_stored_as_the_study_has_it(owner):
    study, token = study_in_two_languages(owner, asks=True)
    chinese = Sitting(study, token, LANGUAGE)
    page = chinese.page("rate-about-you").content.decode()
    for text in ("您多久阅读一次？", "经常", "从不", 'value="often"'):
        assert text in page, text
    chinese.client.post(reverse("rate-about-you", args=[study.slug]), {"answer-reads": "never"})
    assert chinese.rater.demographic_answers.get().value == "never"


def test_options_in_another_language_are_all_or_none(owner):
    wrong = copy.deepcopy(DEFINITION)
    wrong["demographics"] = [
        {**QUESTION, "translations": {LANGUAGE: {"text": "您多久阅读一次？", "options": ["经常"]}}}
    ]
    with pytest.raises(InvalidContent) as caught:
        create_from_definition(definition=wrong, slug="wrong", owner=owner)
    assert "Translate all options into zh-hans" in caught.value.message


def test_a_rater_whose_language_has_no_texts_reads_the_studys_own(owner):
    study, token = study_in_two_languages(owner)
    japanese = Sitting(study, token, "ja")
    assert "You agree to take part." in japanese.join_page
    japanese.answer()
    (row,) = long_ratings(study)
    assert (row["interface_language"], row["text_language"]) == ("ja", "en")


def test_a_rater_finds_the_consent_text_as_they_read_it(owner):
    study, token = study_in_two_languages(owner)
    chinese = Sitting(study, token, LANGUAGE)
    text = agreed_text(chinese.rater)
    assert (text, text.lang) == ("您同意参加。", LANGUAGE)
    assert "您同意参加。" in chinese.page("rate-withdraw").content.decode()


def test_a_new_consent_text_is_never_shown_in_the_words_of_the_old_one(owner):
    study, token = study_in_two_languages(owner)
    chinese = Sitting(study, token, LANGUAGE)
    change_text(study=study, actor=owner, text="You agree again.")
    again = chinese.page("rate-consent").content.decode()
    assert ("You agree again." in again, "您同意参加。" in again) == (True, False)
    change_text(study=study, actor=owner, text="You agree again.", translations={LANGUAGE: "您再次同意。"})
    assert "您再次同意。" in chinese.page("rate-consent").content.decode()
    versions = study.consent_texts.order_by("number").values_list("translations", flat=True)
    assert list(versions) == [{LANGUAGE: "您同意参加。"}, {}, {LANGUAGE: "您再次同意。"}]


def test_a_changed_question_loses_its_translation_and_the_rest_keeps_it(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    form = Form.objects.get(study=study)
    document = form_as_document(form.versions.latest("number"))
    del document["translations"]
    document["criteria"][0]["question"] = "Is it clear?"
    version = change_form(form=form, document=document, actor=owner)
    (one,) = version.translations[LANGUAGE]["criteria"]
    assert (one["name"], one["question"], len(one["points"])) == ("清晰度", "", 2)


def test_the_overview_counts_what_raters_would_read_in_another_language(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    assert '2 texts are not translated into <span lang="zh-hans">简体中文</span>' in " ".join(
        one.words for one in find_setup_warnings(study)
    )


def test_a_copy_has_every_language(owner):
    study, _ = study_in_two_languages(owner)
    made = copy_study(study=study, slug="copy", title="Copy", owner=owner, with_items=False, with_pay=False)
    assert definition_of(made.study, with_pay=False)["forms"] == definition_of(study, with_pay=False)["forms"]
    assert made.study.translations == study.translations


@pytest.mark.parametrize(
    ("language", "message"),
    [("tlh", "Raters’ pages are not available in “tlh”"), ("en", "“en” is the language of the study itself")],
)
def test_a_language_without_pages_for_raters_or_of_the_study_itself_is_refused(owner, language, message):
    wrong = copy.deepcopy(DEFINITION)
    wrong["study"]["translations"] = {language: {"title": "Titel"}}
    with pytest.raises(InvalidContent) as caught:
        create_from_definition(definition=wrong, slug="wrong", owner=owner)
    assert (caught.value.code, message in caught.value.message) == ("invalid_definition", True)


def test_a_client_of_the_api_gets_every_language(owner):
    study, token = study_in_two_languages(owner)
    client = APIClient()
    joining = client.get(f"/api/v1/join/{token}/").json()
    assert joining["translations"][LANGUAGE]["consent"] == "您同意参加。"
    joined = client.post(f"/api/v1/join/{token}/", {"agree": True}, format="json").json()
    client.credentials(HTTP_AUTHORIZATION=f"Invitation {joined['token']}")
    page = client.get(f"/api/v1/rate/{study.slug}/next/").json()
    (one,) = page["form"]["translations"][LANGUAGE]["criteria"]
    assert (one["key"], one["name"]) == ("clarity", "清晰度")
    again = client.get(f"/api/v1/rate/{study.slug}/consent/").json()
    assert again["translations"] == {LANGUAGE: "您同意参加。"}


def test_the_texts_are_set_by_the_api(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    client = Client()
    client.force_login(owner)
    address = f"/api/v1/studies/{study.slug}/"
    sent = {"translations": {"ja": {"consent": "同意します。"}}}
    answer = client.patch(address, sent, content_type="application/json")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["translations"]["ja"]["consent"] == "同意します。"
    refused = client.patch(address, {"translations": {"ja": {"x": "y"}}}, content_type="application/json")
    assert refused.status_code == 400


def test_the_guide_of_a_protocol_is_in_chinese_with_its_punctuation_and_without_values_of_options(owner):
    for protocol, mark in (("cmdag_refined", "<b>喻意。</b>两者的共同点"), ("hauser", "<b>较差。</b>有关联")):
        study = create_demo_study(
            template=TEMPLATES[protocol], slug=protocol.replace("_", "-"), title="Texts", owner=owner
        )
        study = change_state(study=study, to=StudyState.OPEN, actor=owner)
        client = Client(headers={"accept-language": "zh-hans"})
        client.post(reverse("join", args=[invite(study=study, actor=owner).token]))
        guide = client.get(reverse("rate-guide", args=[study.slug])).content.decode()
        rubric = " ".join(guide.split()).replace("</b >", "</b>")
        assert mark in rubric
        assert ('<span class="num" dir="auto">2</span>' in rubric) == (protocol == "hauser")
        assert ">ground<" not in rubric


def test_the_page_names_underlined_components_in_its_language(owner):
    study = create_demo_study(template=TEMPLATES["hauser"], slug="marked", title="Texts", owner=owner)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    client = Client(headers={"accept-language": "ja"})
    client.post(reverse("join", args=[invite(study=study, actor=owner).token]))
    page = client.get(reverse("rate", args=[study.slug]), follow=True).content.decode()
    assert "下線：<bdi>喩辞</bdi>" in page
