"""A study, its forms and criteria with their texts in the language of a rater's page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from django.utils.functional import Promise
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_info

from annotation.domain.questions.text_languages import (
    OF_CRITERION,
    OF_POINT,
    STUDY_TEXTS,
    Place,
    Text,
    Translations,
    form_texts,
    text_in,
)
from annotation.models import Criterion, FormVersion, ScalePoint, Study

# Django names Chinese by its scripts alone.
NAMES = {"zh": "中文"}
ENGLISH_NAMES = {"zh": "Chinese"}


def language_name(code: str) -> str:
    """The name of a language in that language, such as 日本語; its code where Django knows no name."""
    try:
        return str(get_language_info(code)["name_local"])
    except KeyError:
        return NAMES.get(code, code)


def english_name(code: str) -> str:
    """The name of a language in English, for documents in English; its code where Django knows no name."""
    try:
        return str(get_language_info(code)["name"])
    except KeyError:
        return ENGLISH_NAMES.get(code, code)


def own_name(code: str) -> SafeString:
    """The name of a language in that language, in the faces and the voice of that language."""
    return format_html('<span lang="{}">{}</span>', code, language_name(code))


def naming_language(sentence: str | Promise, code: str) -> SafeString:
    """A sentence with the name of a language at `%(language)s`, marked with its language."""
    return mark_safe(escape(sentence) % {"language": own_name(code)})  # noqa: S308


def study_in(study: Study, language: str) -> Study:
    """A copy of the study, to be shown and never saved: each text in the language, else in its own."""
    shown = copy(study)
    texts = study.translations.get(language, {})
    for name in STUDY_TEXTS:
        setattr(shown, name, _text(study, getattr(study, name), texts.get(name, ""), language))
    shown.contact = _text(study, study.contact, study.contact_translations.get(language, ""), language)
    return shown


def named_text(translations: Translations, name: str, own: str, *, own_language: str, language: str) -> Text:
    """One text of something that has its translations by language and name."""
    return text_in(
        own, translations.get(language, {}).get(name, ""), own_language=own_language, language=language
    )


def translate_criteria(criteria: Iterable[Criterion], translations: Mapping[str, Any], language: str) -> None:
    """Put texts of criteria in their place, in the language where it has them.

    The criteria were just read with their points, and are never saved.
    """
    texts = form_texts(translations.get(language, {}))
    for one in criteria if texts else ():
        _translate(one, OF_CRITERION, ("criteria", one.key), texts)
        for point in one.points.all():
            _translate(point, OF_POINT, ("criteria", one.key, "points", point.value), texts)


def criterion_language(version: FormVersion, key: str, *, own: str, language: str) -> str:
    """The language in which a criterion is asked where a page is in `language`."""
    texts = form_texts(version.translations.get(language, {}))
    return language if ("criteria", key, "name") in texts else own


def blocks_in(
    version: FormVersion, blocks: Sequence[Mapping[str, Any]], language: str
) -> list[dict[str, Any]]:
    """What of an item is shown, with its headings in the language."""
    texts = form_texts(version.translations.get(language, {}))
    return [
        {**block, "label": texts.get(("blocks", block["field"], "label")) or block.get("label", "")}
        for block in blocks
    ]


def form_document(version: FormVersion) -> dict[str, Any]:
    """The texts of a version in the shape of a definition."""
    criteria = [
        {
            "key": one.key,
            "name": one.name,
            "question": one.question,
            "points": [
                {"value": point.value, "label": point.label, "description": point.description}
                for point in one.points.all()
            ],
        }
        for one in version.criteria.all()
    ]
    return {
        "question": version.question,
        "blocks": version.blocks,
        "criteria": criteria,
        "examples": version.examples,
        "practice": version.practice,
    }


def _text(study: Study, own: str, translated: str, language: str) -> Text:
    return text_in(own, translated, own_language=study.language, language=language)


def _translate(
    shown: Criterion | ScalePoint, names: Sequence[str], place: Place, texts: Mapping[Place, str]
) -> None:
    for name in names:
        setattr(shown, name, texts.get((*place, name)) or getattr(shown, name))
