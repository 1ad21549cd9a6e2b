"""The texts of attention checks are translated as the others are, and a check still looks like an item."""

from __future__ import annotations

import re
from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import Assignment, Check, Form, Study, User
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.quality.study_texts import all_texts, missing_by_language, text_groups
from annotation.selectors.studies.definition import definition_of
from annotation.services.quality.check_translations import translate_check
from annotation.services.quality.checks import create_check, create_check_form
from annotation.services.studies.definitions import copy_study, create_from_definition
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.translating import translate_texts
from tests.support.people import join
from tests.support.studies.two_languages import DEFINITION, LANGUAGE, Sitting, study_in_two_languages

pytestmark = pytest.mark.django_db
TEXTS = {
    "check/told/texts/simile": "请选择“{vehicle:清晰}”。",
    "check/known/name": "问题",
    "check/known/question": "它是什么？",
    "check/known/options/0": "灯",
    "check/known/options/1": "船",
}


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def planted(owner: User) -> tuple[Study, str]:
    """A draft in two languages with an instruction and a question, neither translated yet."""
    study, token = study_in_two_languages(owner, opened=False)
    Study.objects.filter(pk=study.pk).update(check_every=2)
    study.refresh_from_db()
    shared: dict[str, Any] = {"study": study, "actor": owner}
    create_check(
        **shared, key="told", kind=CheckKind.INSTRUCTED, form=Form.objects.get(study=study),
        settings={"told": {"clarity": 2}}, texts={"simile": "Choose “{vehicle:Clear}”."},
    )  # fmt: skip
    create_check(
        **shared, key="known", kind=CheckKind.KNOWLEDGE, settings={"right": "a lamp"},
        form=create_check_form(study=study, question="What was it?", options=["a lamp", "a boat"]),
        texts={"simile": "The lamp hung like a moon."},
    )  # fmt: skip
    return study, token


def opened(study: Study, owner: User) -> Study:
    return change_state(study=Study.objects.get(pk=study.pk), to=StudyState.OPEN, actor=owner)


def page_with(sitting: Sitting, key: str) -> str:
    """The page of a check, as if it came first."""
    page = sitting.page("rate")
    ask_instead(page.context["assignment"], key)
    return str(sitting.client.get(page.context["action"]).content.decode())


def ask_instead(assignment: int, key: str) -> None:
    check = Check.objects.select_related("form").get(key=key)
    shown = Assignment.objects.get(pk=assignment)
    shown.purpose, shown.check_planted, shown.seat = Purpose.CHECK, check, None
    assert check.item is not None
    shown.form, shown.item = check.form, check.item
    shown.version = check.form.versions.latest("number")
    shown.save()


def test_texts_of_checks_are_counted_and_translated_with_the_others(owner):
    study, _ = planted(owner)
    before = missing_by_language(study)[LANGUAGE]
    assert TEXTS.keys() <= {text.name for text in all_texts(text_groups(study))}
    assert translate_texts(study=study, actor=owner, language=LANGUAGE, texts=TEXTS) == len(TEXTS)
    assert missing_by_language(study)[LANGUAGE] == before - len(TEXTS)
    assert f"{before - len(TEXTS)} text" in " ".join(one.words for one in find_setup_warnings(study))


def test_raters_read_a_check_in_their_language_under_the_headings_of_items(owner):
    study, token = planted(owner)
    translate_texts(study=study, actor=owner, language=LANGUAGE, texts=TEXTS)
    opened(study, owner)
    chinese, english = Sitting(study, token, LANGUAGE), Sitting(study, token, "en")
    page = page_with(chinese, "told")
    assert re.search(f'lang="{LANGUAGE}">请选择“(<[^>]+>)?清晰(</[^>]+>)?”。', page), page
    assert "Choose “" not in page
    page = page_with(chinese, "known")
    for text in ("它是什么？", ">灯<", f'lang="{LANGUAGE}" dir="auto">问题', 'value="a lamp"'):
        assert text in page, text
    assert ("明喻" in page, "The lamp hung like a moon." in page) == (True, True)
    page = page_with(english, "known")
    assert ("What was it?" in page, "它是什么？" in page) == (True, False)


def test_without_translations_the_headings_of_a_check_are_still_those_of_items(owner):
    study, token = planted(owner)
    opened(study, owner)
    chinese = Sitting(study, token, LANGUAGE)
    item = chinese.page("rate").content.decode()
    headings = re.findall(r"<[^>]+>明喻</[^>]+>", item)
    assert headings
    assert re.findall(r"<[^>]+>明喻</[^>]+>", page_with(chinese, "known")) == headings


def test_the_heading_of_an_own_question_is_in_the_language_of_the_study(owner):
    study, _ = study_in_two_languages(owner, opened=False)
    study.language = "ja"
    form = create_check_form(study=study, question="何でしたか。")
    assert form.versions.get().criteria.get().name == "質問"


def test_a_client_of_the_api_is_sent_the_same_translations(owner):
    study, _ = planted(owner)
    translate_texts(study=study, actor=owner, language=LANGUAGE, texts=TEXTS)
    opened(study, owner)
    _, client = join(study.invitations.get())
    number = client.get(f"/api/v1/rate/{study.slug}/next/").json()["assignment"]
    ask_instead(number, "known")
    form = client.get(f"/api/v1/rate/{study.slug}/{number}/").json()["form"]
    (criterion,) = form["translations"][LANGUAGE]["criteria"]
    assert criterion["question"] == "它是什么？"
    assert form["translations"][LANGUAGE]["blocks"] == [{"field": "simile", "label": "明喻"}]


def test_a_definition_and_a_copy_have_the_translations(owner):
    study, _ = planted(owner)
    translate_texts(study=study, actor=owner, language=LANGUAGE, texts=TEXTS)
    instructed, known = definition_of(study, with_pay=False)["checks"]["planted"]
    assert instructed["translations"][LANGUAGE]["texts"] == {"simile": "请选择“{vehicle:清晰}”。"}
    assert known["translations"] == {
        LANGUAGE: {"name": "问题", "question": "它是什么？", "options": ["灯", "船"], "texts": {}}
    }
    made = copy_study(study=study, slug="copy", title="Copy", owner=owner, with_items=True, with_pay=True)
    assert definition_of(made.study, with_pay=False)["checks"]["planted"] == [instructed, known]


@pytest.mark.parametrize(
    ("translation", "message"),
    [
        ({"options": ["灯"]}, "Translate all options"),
        ({"texts": {"other": "请选择。"}}, "has no text “texts other”"),
    ],
)
def test_a_definition_with_a_translation_that_does_not_fit_is_refused(owner, translation, message):
    check = {
        "key": "known",
        "kind": "knowledge",
        "question": "What was it?",
        "options": ["a lamp", "a boat"],
        "texts": {"simile": "The lamp hung like a moon."},
        "settings": {"right": "a lamp"},
        "translations": {LANGUAGE: translation},
    }
    with pytest.raises(InvalidContent) as caught:
        create_from_definition(
            definition={**DEFINITION, "checks": {"every": 2, "planted": [check]}}, slug="wrong", owner=owner
        )
    assert message in caught.value.message
    assert not Study.objects.exists()


def test_some_options_of_a_check_are_refused_and_nothing_is_saved(owner):
    study, _ = planted(owner)
    with pytest.raises(InvalidContent) as caught:
        translate_texts(
            study=study,
            actor=owner,
            language="ja",
            texts={"study/title": "直喩", "check/known/options/0": "灯"},
        )
    assert list(caught.value.fields) == ["check/known/options/1"]
    assert "ja" not in Study.objects.get(pk=study.pk).translations


def test_checks_of_an_open_study_stay_as_raters_read_them(owner):
    study, _ = planted(owner)
    opened(study, owner)
    with pytest.raises(NotAllowedNow):
        translate_check(
            check=Check.objects.get(key="known"), actor=owner, language=LANGUAGE, texts={("question",): "？"}
        )
