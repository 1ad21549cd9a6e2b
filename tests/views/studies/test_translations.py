"""A study is translated on one page: text next to text, all saved or nothing, by the rules of each text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Role, StudyState
from annotation.models import AuditEntry, BackgroundPage, CalibrationItem, Form, FormVersion, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.quality.study_texts import all_texts, missing_by_language, text_groups
from annotation.selectors.studies.definition import definition_of, form_as_document
from annotation.services.people.contact import set_contact
from annotation.services.people.members import add_member
from annotation.services.quality.approval import write_note
from annotation.services.studies.form_editing import change_form, newest_version
from annotation.services.studies.lifecycle import change_state, create_from_template, edit_study
from tests.support.studies.two_languages import LANGUAGE, Sitting, study_in_two_languages

pytestmark = pytest.mark.django_db
CRITERION = "text-form/similes/criteria/clarity"


class Translator:
    """A member with the page of one language open."""

    def __init__(self, study: Study, user: User, language: str = "ja") -> None:
        self.study, self.language, self.client = study, language, Client()
        self.client.force_login(user)
        self.address = reverse("study-translations", args=[study.slug])
        self.page = self.client.get(self.address, {"language": language})

    @property
    def fields(self) -> dict[str, str]:
        """What the page would send unchanged."""
        rows = [row for group in self.page.context["groups"] if group["may_change"] for row in group["rows"]]
        sent = {row["field"]: row["value"] for row in rows}
        seen = {name: self.page.context[name] for name in ("seen", "before")}
        return sent | seen | {"language": self.language}

    def save(self, act: str = "save", **given: str) -> Any:
        changed = {name.replace("__", "/"): text for name, text in given.items()}
        return self.send({**self.fields, "act": act} | changed)

    def send(self, fields: dict[str, str]) -> Any:
        return self.client.post(self.address, fields)


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


@pytest.fixture
def draft(owner: User) -> Study:
    return study_in_two_languages(owner, opened=False, asks=True)[0]


def stored(study: Study, language: str) -> dict[str, str]:
    groups = text_groups(Study.objects.get(pk=study.pk))
    return {
        text.name: text.translations[language] for text in all_texts(groups) if language in text.translations
    }


def test_every_kind_of_text_is_translated_at_once_and_is_in_the_definition(owner, draft):
    given = {
        "study/title": "直喩",
        "study/consent": "参加に同意します。",
        "form/similes/criteria/clarity/question": "どのくらい明確ですか。",
        "form/similes/criteria/clarity/points/1/label": "不明確",
        "question/reads/text": "読書の頻度は？",
        "question/reads/options/0": "よく",
        "question/reads/options/1": "まったく",
    }
    page = Translator(draft, owner)
    answer = page.send(page.fields | {f"text-{name}": text for name, text in given.items()})
    assert answer.status_code == 302, answer.context["refusal"]
    assert stored(draft, "ja") == given
    definition = definition_of(Study.objects.get(pk=draft.pk), with_pay=False)
    assert definition["study"]["translations"]["ja"]["title"] == "直喩"
    (criterion,) = definition["forms"][0]["translations"]["ja"]["criteria"]
    assert criterion["points"] == [{"value": "1", "label": "不明確", "description": ""}]
    assert definition["demographics"][0]["translations"]["ja"]["options"] == ["よく", "まったく"]
    entry = AuditEntry.objects.filter(study=draft, act="translate_texts").get()
    assert (entry.actor, entry.detail) == (owner, {"language": "ja", "texts": len(given)})


def test_what_comes_before_rating_is_translated_on_the_same_page(owner):
    study, _ = study_in_two_languages(owner, qualifies=True, opened=False)
    set_contact(study=study, actor=owner, contact="The lab")
    page, item = BackgroundPage.objects.get(), CalibrationItem.objects.earliest("pk")
    given = {
        f"page/{page.pk}/title": "直喩とは",
        f"reason/{item.pk}/reason": "鐘は鳴る。",
        "contact/text": "研究室",
        "form/similes/examples/1/reason": "誰にでも聞こえる。",
    }
    sent = Translator(study, owner)
    answer = sent.send(sent.fields | {f"text-{name}": text for name, text in given.items()})
    assert answer.status_code == 302, answer.context["refusal"]
    assert stored(study, "ja") == given
    assert stored(study, LANGUAGE)[f"page/{page.pk}/title"] == "什么是明喻"


def test_the_contact_and_the_notes_are_translated_in_an_open_study_by_members_who_may_change_them(owner):
    study, _ = study_in_two_languages(owner, qualifies=True)
    set_contact(study=study, actor=owner, contact="The lab")
    item = CalibrationItem.objects.earliest("pk")
    write_note(calibration=item, note="We agree.", actor=owner)
    page = Translator(study, owner)
    assert {name.split("/")[0] for name in page.fields if name.startswith("text-")} == {
        "text-contact",
        "text-form",
        "text-note",
    }
    given = {"contact/text": "研究室", f"note/{item.pk}/note": "同意する。"}
    assert page.send(page.fields | {f"text-{name}": text for name, text in given.items()}).status_code == 302
    assert stored(study, "ja") == given
    assert FormVersion.objects.filter(form__study=study).count() == 1


def test_a_researcher_who_may_not_change_the_contact_does_not_translate_it(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    set_contact(study=study, actor=owner, contact="The lab")
    user = User.objects.create_user("researcher@example.org", "simile-and-metaphor-42")
    add_member(study=study, user=user, role=Role.RESEARCHER, actor=owner)
    page = Translator(study, user)
    assert "text-contact/text" not in page.fields
    assert page.send(page.fields | {"text-contact/text": "研究室"}).status_code == 403
    assert stored(study, "ja") == {}


def test_another_language_stays_and_saving_what_is_stored_changes_nothing(owner, draft):
    before = stored(draft, LANGUAGE)
    assert Translator(draft, owner, LANGUAGE).save().status_code == 302
    Translator(draft, owner).save(**{"text-study__title": "直喩"})
    assert stored(draft, LANGUAGE) == before
    assert AuditEntry.objects.filter(study=draft, act="translate_texts").count() == 1
    assert not AuditEntry.objects.filter(study=draft, act="change_form").exists()


def test_an_emptied_field_takes_the_translation_away(owner, draft):
    page = Translator(draft, owner, LANGUAGE)
    sent = {name: "" if name.startswith("text-") else text for name, text in page.fields.items()}
    assert page.send(sent).status_code == 302
    study = Study.objects.get(pk=draft.pk)
    assert stored(study, LANGUAGE) == {}
    assert (study.translations, find_setup_warnings(study)) == ({}, find_setup_warnings(study))
    assert "missing in" not in " ".join(one.words for one in find_setup_warnings(study))


def test_the_page_counts_what_is_missing_as_the_overview_does(owner, draft):
    page = Translator(draft, owner, LANGUAGE).page
    counts = {one["code"]: one["missing"] for one in page.context["languages"]}
    warning = f'{counts[LANGUAGE]} texts are not translated into <span lang="zh-hans">简体中文</span>'
    assert any(warning in one.words for one in find_setup_warnings(draft))
    # The title may be the same in every language.
    assert counts["ja"] == page.context["n_texts"] - 1
    assert 'href="?language=zh-hans" aria-current="page"' in page.content.decode()
    assert "en" not in counts


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("study/title", "明喩\n隠喩", "This text must be on one line"),
        ("study/title", "長" * 201, "has 201 characters. Shorten it to 200."),
        ("form/similes/criteria/clarity/name", "長" * 121, "has 121 characters. Shorten it to 120."),
        ("study/consent", "nul\0", "The text contains an invalid character"),
        ("form/similes/criteria/other/name", "他", "The study no longer has this text"),
    ],
)
def test_a_translation_that_cannot_be_used_is_named_and_nothing_is_saved(owner, draft, name, text, message):
    page = Translator(draft, owner)
    answer = page.send(page.fields | {"text-study/description": "説明", f"text-{name}": text})
    assert answer.status_code == 422
    assert "Nothing was saved" in answer.context["refusal"]
    rows = [row for group in answer.context["groups"] for row in group["rows"]]
    problems = {row["text"].name: row["problem"] for row in rows if row["problem"]}
    assert problems == {} or (list(problems) == [name] and message in problems[name])
    assert problems or name.startswith("form/similes/criteria/other")
    assert stored(draft, "ja") == {}


def test_what_was_typed_remains_and_the_error_is_at_its_field(owner, draft):
    answer = Translator(draft, owner).save(**{"text-study__title": "長" * 201, "text-study__consent": "同意"})
    page = answer.content.decode()
    (field,) = re.findall('<textarea id="text-study/title"[^>]*>', page)
    assert 'lang="ja" dir="auto"' in field
    assert 'aria-invalid="true" aria-describedby="text-study/title-problem"' in field
    assert "同意</textarea>" in page
    assert "長" * 201 in page
    assert page.count('id="text-study/title-problem"') == 1


def test_some_options_of_a_question_are_refused_at_the_empty_ones(owner, draft):
    answer = Translator(draft, owner).save(**{"text-question__reads__options__0": "よく"})
    rows = [row for group in answer.context["groups"] for row in group["rows"]]
    assert [row["text"].name for row in rows if row["problem"]] == ["question/reads/options/1"]
    assert (answer.status_code, stored(draft, "ja")) == (422, {})


def test_a_text_that_was_changed_meanwhile_is_not_given_the_translation_of_the_old_one(owner, draft):
    page = Translator(draft, owner)
    edit_study(study=draft, actor=owner, title="Metaphors")
    answer = page.save(**{"text-study__title": "直喩"})
    assert (answer.status_code, stored(draft, "ja")) == (409, {})
    html = answer.content.decode()
    assert "Metaphors" in html
    assert "直喩</textarea>" in html
    page.page = answer
    assert page.save(**{"text-study__title": "隠喩"}).status_code == 302
    assert stored(draft, "ja") == {"study/title": "隠喩"}


def test_what_another_member_saved_meanwhile_is_shown_and_not_overwritten(owner, draft):
    other = User.objects.create_user("researcher@example.org", "simile-and-metaphor-42")
    add_member(study=draft, user=other, role=Role.RESEARCHER, actor=owner)
    first, second = Translator(draft, other), Translator(draft, owner)
    first.save(**{"text-study__title": "直喩", "text-study__consent": "同意する。"})
    answer = second.save(**{"text-study__title": "明喩", "text-study__description": "説明"})
    html = answer.content.decode()
    assert (answer.status_code, stored(draft, "ja")) == (
        409,
        {"study/title": "直喩", "study/consent": "同意する。"},
    )
    rows = {row["text"].name: row for group in answer.context["groups"] for row in group["rows"]}
    assert [name for name, row in rows.items() if row["problem"]] == ["study/title"]
    assert (rows["study/title"]["value"], rows["study/title"]["stored"]) == ("明喩", "直喩")
    # What was not typed here is shown as it is now.
    assert (rows["study/consent"]["value"], rows["study/description"]["value"]) == ("同意する。", "説明")
    assert '<div class="verbatim" lang="ja" dir="auto">直喩</div>' in html
    assert "Last saved by researcher@example.org" in html

    second.page = answer
    assert second.save().status_code == 302
    assert stored(draft, "ja") == {
        "study/title": "明喩",
        "study/consent": "同意する。",
        "study/description": "説明",
    }


def test_two_people_who_translate_different_texts_lose_nothing(owner, draft):
    first, second = Translator(draft, owner), Translator(draft, owner)
    first.save(**{"text-study__title": "直喩"})
    assert second.save(**{"text-study__consent": "同意する。"}).status_code == 302
    assert stored(draft, "ja") == {"study/title": "直喩", "study/consent": "同意する。"}


def test_a_translation_that_was_removed_meanwhile_is_not_put_back_unseen(owner, draft):
    first, second = Translator(draft, owner, LANGUAGE), Translator(draft, owner, LANGUAGE)
    first.save(**{"text-study__title": ""})
    assert second.save(**{"text-study__description": "明喻有多好。"}).status_code == 302
    assert "study/title" not in stored(draft, LANGUAGE)
    third = Translator(draft, owner, LANGUAGE)
    first.save(**{"text-study__consent": ""})
    answer = third.save(**{"text-study__consent": "您同意。"})
    assert answer.status_code == 409
    assert "Another study member removed this translation." in answer.content.decode()


def test_a_conflict_is_still_found_after_a_page_that_named_another_error(owner, draft):
    first, second = Translator(draft, owner), Translator(draft, owner)
    second.page = second.save(**{"text-study__title": "長" * 201})
    assert second.page.status_code == 422
    first.save(**{"text-study__title": "直喩"})
    assert second.save(**{"text-study__title": "明喩"}).status_code == 409
    assert stored(draft, "ja") == {"study/title": "直喩"}


@pytest.mark.parametrize("language", ["en", "tlh", ""])
def test_a_language_without_pages_for_raters_or_of_the_study_itself_is_refused(owner, draft, language):
    page = Translator(draft, owner)
    answer = page.send({**page.fields, "language": language, "text-study/title": "x"})
    assert answer.status_code == 422
    assert Study.objects.get(pk=draft.pk).translations.keys() == {LANGUAGE}


def test_in_an_open_study_only_forms_are_translated_and_raters_keep_what_they_were_shown(owner):
    study, _ = study_in_two_languages(owner, asks=True)
    before = definition_of(study, with_pay=False)
    page = Translator(study, owner)
    assert {name.split("/")[0] for name in page.fields if name.startswith("text-")} == {"text-form"}
    answer = page.send(page.fields | {"text-study/title": "直喩"})
    assert (answer.status_code, stored(study, "ja")) == (409, {})
    assert page.save(**{f"{CRITERION.replace('/', '__')}__name": "明確さ"}).status_code == 302
    numbers = FormVersion.objects.filter(form__study=study).values_list("number", "translations")
    assert [(number, "ja" in translations) for number, translations in numbers] == [(1, False), (2, True)]
    after = definition_of(Study.objects.get(pk=study.pk), with_pay=False)
    assert (after["study"], after["demographics"]) == (before["study"], before["demographics"])


def test_a_new_version_that_matters_to_the_statistics_is_saved_once_that_was_read(owner):
    study, token = study_in_two_languages(owner)
    Sitting(study, token, "en").answer()
    page, name = Translator(study, owner), f"{CRITERION.replace('/', '__')}__name"
    asked = page.save(**{name: "明確さ"})
    html = asked.content.decode()
    assert asked.status_code == 200
    assert "Nothing is saved yet." in html
    assert "1 response keeps version 1." in html
    assert "明確さ</textarea>" in html
    assert stored(study, "ja") == {}
    assert page.save("save-version", **{name: "明確さ"}).status_code == 302
    assert stored(study, "ja") == {"form/similes/criteria/clarity/name": "明確さ"}


def test_a_researcher_translates_a_draft_and_reads_an_open_study(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    user = User.objects.create_user("researcher@example.org", "simile-and-metaphor-42")
    add_member(study=study, user=user, role=Role.RESEARCHER, actor=owner)
    assert Translator(study, user).save(**{"text-study__title": "直喩"}).status_code == 302
    change_state(study=study, to=StudyState.OPEN, actor=owner)
    page = Translator(study, user)
    assert "<textarea" not in page.page.content.decode()
    assert page.save().status_code == 403


def test_a_closed_study_is_only_read(owner):
    study, _ = study_in_two_languages(owner)
    change_state(study=study, to=StudyState.CLOSED, actor=owner)
    page = Translator(study, owner, LANGUAGE).page.content.decode()
    assert "清晰度" in page
    assert "<textarea" not in page


def test_a_changed_text_asks_for_its_translation_again(owner, draft):
    form = Form.objects.get(study=draft)
    document = form_as_document(newest_version(form))
    del document["translations"]
    document["criteria"][0]["question"] = "Is it clear?"
    change_form(form=form, document=document, actor=owner)
    assert "form/similes/criteria/clarity/question" not in stored(draft, LANGUAGE)
    assert "form/similes/criteria/clarity/name" in stored(draft, LANGUAGE)


def test_more_than_a_thousand_fields_are_taken(draft: Study, owner: User) -> None:
    translator = Translator(draft, owner)
    many = {f"more-{number}": "" for number in range(2000)}
    answer = translator.send({**many, **translator.fields, "act": "save"})
    assert answer.status_code == 302


def test_the_practice_item_is_translated_and_read_in_the_language_of_the_page(owner, draft):
    form = Form.objects.get(study=draft)
    document = form_as_document(newest_version(form))
    document["practice"] = [{"field": "simile", "text": "It fell like {vehicle:a stone}."}]
    change_form(form=form, document=document, actor=owner)
    translator, name = Translator(draft, owner, LANGUAGE), "form/similes/practice/simile"
    assert f"text-{name}" in translator.fields
    answer = translator.save(**{f"text-{name.replace('/', '__')}": "它像{vehicle:石头}一样落下。"})
    assert (answer.status_code, stored(draft, LANGUAGE)[name]) == (302, "它像{vehicle:石头}一样落下。")
    change_state(study=Study.objects.get(pk=draft.pk), to=StudyState.OPEN, actor=owner)
    token = draft.invitations.get().token
    chinese, english = Sitting(draft, token, LANGUAGE), Sitting(draft, token, "en")
    page = chinese.page("rate-practice").content.decode()
    assert f'lang="{LANGUAGE}">它像' in page
    assert "石头" in page
    assert 'lang="en">It fell like' in english.page("rate-practice").content.decode()


def test_a_changed_practice_text_asks_for_its_translation_again(owner, draft):
    form = Form.objects.get(study=draft)
    document = form_as_document(newest_version(form))
    document["practice"] = [{"field": "simile", "text": "It fell like a stone."}]
    document["translations"][LANGUAGE]["practice"] = [{"field": "simile", "text": "它像石头一样落下。"}]
    change_form(form=form, document=document, actor=owner)
    name = "form/similes/practice/simile"
    assert name in stored(draft, LANGUAGE)
    del document["translations"]
    document["practice"] = [{"field": "simile", "text": "It fell like rain."}]
    change_form(form=form, document=document, actor=owner)
    assert name not in stored(draft, LANGUAGE)


def test_all_translations_into_a_language_are_removed_from_a_draft_and_no_others(owner):
    study = create_from_template(template=TEMPLATES["hanna"], slug="hanna", title="Stories", owner=owner)
    page = Translator(study, owner)
    assert page.save(act="remove").status_code == 302
    study.refresh_from_db()
    groups = text_groups(study)
    assert {language for text in all_texts(groups) for language in text.translations} == {"zh-hans"}
    assert "ja" not in missing_by_language(study)
    assert b'value="remove"' not in Translator(study, owner).page.content
    assert b'value="remove"' in Translator(study, owner, "zh-hans").page.content


def test_translations_of_a_study_that_is_open_are_not_removed_together(owner):
    study, _ = study_in_two_languages(owner, opened=True, asks=True)
    before = definition_of(study, with_pay=True)
    page = Translator(study, owner)
    page.save(act="remove")
    assert definition_of(study, with_pay=True) == before
