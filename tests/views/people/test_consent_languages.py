"""A new consent text has its translations: the earlier ones are offered, none is lost unseen."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, ConsentText, Study, User
from annotation.selectors.questions.text_languages import language_name
from tests.support.studies.two_languages import LANGUAGE, STUDY, study_in_two_languages

pytestmark = pytest.mark.django_db
FIELD, FITS = f"text-{LANGUAGE}", f"fits-{LANGUAGE}"
OLD = STUDY["translations"][LANGUAGE]["consent"]


class Admin:
    """An owner with the page of the consent text open."""

    def __init__(self) -> None:
        owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
        self.study, _ = study_in_two_languages(owner)
        self.client = Client()
        self.client.force_login(owner)
        self.address = reverse("study-consent", args=[self.study.slug])

    @property
    def page(self) -> str:
        return str(self.client.get(self.address).content.decode())

    def send(self, **fields: str) -> Any:
        shown = {"text": STUDY["consent"], FIELD: OLD, "text-ja": ""}
        return self.client.post(self.address, shown | fields)

    @property
    def in_force(self) -> tuple[int, str, dict[str, str]]:
        found = ConsentText.objects.filter(study=self.study).latest("number")
        return found.number, found.text, found.translations


@pytest.fixture
def admin() -> Admin:
    return Admin()


def test_the_page_offers_the_translations_of_the_text_in_force(admin):
    page = admin.page
    assert f'lang="{LANGUAGE}"' in page
    assert f"{OLD}</textarea>" in page
    assert 'name="text-ja"' in page
    assert 'name="text-en"' not in page


def test_a_translation_of_the_text_before_does_not_pass_for_one_of_the_new_text(admin):
    answer = admin.send(text="You agree to more.")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This translation belongs to the previous consent form." in page
    assert ("You agree to more.</textarea>" in page, f"{OLD}</textarea>" in page) == (True, True)
    assert admin.in_force == (1, STUDY["consent"], {LANGUAGE: OLD})


def test_a_page_that_lacks_the_field_loses_no_translation(admin):
    answer = admin.client.post(admin.address, {"text": "You agree to more."})
    assert answer.status_code == 422
    assert admin.in_force[0] == 1


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({FIELD: "您同意更多。"}, {LANGUAGE: "您同意更多。"}),
        ({FITS: "on"}, {LANGUAGE: OLD}),
        ({FIELD: ""}, {}),
        (
            {FIELD: "您同意更多。", "text-ja": "さらに同意します。"},
            {LANGUAGE: "您同意更多。", "ja": "さらに同意します。"},
        ),
    ],
)
def test_the_new_text_is_in_force_with_what_was_decided_of_its_translations(admin, sent, stored):
    assert admin.send(text="You agree to more.", **sent).status_code == 302
    assert admin.in_force == (2, "You agree to more.", stored)
    texts = Study.objects.get(pk=admin.study.pk).translations
    assert {language: one["consent"] for language, one in texts.items() if one["consent"]} == stored


def test_a_translation_alone_makes_a_new_version_and_no_change_makes_none(admin):
    assert admin.send().status_code == 302
    assert admin.in_force[0] == 1
    assert not AuditEntry.objects.filter(study=admin.study, act="change_consent").exists()
    assert admin.send(**{"text-ja": "参加に同意します。"}).status_code == 302
    assert admin.in_force == (2, STUDY["consent"], {LANGUAGE: OLD, "ja": "参加に同意します。"})
    assert "参加に同意します。</p>" in admin.page


def test_languages_are_shown_by_their_own_names(admin):
    names = {"zh-hans": "简体中文", "ja": "日本語", "zh": "中文", "de-AT": "Deutsch", "tlh": "tlh"}
    assert {code: language_name(code) for code in names} == names
    ConsentText.objects.create(study=admin.study, number=9, text="Yes.", translations={LANGUAGE: "好。"})
    heading = f'<h3><span lang="{LANGUAGE}">{language_name(LANGUAGE)}</span></h3>'
    assert heading in admin.page
    assert 'Translation: <span lang="ja">日本語</span>' in admin.page
    settings = admin.client.get(reverse("study-texts", args=[admin.study.slug])).content.decode()
    assert '<option value="ja" lang="ja">日本語</option>' in settings
    forms = str(admin.client.get(reverse("study-forms", args=[admin.study.slug])).content.decode())
    translated = forms[forms.index("Translated into:") :]
    assert f'<span lang="{LANGUAGE}">{language_name(LANGUAGE)}</span>' in translated
    ConsentText.objects.filter(study=admin.study).update(translations={})
    assert heading not in admin.page
