"""Translating a study: its texts in a further language, saved together by the rules of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.text_validation import is_one_line
from annotation.domain.questions.text_languages import Place, form_texts, form_translation, with_translation
from annotation.io.base.strict_documents import unstorable
from annotation.models import BackgroundPage, CalibrationItem, Form, Study, User
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.quality.check_texts import checks_with_texts
from annotation.selectors.quality.seen_translations import changed_meanwhile, typed_texts
from annotation.selectors.quality.study_texts import (
    CHECK,
    CONTACT,
    FORM,
    NOTE,
    PAGE,
    QUESTION,
    REASON,
    STUDY,
    StudyText,
    TextGroup,
    all_texts,
    seen_originals,
    text_groups,
)
from annotation.selectors.questions.wording_change import WordingChange
from annotation.selectors.studies.definition import form_as_document
from annotation.services.base import audit
from annotation.services.people.contact import set_contact
from annotation.services.people.demographics import set_questions
from annotation.services.quality.approval import write_note
from annotation.services.quality.check_translations import translate_check
from annotation.services.quality.qualification_setup import translate_reason, write_page
from annotation.services.questions.text_languages import offered_translations
from annotation.services.studies.form_editing import change_form, newest_version, preview_change
from annotation.services.studies.lifecycle import edit_study

Given = dict[Place, str]
TRANSLATED_MEANWHILE = (
    "Somebody else has saved other translations of the marked texts since this page was shown. Nothing is "
    "saved: compare both, correct yours, and save again."
)
COMPARE = "Somebody else has saved another translation. If you save yours, it replaces this one:"
NOT_SAVED = "Some translations cannot be saved, so nothing is saved. Correct the marked ones and save again."


@dataclass(frozen=True)
class Shown:
    """What a page showed: a digest of the study’s own texts, and one of each translation, by name."""

    originals: str
    translations: Mapping[str, str]


def translate_texts(
    *,
    study: Study,
    actor: User,
    language: str,
    texts: Mapping[str, str],
    seen: str = "",
    before: Mapping[str, str] | None = None,
) -> int:
    """Save the translations of a study’s texts into one language; all of them or nothing.

    Most texts are translated in a draft, the contact and notes on calibration items at any time.
    Translations of a form that raters were given make a new version of it, as any change of a form does.

    Parameters
    ----------
    study, actor
        The study, and who translates.
    language : str
        One of raters’ pages, and not the study’s own.
    texts : mapping of str to str
        Name of a text, as `StudyText.name` → its translation; empty for none. Others stay as they are.
    seen : str
        As `seen_originals` was when the texts were shown; empty where that is not to be compared.
    before : mapping of str to str or None
        As `seen_translations` was when the texts were shown. A translation that was sent as it was shown
        stays as it is stored. None where that is not to be compared.

    Returns
    -------
    int
        How many translations have changed.

    Raises
    ------
    NotAllowedNow
        The texts have changed since they were shown (`texts_changed`), somebody else has saved another
        translation of one meanwhile (`translations_changed`, with its name in `fields`), or the texts may
        not be changed in this state of the study.
    InvalidContent
        There are no pages in the language (`language_not_offered`), it is the study’s own
        (`own_language`), or a translation cannot be used (`invalid_translation`): `fields` has a sentence
        for the name of each.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        groups = text_groups(study)
        changed = _changed(study, groups, language, texts, Shown(seen, before or {}))
        own = _of(STUDY, changed)
        if own:
            edit_study(study=study, actor=actor, translations=_study_translations(study, language, own))
        for form, document in _changed_forms(study, language, changed):
            change_form(form=form, document=document, actor=actor)
        asked = _of(QUESTION, changed)
        if asked:
            _translate_questions(study, actor, language, asked)
        _translate_qualification(study, actor, language, changed)
        _translate_checks(study, actor, language, changed)
        for text in _of(CONTACT, changed).values():
            said = {**study.contact_translations, language: text}
            set_contact(study=study, actor=actor, contact=study.contact, translations=said)
        if changed:
            audit.record(
                study=study, actor=actor, act="translate_texts", language=language, texts=len(changed)
            )
    return len(changed)


def preview_translations(
    *,
    study: Study,
    language: str,
    texts: Mapping[str, str],
    seen: str = "",
    before: Mapping[str, str] | None = None,
) -> list[tuple[Form, WordingChange]]:
    """What saving translations would do to the statistics, for each form that has responses.

    Parameters
    ----------
    study, language, texts, seen, before
        As for `translate_texts`, which refuses the same.

    Returns
    -------
    list of (Form, WordingChange)
        Empty where no form would get a version that matters to the statistics.
    """
    groups = text_groups(study)
    changed = _changed(study, groups, language, texts, Shown(seen, before or {}))
    changes = [
        (form, preview_change(form=form, document=document))
        for form, document in _changed_forms(study, language, changed)
    ]
    return [(form, change) for form, change in changes if change is not None]


def _changed(
    study: Study, groups: list[TextGroup], language: str, texts: Mapping[str, str], shown: Shown
) -> Given:
    """The translations that differ from the stored ones, by place, once all are found to be usable."""
    offered_translations({language: {}})
    if language == study.language:
        raise InvalidContent(
            f"The study’s own texts are in {language!r}: choose another language.", code="own_language"
        )
    texts = typed_texts(texts, shown.translations)
    names = changed_meanwhile(groups, language, texts, shown.translations)
    if names:
        raise NotAllowedNow(
            TRANSLATED_MEANWHILE, code="translations_changed", fields=dict.fromkeys(names, COMPARE)
        )
    if shown.originals and shown.originals != seen_originals(groups):
        raise NotAllowedNow(
            "The texts of the study have changed since this page was shown. Nothing is saved: compare your "
            "translations with the texts as they are now, and save again.",
            code="texts_changed",
        )
    known = {text.name: text for text in all_texts(groups)}
    given = {name: text.replace("\r\n", "\n").strip() for name, text in texts.items()}
    problems = {name: told for name, text in given.items() if (told := _problem(known.get(name), text))}
    problems |= _missing_options(known, language, given)
    if problems:
        raise InvalidContent(NOT_SAVED, code="invalid_translation", fields=problems)
    return {
        known[name].place: text
        for name, text in given.items()
        if known[name].translations.get(language, "").strip() != text
    }


def _problem(text: StudyText | None, given: str) -> str:
    if text is None:
        return "The study has no such text."
    if len(given) > text.longest:
        return f"At most {text.longest} characters fit; this has {len(given)}."
    if text.is_one_line and not is_one_line(given):
        return "This text is one line: remove the line breaks."
    return next(iter(unstorable(given).values()), "")


def _missing_options(
    known: Mapping[str, StudyText], language: str, given: Mapping[str, str]
) -> dict[str, str]:
    """Where a question would have some of its options in the language and not the others."""
    of_question: dict[str, dict[str, str]] = {}
    for name, text in known.items():
        if text.place[0] in {QUESTION, CHECK} and text.place[2] == "options":
            said = given.get(name, text.translations.get(language, ""))
            of_question.setdefault("/".join(text.place[:2]), {})[name] = said
    return {
        name: "Translate every option of the question, or none."
        for options in of_question.values()
        if any(options.values())
        for name, said in options.items()
        if not said
    }


def _of(what: str, changed: Given) -> Given:
    """What of the changes is of one kind of texts."""
    return {place: text for place, text in changed.items() if place[0] == what}


def _study_translations(study: Study, language: str, changed: Given) -> dict[str, Any]:
    return with_translation(study.translations, language, {place[1]: text for place, text in changed.items()})


def _changed_forms(study: Study, language: str, changed: Given) -> list[tuple[Form, dict[str, Any]]]:
    """Each form with translations that change, and its definition with all of them."""
    by_form: dict[str, Given] = {}
    for place, text in _of(FORM, changed).items():
        by_form.setdefault(place[1], {})[place[2:]] = text
    found = []
    for form in study.forms.filter(key__in=by_form):
        document = form_as_document(newest_version(form))
        before = form_texts(document["translations"].get(language, {}))
        said = {place: text for place, text in (before | by_form[form.key]).items() if text}
        others = {key: one for key, one in document["translations"].items() if key != language}
        translated = {**others, language: form_translation(said)} if said else others
        found.append((form, {**document, "translations": translated}))
    return found


def _translate_questions(study: Study, actor: User, language: str, changed: Given) -> None:
    asked = []
    for one in questions_of(study):
        said = one.translations.get(language, {})
        kept = said.get("options") or [""] * len(one.options)
        options = [changed.get((QUESTION, one.key, "options", str(n)), old) for n, old in enumerate(kept)]
        text = changed.get((QUESTION, one.key, "text"), said.get("text", ""))
        others = {key: texts for key, texts in one.translations.items() if key != language}
        filled = {"text": text, "options": options if any(options) else []}
        new = {**others, language: filled} if text or any(options) else others
        asked.append(replace(one, translations=new))
    set_questions(study=study, actor=actor, questions=asked)


def _translate_qualification(study: Study, actor: User, language: str, changed: Given) -> None:
    pages: dict[int, dict[str, str]] = {}
    for place, text in _of(PAGE, changed).items():
        pages.setdefault(int(place[1]), {})[place[2]] = text
    for page in BackgroundPage.objects.select_related("qualification__study").filter(pk__in=pages):
        write_page(
            qualification=page.qualification,
            actor=actor,
            title=page.title,
            text=page.text,
            page=page,
            translations=with_translation(page.translations, language, pages[page.pk]),
        )
    reasons = {int(place[1]): text for place, text in _of(REASON, changed).items()}
    notes = {int(place[1]): text for place, text in _of(NOTE, changed).items()}
    items = CalibrationItem.objects.select_related("item", "qualification__study")
    for one in items.filter(pk__in={*reasons, *notes}, qualification__study=study):
        if one.pk in reasons:
            translate_reason(calibration=one, actor=actor, language=language, reason=reasons[one.pk])
        if one.pk in notes:
            write_note(calibration=one, note=one.note, actor=actor, translations={language: notes[one.pk]})


def _translate_checks(study: Study, actor: User, language: str, changed: Given) -> None:
    by_check: dict[str, Given] = {}
    for place, text in _of(CHECK, changed).items():
        by_check.setdefault(place[1], {})[place[2:]] = text
    for check in checks_with_texts(study).filter(key__in=by_check):
        translate_check(check=check, actor=actor, language=language, texts=by_check[check.key])
