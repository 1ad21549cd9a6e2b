"""The page of an attention check in the language of a rater’s page: it looks as those of items do."""

from __future__ import annotations

from copy import copy
from typing import Any

from annotation.domain.base.states import Purpose
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.text_languages import text_in
from annotation.models import Assignment, Check, FormVersion, Item
from annotation.protocols.markup import unmark
from annotation.selectors.rating.rating_page import page_blocks


def assignment_blocks(assignment: Assignment, language: str) -> list[dict[str, Any]]:
    """The texts that the page of an assignment shows, as `page_blocks` has them.

    The instruction of a check is in `language`, where it has one in it; items stay in theirs.
    """
    version, item = assignment.version, assignment.item
    check = assignment.check_planted if assignment.purpose == Purpose.CHECK else None
    if check is None:
        return page_blocks(version, item, language)
    return page_blocks(_headed(version, assignment), _instructing(item, check, language), language)


def translations_of_page(assignment: Assignment, version: FormVersion) -> dict[str, Any]:
    """The translations of an assignment’s form version.

    The question of a check has the headings of the study’s first form, which are its own in the study’s
    language too.
    """
    translations = dict(version.translations)
    if not assignment.form.planted:
        return translations
    ordinary = FormVersion.objects.filter(form__study=assignment.form.study_id, form__planted=False)
    first = ordinary.order_by("form", "-number").first()
    own = {block["field"]: block.get("label", "") for block in version.blocks}
    shown = {block["field"]: block.get("label", "") for block in first.blocks} if first else {}
    for language, texts in (first.translations if first else {}).items():
        blocks = [
            one
            for one in texts.get("blocks", ())
            if one["field"] in own and own[one["field"]] == shown.get(one["field"])
        ]
        translations[language] = {**translations.get(language, {}), "blocks": blocks}
    return translations


def _headed(version: FormVersion, assignment: Assignment) -> FormVersion:
    shown = copy(version)
    shown.translations = translations_of_page(assignment, version)
    return shown


def _instructing(item: Item, check: Check, language: str) -> Item:
    """A copy of the item with the instruction in the language, to be shown and never saved."""
    texts = check.translations.get(language, {}) if check.kind == CheckKind.INSTRUCTED else {}
    shown = copy(item)
    shown.fields, shown.components = dict(item.fields), list(item.components)
    for field, marked in texts.items():
        text, parts = unmark(marked, field)
        shown.fields[field] = text_in("", text, own_language="", language=language)
        shown.components = [one for one in shown.components if one["field"] != field] + parts
    return shown
