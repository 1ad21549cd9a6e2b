"""Every text of every protocol exists in Chinese and Japanese, and each study of it gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from annotation.domain.questions.text_languages import STUDY_TEXTS, form_texts
from annotation.models import FormVersion, Study, User
from annotation.protocols.definition_forms import form_document
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import split_by_criterion
from annotation.protocols.template import StudyTemplate
from annotation.protocols.translations.tables import BY_PROTOCOL, protocol_texts
from annotation.selectors.quality.study_texts import all_texts, missing_by_language, text_groups
from annotation.selectors.studies.definition import form_as_document
from annotation.services.people.contact import set_contact
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.form_editing import change_form, newest_version
from annotation.services.studies.lifecycle import create_from_template, edit_study

LANGUAGES = ("zh-hans", "ja")
KANA, HAN = re.compile(r"[぀-ヿ]"), re.compile(r"[一-鿿]")
MARKUP = re.compile(r"\{[^}]*\}|%\(\w+\)[sd]|<[^>]+>|_{2,}|\n\n")
LATIN = re.compile(r"[A-Za-z]+")
# Shorter Japanese texts may be nouns without kana.
LONGEST_NOUN = 10


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def rater_texts(template: StudyTemplate) -> Iterator[str]:
    """The English texts of a protocol, and of its demo checks."""
    yield from (getattr(template, name) for name in STUDY_TEXTS)
    for form in template.forms:
        yield form.title
        yield from form_texts(form_document(form, overlap=1, per_rater=None)).values()
    for check in template.demo.checks:
        yield from (check.question, *check.options)


def tables(template: StudyTemplate) -> dict[str, dict[str, str]]:
    further = protocol_texts(template, own="en", offered=LANGUAGES).further
    return {language: dict(texts) for language, texts in further.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_protocol_lacks_a_translation(language):
    missing = [
        (key, text)
        for key, template in TEMPLATES.items()
        for text in dict.fromkeys(rater_texts(template))
        if text and not tables(template).get(language, {}).get(text, "").strip()
    ]
    assert missing == []


@pytest.mark.parametrize("key", TEMPLATES)
def test_translations_have_the_markup_and_the_quoted_words_of_their_text(key):
    for texts in tables(TEMPLATES[key]).values():
        for english, translated in texts.items():
            assert sorted(MARKUP.findall(translated)) == sorted(MARKUP.findall(english)), english
            assert ("；" not in english) or ("；" in translated), english
            assert set(LATIN.findall(translated)) <= set(LATIN.findall(english)), translated


@pytest.mark.parametrize("key", TEMPLATES)
def test_translations_are_in_the_script_of_their_language(key):
    found = tables(TEMPLATES[key])
    for translated in found["zh-hans"].values():
        assert HAN.search(translated), translated
        assert not KANA.search(translated), translated
    for translated in found["ja"].values():
        assert KANA.search(translated) or 0 < len(HAN.findall(translated)) <= LONGEST_NOUN, translated


def test_no_translation_is_of_a_text_that_no_protocol_has():
    wanted = {text for template in TEMPLATES.values() for text in rater_texts(template)}
    unused = {
        text
        for key, languages in BY_PROTOCOL.items()
        if key != "hauser"
        for texts in languages.values()
        for text in texts
        if text not in wanted
    }
    assert unused == set()


@pytest.mark.parametrize("key", TEMPLATES)
def test_a_demo_study_has_every_text_in_each_language(key, owner):
    template = TEMPLATES[key]
    study = create_demo_study(template=template, slug="demo", title=template.title, owner=owner)
    for text in all_texts(text_groups(study)):
        assert set(text.translations) == set(LANGUAGES), text.name
    assert set(missing_by_language(study).values()) == {0}


def test_criteria_on_pages_of_their_own_have_their_translations(owner):
    study = create_from_template(
        template=split_by_criterion(TEMPLATES["hanna"]), slug="apart", title="Stories", owner=owner
    )
    for version in FormVersion.objects.filter(form__study=study):
        (criterion,) = version.translations["ja"]["criteria"]
        assert criterion["key"] == version.criteria.get().key


def test_a_title_and_an_address_alone_cause_no_warning(owner):
    study = create_from_template(template=TEMPLATES["miyazawa"], slug="own", title="Rivers", owner=owner)
    set_contact(study=study, actor=owner, contact="owner@example.org")
    assert missing_by_language(Study.objects.get(pk=study.pk)) == dict.fromkeys(sorted(LANGUAGES), 0)


def test_texts_that_are_given_replace_those_of_the_protocol(owner):
    study = create_from_template(
        template=TEMPLATES["miyazawa"],
        slug="own",
        title="Rivers",
        owner=owner,
        consent="You agree.",
        translations={"ja": {"title": "川", "instructions": "感じたままに。"}},
    )
    ja = study.translations["ja"]
    assert (ja["title"], ja["instructions"], ja["consent"]) == ("川", "感じたままに。", "")
    assert ja["description"]
    assert study.translations["zh-hans"]["instructions"]
    assert not study.translations["zh-hans"]["consent"]


def test_a_study_in_another_language_has_the_protocol_in_it_and_english_as_a_translation(owner):
    study = create_demo_study(
        template=TEMPLATES["miyazawa"], slug="own", title="川", owner=owner, language="ja"
    )
    template = TEMPLATES["miyazawa"]
    ja = tables(template)["ja"]
    assert study.instructions == ja[template.instructions]
    assert study.translations["en"]["instructions"] == template.instructions
    assert set(study.translations) == {"en", "zh-hans"}
    version = FormVersion.objects.filter(form__study=study, form__planted=False).first()
    assert version is not None
    document = form_as_document(version)
    assert KANA.search(document["criteria"][0]["question"])
    assert document["translations"]["en"]["criteria"][0]["question"] == "How figurative is this?"
    assert {item.metadata["language"] for item in study.items.all()} == {"en"}
    check = study.checks.get(key="ladder")
    assert check.settings["right"] == "名詞"
    assert check.item is not None
    assert check.item.metadata == {"language": "en"}


def test_a_changed_text_of_a_draft_loses_its_translations_and_no_other(owner):
    study = create_from_template(template=TEMPLATES["hauser"], slug="own", title="Similes", owner=owner)
    before = study.translations["ja"]
    study = edit_study(
        study=study, actor=owner, consent="You agree to rate.", instructions=f"{study.instructions}\r\n"
    )
    after = study.translations["ja"]
    assert not after.get("consent")
    assert after["instructions"] == before["instructions"]
    study = edit_study(
        study=study, actor=owner, consent="Agreed?", translations={"ja": {"consent": "同意？"}}
    )
    assert study.translations == {"ja": {"consent": "同意？"}}


def test_a_removed_translation_and_a_changed_question_stay_without_one(owner):
    study = create_from_template(template=TEMPLATES["preference"], slug="own", title="Pairs", owner=owner)
    form = study.forms.get()
    document = form_as_document(newest_version(form))
    del document["translations"]
    document["criteria"][0]["question"] = "Which do you prefer?"
    change_form(form=form, document=document, actor=owner)
    places = {text.place: text for text in all_texts(text_groups(study))}
    place = ("form", "preference", "criteria", "preference")
    assert not places[*place, "question"].translations
    assert set(places[*place, "name"].translations) == set(LANGUAGES)


def test_instructions_of_cmdag_in_one_study_say_that_words_are_marked():
    first_stage = TEMPLATES["cmdag_stages"].instructions.split("\n\n")[1]
    assert "mark what may be the tenor" in first_stage
    assert "write" not in first_stage
