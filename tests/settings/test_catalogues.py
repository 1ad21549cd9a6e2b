"""The catalogues of the interface: whole, compiled, and faithful to what the sources say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Message
from django.conf import settings

from annotation.domain.questions.kinds.registry import KINDS
from config.catalogues import files
from config.catalogues.extraction import sentences
from config.catalogues.sources import modules, templates

LANGUAGES = files.languages()
IN_EACH = pytest.mark.parametrize("language", LANGUAGES)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|</?\w+[^>]*>|%%")
BEGUN = '#, fuzzy\nmsgid "Sign in"\nmsgstr "サインイン"\n'


def forms(one: Message) -> list[str]:
    """The translation of a sentence, or of a plural each of its forms."""
    return [one.string] if isinstance(one.string, str) else list(one.string or ())


def pairs(one: Message) -> Iterator[tuple[str, str]]:
    """The source and its translation; of a plural the last form of the source with each translated form."""
    source = one.id if isinstance(one.id, str) else one.id[-1]
    yield from ((source, translation) for translation in forms(one))


def test_both_languages_are_offered_in_addition_to_english():
    assert [code for code, _ in settings.LANGUAGES] == ["en", "ja", "zh-hans"]


@IN_EACH
def test_a_catalogue_holds_what_the_sources_say_and_nothing_else(language):
    brought_up = files.update(files.read_catalogue(language), sentences())
    assert files.written(brought_up) == files.stored(language)[0], "run `manage.py catalogues`"


@IN_EACH
def test_every_sentence_is_translated_and_none_is_fuzzy(language):
    assert files.untranslated(files.read_catalogue(language)) == []


@IN_EACH
def test_what_django_reads_is_compiled_from_what_people_edit(language):
    assert files.compiled(files.read_catalogue(language)) == files.stored(language)[1]


@IN_EACH
def test_placeholders_and_markup_are_those_of_the_source(language):
    differing = [
        (source, translation)
        for one in files.read_catalogue(language)
        if one.id
        for source, translation in pairs(one)
        if sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(translation))
    ]
    assert differing == []


def test_a_catalogue_is_in_its_own_language():
    kana = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
    chinese = [text for one in files.read_catalogue("zh_Hans") if one.id for text in forms(one)]
    assert [text for text in chinese if kana.search(text)] == []
    japanese = [text for one in files.read_catalogue("ja") if one.id for text in forms(one)]
    long = [text for text in japanese if len(PLACEHOLDER.sub("", text)) > 30]
    assert [text for text in long if not kana.search(text)] == []


@IN_EACH
def test_a_plural_has_as_many_forms_as_the_language(language):
    catalogue = files.read_catalogue(language)
    counted = [one for one in catalogue if not isinstance(one.id, str)]
    assert counted
    assert {len(forms(one)) for one in counted} == {catalogue.num_plurals}


@pytest.mark.parametrize("entry", ['msgid "Sign in"\nmsgstr ""\n', BEGUN], ids=["untranslated", "fuzzy"])
def test_a_catalogue_that_is_not_whole_is_not_compiled(tmp_path, settings, entry):
    settings.LOCALE_PATHS = [tmp_path]
    files.store("ja", files.new_catalogue("ja"))
    assert (tmp_path / "ja" / files.COMPILED).exists()
    written = tmp_path / "ja" / files.WRITTEN
    written.write_text(f"{written.read_text(encoding='utf-8')}\n{entry}", encoding="utf-8")
    files.store("ja", files.read_catalogue("ja"))
    assert not (tmp_path / "ja" / files.COMPILED).exists()
    assert len(files.untranslated(files.read_catalogue("ja"))) == 1


def test_the_sources_are_all_pages_and_the_messages_shown_on_them():
    pages = {str(path).partition("/templates/")[2] for path in templates()}
    assert {"base.html", "404.html", "annotation/rating/rate.html", "annotation/pay/pay.html"} <= pages
    names = {str(path).rpartition("/annotation/")[2] for path in modules()}
    assert {"views/studies/home.py", "domain/base/states.py", "forms/links.py"} <= names
    assert not {name for name in names if name.startswith(("management/", "migrations/"))}


def test_the_kinds_of_questions_are_among_the_sentences():
    found = {one.id for one in sentences()}
    assert {kind.title for kind in KINDS.values()} <= found
