"""Translations of the texts of a study, saved together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line
from annotation.domain.questions.text_languages import Place, form_texts, form_translation, with_translation
from annotation.io.base.strict_documents import unstorable
from annotation.models import BackgroundPage, CalibrationItem, Form, Study, User
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.quality.checks.texts import checks_with_texts
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
TRANSLATED_MEANWHILE = message(
    "Nothing was saved. Another study member has changed the translations marked below. Compare both "
    "versions, correct yours, and save again."
)
COMPARE = message("Another study member has saved this translation. Save again to replace it with yours:")
NOT_SAVED = message("Nothing was saved. Correct the translations marked below and save again.")


@dataclass(frozen=True)
class Shown:
    """The digests of a page: one of the study’s own texts, and one of each translation, by name."""

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
    correction: bool = False,
) -> int:
    """Save the translations of a study’s texts into one language, completely or not at all.

    Most texts can only be translated in a draft, the contact and notes on calibration items at any time.
    Translations of a form that raters have received create a correction or a new version of it.

    Parameters
    ----------
    study, actor
        The study, and the member who translates.
    language : str
        A language of raters’ pages other than that of the study.
    texts : mapping of str to str
        Name of a text, as `StudyText.name` → its translation; empty for none. Other texts do not change.
    seen : str
        `seen_originals` when the texts were shown; empty for no comparison.
    before : mapping of str to str or None
        `seen_translations` when the texts were shown. Translations sent unchanged are not stored again.
        None for no comparison.
    correction : bool
        The meaning of the forms stays the same, as for `change_form`.

    Returns
    -------
    int
        The number of changed translations.

    Raises
    ------
    NotAllowedNow
        The texts have changed since they were shown (`texts_changed`), another member has saved a
        translation in the meantime (`translations_changed`, with its name in `fields`), or the texts cannot
        be changed in this state of the study.
    InvalidContent
        Raters’ pages are not available in the language (`language_not_offered`), it is the language of the
        study (`own_language`), or a translation is invalid (`invalid_translation`): `fields` maps its name to
        a sentence.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        groups = text_groups(study)
        changed = _changed(study, groups, language, texts, Shown(seen, before or {}))
        _store(study, actor, language, changed, correction=correction)
        if changed:
            audit.record(
                study=study, actor=actor, act="translate_texts", language=language, texts=len(changed)
            )
    return len(changed)


def _store(study: Study, actor: User, language: str, changed: Given, *, correction: bool) -> None:
    """Store each changed translation with what it is a text of."""
    own = _of(STUDY, changed)
    if own:
        edit_study(study=study, actor=actor, translations=_study_translations(study, language, own))
    for form, document in _changed_forms(study, language, changed):
        change_form(form=form, document=document, actor=actor, correction=correction)
    asked = _of(QUESTION, changed)
    if asked:
        _translate_questions(study, actor, language, asked)
    _translate_qualification(study, actor, language, changed)
    _translate_checks(study, actor, language, changed)
    for text in _of(CONTACT, changed).values():
        translated = {**study.contact_translations, language: text}
        set_contact(study=study, actor=actor, contact=study.contact, translations=translated)


def preview_translations(
    *,
    study: Study,
    language: str,
    texts: Mapping[str, str],
    seen: str = "",
    before: Mapping[str, str] | None = None,
) -> list[tuple[Form, WordingChange]]:
    """Report how saving translations would affect the statistics, for each form with responses.

    Parameters
    ----------
    study, language, texts, seen, before
        As for `translate_texts`, which raises the same errors.

    Returns
    -------
    list of (Form, WordingChange)
        Empty if no form would get a version that affects the statistics.
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
    """The translations that differ from the stored ones, by place, after all are checked."""
    offered_translations({language: {}})
    if language == study.language:
        raise InvalidContent(
            message("“%(language)s” is the language of the study itself. Select another.", language=language),
            code="own_language",
        )
    texts = typed_texts(texts, shown.translations)
    names = changed_meanwhile(groups, language, texts, shown.translations)
    if names:
        raise NotAllowedNow(
            TRANSLATED_MEANWHILE, code="translations_changed", fields=dict.fromkeys(names, COMPARE)
        )
    if shown.originals and shown.originals != seen_originals(groups):
        raise NotAllowedNow(
            message(
                "Nothing was saved. The texts of the study have changed. Compare your translations with the "
                "current texts and save again."
            ),
            code="texts_changed",
        )
    known = {text.name: text for text in all_texts(groups)}
    given = {name: text.replace("\r\n", "\n").strip() for name, text in texts.items()}
    problems = {name: problem for name, text in given.items() if (problem := _problem(known.get(name), text))}
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
        return message("The study no longer has this text. Reload the page.")
    if len(given) > text.longest:
        return message(
            "This translation has %(n)d characters. Shorten it to %(most)d.", n=len(given), most=text.longest
        )
    if text.is_one_line and not is_one_line(given):
        return message("This text must be on one line. Remove the line breaks.")
    return next(iter(unstorable(given).values()), "")


def _missing_options(
    known: Mapping[str, StudyText], language: str, given: Mapping[str, str]
) -> dict[str, str]:
    """The options left untranslated in a question that has other options in the language."""
    of_question: dict[str, dict[str, str]] = {}
    for name, text in known.items():
        if text.place[0] in {QUESTION, CHECK} and text.place[2] == "options":
            option = given.get(name, text.translations.get(language, ""))
            of_question.setdefault("/".join(text.place[:2]), {})[name] = option
    return {
        name: message("Translate all options of the question, or none.")
        for options in of_question.values()
        if any(options.values())
        for name, option in options.items()
        if not option
    }


def _of(what: str, changed: Given) -> Given:
    """The changes of one kind of text."""
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
        texts = {place: text for place, text in (before | by_form[form.key]).items() if text}
        others = {key: one for key, one in document["translations"].items() if key != language}
        translated = {**others, language: form_translation(texts)} if texts else others
        found.append((form, {**document, "translations": translated}))
    return found


def _translate_questions(study: Study, actor: User, language: str, changed: Given) -> None:
    asked = []
    for one in questions_of(study):
        translation = one.translations.get(language, {})
        earlier = translation.get("options") or [""] * len(one.options)
        options = [changed.get((QUESTION, one.key, "options", str(n)), old) for n, old in enumerate(earlier)]
        text = changed.get((QUESTION, one.key, "text"), translation.get("text", ""))
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
