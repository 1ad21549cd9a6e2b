"""Translating attention checks of a draft: their own questions, and instructions within items."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.quality.check_texts import NAME, OPTIONS, QUESTION, TEXTS, translation_problem
from annotation.domain.questions.text_languages import Place, form_translation
from annotation.models import Check, User
from annotation.selectors.quality.checks.texts import check_texts, check_translations, own_question
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.quality.planted_items import CHECKS_IN_DRAFTS
from annotation.services.questions.text_languages import offered_translations


def translate_check(*, check: Check, actor: User, language: str, texts: Mapping[Place, str]) -> None:
    """Translate texts of a check into a language; others keep their translations.

    Parameters
    ----------
    check, actor
        Of a draft, and who translates.
    language : str
        One of raters’ pages.
    texts : mapping of place to str
        As `check_texts` has them → the translation; empty for none.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        There are no pages in the language (`language_not_offered`), or the check has no such text or lacks
        some of the options (`invalid_translation`).
    """
    offered_translations({language: {}})
    with transaction.atomic():
        study = lock_draft(check.study_id, CHECKS_IN_DRAFTS)
        merged = check_translations(check).get(language, {}) | dict(texts)
        filled = {place: text for place, text in merged.items() if text}
        if problem := translation_problem(filled, check_texts(check)):
            raise InvalidContent(
                message(
                    "The translation of “%(key)s” cannot be saved. %(problem)s",
                    key=check.key,
                    problem=problem,
                ),
                code="invalid_translation",
            )
        _store_question(check, language, filled)
        instruction = {place[1]: text for place, text in filled.items() if place[0] == TEXTS}
        others = {key: one for key, one in check.translations.items() if key != language}
        check.translations = {**others, language: instruction} if instruction else others
        check.save(update_fields=["translations"])
        audit.record(study=study, actor=actor, act="translate_check", check=check.key, language=language)


def _store_question(check: Check, language: str, texts: Mapping[Place, str]) -> None:
    own = own_question(check)
    if own is None:
        return
    place: Place = ("criteria", own.key)
    translated = {(*place, name[0]): texts[name] for name in (NAME, QUESTION) if name in texts}
    for number, point in enumerate(own.points.all()):
        label = texts.get((OPTIONS, str(number)), "")
        translated |= {(*place, "points", point.value, "label"): label} if label else {}
    version = own.version
    others = {key: one for key, one in version.translations.items() if key != language}
    version.translations = {**others, language: form_translation(translated)} if translated else others
    version.save(update_fields=["translations"])
