"""The texts of a protocol in further languages: in a study’s own language, and as its translations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotation.domain.questions.text_languages import STUDY_TEXTS, Place, form_texts, form_translation
from annotation.protocols.definition_forms import form_document
from annotation.protocols.template import DEMO_MARK, DemoCheck, FormTemplate, StudyTemplate
from annotation.protocols.translations import (
    adaptive_pairs,
    best_worst,
    cmdag,
    common,
    creativity_tests,
    error_spans,
    hanna,
    hauser,
    image_captions,
    miyazawa,
    preference,
    probing,
    story_pairs,
)

ENGLISH = "en"
# Language → English text → the text in that language.
Tables = Mapping[str, Mapping[str, str]]
COMMON: Tables = {"zh-hans": common.CHINESE, "ja": common.JAPANESE}
MODULES = (
    adaptive_pairs,
    best_worst,
    cmdag,
    creativity_tests,
    error_spans,
    hanna,
    hauser,
    image_captions,
    miyazawa,
    preference,
    probing,
    story_pairs,
)
BY_PROTOCOL: Mapping[str, Tables] = {
    template.key: module.TRANSLATIONS for module in MODULES for template in module.PROTOCOLS
}


@dataclass(frozen=True)
class ProtocolTexts:
    """The texts of a protocol for a study in the language `own`.

    `table` has them in this language by their English text, empty where they stay English; `further` has the
    same for each language of the translations.
    """

    own: str
    table: Mapping[str, str]
    further: Tables

    def of_study(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a study with its texts in its own language, and their translations.

        Parameters
        ----------
        fields : mapping
            Fields of a study; English texts of the protocol are translated, others remain. Its `translations`
            replace those of the same text.
        """
        english = {name: str(fields.get(name) or "") for name in STUDY_TEXTS}
        given = fields.get("translations") or {}
        translations = {}
        for language in dict.fromkeys([*self.further, *given]):
            table = self.further.get(language, {})
            made = {name: table[text] for name, text in english.items() if text in table}
            written = {name: text for name, text in given.get(language, {}).items() if text}
            if made or written:
                translations[language] = dict.fromkeys(STUDY_TEXTS, "") | made | written
        own = {name: self.table.get(text, text) for name, text in english.items()}
        return {**fields, **own, "translations": translations}

    def of_form(self, form: FormTemplate) -> FormTemplate:
        """A form in the study’s own language, with its translations; its own translations remain."""
        translated = _form_in(form, self.table)
        found = self.of_texts(form_texts(form_document(translated, overlap=1, per_rater=None)))
        made = {language: form_translation(texts) for language, texts in found.items()}
        return replace(translated, translations={**made, **form.translations})

    def of_check(self, check: DemoCheck) -> DemoCheck:
        """A demo check that asks in the study’s own language; the texts that it shows stay English."""
        table = self.table
        settings = dict(check.settings)
        if check.options:
            settings["right"] = table.get(settings["right"], settings["right"])
        return replace(
            check,
            question=table.get(check.question, check.question),
            options=[table.get(option, option) for option in check.options],
            settings=settings,
        )

    def of_texts(self, texts: Mapping[Place, str]) -> dict[str, dict[Place, str]]:
        """The translations of texts in the study’s own language, by language and place."""
        originals = {translated: english for english, translated in self.table.items()}
        english = {place: originals.get(text, text) for place, text in texts.items()}
        found = {language: _translated(english, table) for language, table in self.further.items()}
        return {language: translated for language, translated in found.items() if translated}


def protocol_texts(template: StudyTemplate, *, own: str, offered: Collection[str]) -> ProtocolTexts:
    """The texts of a protocol for a study.

    Parameters
    ----------
    template : StudyTemplate
        The protocol; other templates have no translations.
    own : str
        The language of the study.
    offered : collection of str
        The languages of raters’ pages.
    """
    tables = {
        language: _with_demo(template, {**COMMON[language], **texts})
        for language, texts in BY_PROTOCOL.get(template.key, {}).items()
    }
    table = tables.pop(own, {})
    if table:
        tables = {ENGLISH: {text: text for text in table}, **tables}
    return ProtocolTexts(
        own, table, {language: tables[language] for language in tables if language in offered}
    )


def _with_demo(template: StudyTemplate, texts: Mapping[str, str]) -> Mapping[str, str]:
    """The texts with the description of a study with demo items."""
    if template.description not in texts:
        return texts
    english = f"{template.description} {DEMO_MARK}"
    return {**texts, english: f"{texts[template.description]}{texts[DEMO_MARK]}"}


def _translated(english: Mapping[Place, str], table: Mapping[str, str]) -> dict[Place, str]:
    return {place: table[text] for place, text in english.items() if text in table}


def _form_in(form: FormTemplate, table: Mapping[str, str]) -> FormTemplate:
    def translated(text: str) -> str:
        return table.get(text, text)

    criteria = [
        replace(
            one,
            name=translated(one.name),
            question=translated(one.question),
            points=[
                replace(point, label=translated(point.label), description=translated(point.description))
                for point in one.points
            ],
        )
        for one in form.criteria
    ]
    blocks = [{**block, "label": translated(block.get("label", ""))} for block in form.blocks]
    return replace(
        form,
        title=translated(form.title),
        question=translated(form.question),
        blocks=blocks,
        criteria=criteria,
    )
