"""The texts of an attention check that raters read, and their translations."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation.domain.quality.check_texts import NAME, OPTIONS, QUESTION, TEXTS, check_translation
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.kinds.kind import IN_A_TEXT
from annotation.domain.questions.marked_text import marked_field
from annotation.domain.questions.text_languages import Place, form_texts
from annotation.models import Check, Criterion, FormVersion, Study
from annotation.protocols.markup import mark
from annotation.selectors.questions.shown_options import OF_OPTIONS


def checks_with_texts(study: Study) -> QuerySet[Check]:
    """The checks of a study in the order of creation, with the related rows that this module reads."""
    checks = study.checks.select_related("form", "item", "original").order_by("pk")
    return checks.prefetch_related("form__versions__criteria__points")


def checks_without_text(study: Study) -> list[str]:
    """The names of checks whose page shows no text, so that raters could only guess the answer.

    A repeat shows an item of the study.
    """
    return [
        check.key
        for check in study.checks.exclude(kind=CheckKind.REPEAT).select_related("item").order_by("pk")
        if check.item is None or not any(text.strip() for text in check.item.fields.values())
    ]


def own_question(check: Check) -> Criterion | None:
    """The question that a check asks instead of those of a form; None where it has none."""
    return _newest_version(check).criteria.all()[0] if check.form.planted else None


def check_texts(check: Check) -> dict[Place, str]:
    """The texts of a check that can be translated, by place: its own question, or its instruction.

    Other checks show items, which stay in their language.
    """
    found: dict[Place, str] = {}
    own = own_question(check)
    if own is not None:
        found |= {NAME: own.name, QUESTION: own.question}
        found |= {(OPTIONS, str(number)): point.label for number, point in enumerate(own.points.all())}
    if check.kind == CheckKind.INSTRUCTED and check.item is not None:
        left = _left_alone(check)
        found |= {
            (TEXTS, name): mark(text, name, check.item.components)
            for name, text in check.item.fields.items()
            if name not in left
        }
    return {place: text for place, text in found.items() if text.strip()}


def check_translations(check: Check) -> dict[str, dict[Place, str]]:
    """The translations of a check by language and place."""
    found: dict[str, dict[Place, str]] = {}
    own = own_question(check)
    if own is not None:
        where: dict[Place, Place] = {("criteria", own.key, name[0]): name for name in (NAME, QUESTION)}
        for number, point in enumerate(own.points.all()):
            where["criteria", own.key, "points", point.value, "label"] = (OPTIONS, str(number))
        for language, translation in own.version.translations.items():
            texts_of_form = form_texts(translation)
            found[language] = {
                to: texts_of_form[place] for place, to in where.items() if place in texts_of_form
            }
    for language, texts in check.translations.items():
        by_place = {(TEXTS, name): text for name, text in texts.items()}
        found[language] = found.get(language, {}) | by_place
    return found


def translated_check(check: Check) -> dict[str, Any]:
    """The translations of a check as a definition has them."""
    own = own_question(check)
    options = 0 if own is None else len(own.points.all())
    return {
        language: check_translation(texts, options=options)
        for language, texts in check_translations(check).items()
    }


def _left_alone(check: Check) -> set[str]:
    """Texts in which words are marked by position, and those that are read as options."""
    version = _newest_version(check)
    found = {block["field"] for block in version.blocks if block.get("role") in OF_OPTIONS}
    marks = any(one.question_kind.yields in IN_A_TEXT for one in version.criteria.all())
    return found | {marked_field(version.blocks)} if marks else found


def _newest_version(check: Check) -> FormVersion:
    return max(check.form.versions.all(), key=lambda version: version.number)
