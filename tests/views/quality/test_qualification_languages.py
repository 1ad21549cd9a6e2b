"""What raters read before the main work is in their language where it is translated, and says which."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from annotation.domain.base.errors import InvalidContent
from annotation.models import BackgroundPage, CalibrationItem, Study, User
from annotation.selectors.studies.definition import definition_of
from annotation.services.people.contact import set_contact
from annotation.services.quality.approval import release_notes, write_note
from annotation.services.quality.qualification_setup import write_page
from annotation.services.studies.definitions import copy_study
from tests.support.studies.two_languages import LANGUAGE, QUALIFICATION, Sitting, study_in_two_languages

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def test_a_background_page_and_the_reason_of_a_reference_are_read_in_chinese(owner):
    study, token = study_in_two_languages(owner, qualifies=True)
    chinese = Sitting(study, token, LANGUAGE)
    page = chinese.page("rate").content.decode()
    assert f'<article class="narrow stack" lang="{LANGUAGE}">' in page
    assert f'<h1 lang="{LANGUAGE}" dir="auto">什么是明喻</h1>' in page
    assert "作比较" in page
    chinese.client.post(f"/rate/{study.slug}/background/1/")
    first = chinese.answer()
    feedback = chinese.client.get(f"/rate/{study.slug}/{first.assignment_id}/feedback/").content.decode()
    assert f'<div class="prose" lang="{LANGUAGE}" dir="auto"><p>钟会响。' in feedback
    second = chinese.answer()
    feedback = chinese.client.get(f"/rate/{study.slug}/{second.assignment_id}/feedback/").content.decode()
    assert '<div class="prose" lang="en" dir="auto"><p>A stone does not ring.' in feedback


def test_notes_from_the_discussion_are_read_in_chinese_until_the_note_changes(owner):
    study, token = study_in_two_languages(owner, qualifies=True)
    chinese = Sitting(study, token, LANGUAGE)
    chinese.client.post(f"/rate/{study.slug}/background/1/")
    chinese.answer()
    chinese.answer()
    item = CalibrationItem.objects.earliest("pk")
    write_note(calibration=item, note="We agree.", actor=owner)
    write_note(calibration=item, note="We agree.", actor=owner, translations={LANGUAGE: "我们同意。"})
    release_notes(qualification=item.qualification, released=True, actor=owner)
    notes = chinese.page("rate-notes").content.decode()
    assert f'<div class="prose" lang="{LANGUAGE}" dir="auto"><p>我们同意。' in notes
    assert "钟会响。" in notes
    write_note(calibration=item, note="We do not agree.", actor=owner)
    notes = chinese.page("rate-notes").content.decode()
    assert ("We do not agree." in notes, "我们同意。" in notes, "钟会响。" in notes) == (True, False, True)


def test_a_changed_page_loses_the_translation_of_what_changed(owner):
    study_in_two_languages(owner, qualifies=True, opened=False)
    page = BackgroundPage.objects.get()
    write_page(
        qualification=page.qualification, actor=owner, title=page.title, text="It compares two.", page=page
    )
    assert page.translations == {LANGUAGE: {"title": "什么是明喻"}}
    write_page(qualification=page.qualification, actor=owner, title="Similes", text=page.text, page=page)
    assert page.translations == {}


def test_a_page_in_a_language_without_raters_pages_is_refused(owner):
    study_in_two_languages(owner, qualifies=True, opened=False)
    page = BackgroundPage.objects.get()
    with pytest.raises(InvalidContent) as caught:
        write_page(
            qualification=page.qualification,
            actor=owner,
            title=page.title,
            text=page.text,
            page=page,
            translations={"tlh": {"title": "x"}},
        )
    assert caught.value.code == "language_not_offered"


def test_a_copy_has_the_translations_of_the_qualification_and_not_those_of_the_contact(owner):
    study, _ = study_in_two_languages(owner, qualifies=True)
    set_contact(study=study, actor=owner, contact="The lab", translations={LANGUAGE: "实验室"})
    made = copy_study(study=study, slug="copy", title="Copy", owner=owner, with_items=False, with_pay=False)
    section = definition_of(made.study, with_pay=False)["qualification"]
    assert section == definition_of(study, with_pay=False)["qualification"]
    assert section["pages"][0]["translations"] == QUALIFICATION["pages"][0]["translations"]
    assert section["items"][0]["translations"] == QUALIFICATION["items"][0]["translations"]
    assert made.study.contact_translations == {}


def test_the_contact_is_read_in_chinese_until_it_changes(owner):
    study, token = study_in_two_languages(owner)
    set_contact(study=study, actor=owner, contact="The lab", translations={LANGUAGE: "实验室"})
    chinese = Sitting(study, token, LANGUAGE)
    assert f'<span lang="{LANGUAGE}" dir="auto">实验室</span>' in chinese.join_page
    assert f'<span lang="{LANGUAGE}" dir="auto">实验室</span>' in chinese.page("rate-pause").content.decode()
    set_contact(study=study, actor=owner, contact="The lab")
    assert Study.objects.get(pk=study.pk).contact_translations == {LANGUAGE: "实验室"}
    set_contact(study=study, actor=owner, contact="Another lab")
    page = Sitting(study, token, LANGUAGE).join_page
    assert '<span lang="en" dir="auto">Another lab</span>' in page


def test_a_client_of_the_api_gets_every_language_of_them(owner):
    study, token = study_in_two_languages(owner, qualifies=True)
    set_contact(study=study, actor=owner, contact="The lab", translations={LANGUAGE: "实验室"})
    client = APIClient()
    assert client.get(f"/api/v1/join/{token}/").json()["contact_translations"] == {LANGUAGE: "实验室"}
    joined = client.post(f"/api/v1/join/{token}/", {"agree": True}, format="json").json()
    client.credentials(HTTP_AUTHORIZATION=f"Invitation {joined['token']}")
    (page,) = client.get(f"/api/v1/rate/{study.slug}/background/").json()
    assert page["translations"] == QUALIFICATION["pages"][0]["translations"]


def test_the_contact_is_translated_by_the_api(owner):
    study, _ = study_in_two_languages(owner)
    client = APIClient()
    client.force_login(owner)
    sent = {"contact": "The lab", "translations": {LANGUAGE: "实验室"}}
    assert client.put(f"/api/v1/studies/{study.slug}/contact/", sent, format="json").json() == sent
    sent = {"contact": "The lab", "translations": {"tlh": "x"}}
    refused = client.put(f"/api/v1/studies/{study.slug}/contact/", sent, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "language_not_offered")
