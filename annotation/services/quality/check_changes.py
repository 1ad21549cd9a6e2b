"""Changes to the attention checks of a draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.quality.check_settings import read_check, refuse_unpassable, settings_of
from annotation.domain.quality.checks import CheckKind
from annotation.models import Check, Form, FormVersion, Item, User
from annotation.protocols.markup import mark
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.items.item_storage import PLANTED_KEY
from annotation.services.quality.checks import refuse_incomplete
from annotation.services.quality.planted_items import CHECKS_IN_DRAFTS, plant_item
from annotation.services.questions.criteria import questions_of


def change_check(
    *,
    check: Check,
    actor: User,
    kind: CheckKind,
    form: Form,
    settings: Mapping[str, Any],
    texts: Mapping[str, str] | None = None,
    original: Item | None = None,
) -> Check:
    """Change a check of a draft; its name and its place among the checks stay.

    A translation remains if its original text is unchanged.

    Parameters
    ----------
    check : Check
        Of a draft.
    actor : User
        User who changes it.
    kind, form, settings, texts, original
        As for `create_check`.

    Raises
    ------
    NotAllowedNow
        The study is no draft, or the check was deleted meanwhile (`check_deleted`).
    InvalidContent
        As `create_check`; the check stays as it is.
    """
    with transaction.atomic():
        study = lock_draft(check.study_id, CHECKS_IN_DRAFTS)
        found = Check.objects.select_related("item", "form").filter(pk=check.pk).first()
        if found is None:
            raise NotAllowedNow(message("This check has been deleted. Add it again."), code="check_deleted")
        check = found
        questions = questions_of(form)
        read = read_check(kind, settings, questions)
        refuse_unpassable(read, questions)
        refuse_incomplete(kind, form, texts or {}, original)
        earlier_item, earlier_form = check.item, check.form
        if earlier_item is not None:
            # Its name is free for the item that takes its place, after which nothing refers to it.
            Item.everything.filter(pk=earlier_item.pk).update(key=f"{PLANTED_KEY}{check.key}:before")
        check.kind, check.form, check.original = kind.value, form, original
        check.settings = settings_of(read)
        check.item = None
        if kind is not CheckKind.REPEAT:
            check.item = plant_item(study=study, key=check.key, texts=texts or {}, original=original)
        check.translations = _translations_that_hold(check, earlier_item)
        check.save()
        _keep_translations_of_question(earlier_form, form)
        if earlier_item is not None:
            earlier_item.delete()
        if earlier_form.planted and earlier_form.pk != form.pk:
            earlier_form.delete()
        audit.record(study=study, actor=actor, act="change_check", check=check.key, kind=kind.value)
    return check


def _translations_that_hold(check: Check, earlier: Item | None) -> dict[str, dict[str, str]]:
    """The translated instructions whose original text, with its marks, is unchanged."""
    if check.kind != CheckKind.INSTRUCTED or earlier is None or check.item is None:
        return {}
    before, now = _marked_texts(earlier), _marked_texts(check.item)
    same = {field for field, text in now.items() if before.get(field) == text}
    unchanged = {
        language: {field: text for field, text in texts.items() if field in same}
        for language, texts in check.translations.items()
    }
    return {language: texts for language, texts in unchanged.items() if texts}


def _marked_texts(item: Item) -> dict[str, str]:
    return {field: mark(text, field, item.components) for field, text in item.fields.items()}


def _keep_translations_of_question(earlier: Form, form: Form) -> None:
    """The translations of a check's own question, if question and options are unchanged."""
    if not (earlier.planted and form.planted) or earlier.pk == form.pk:
        return
    before, now = (
        earlier.versions.latest("number", "correction"),
        form.versions.latest("number", "correction"),
    )
    if _asked(before) == _asked(now):
        now.translations = before.translations
        now.save(update_fields=["translations"])


def _asked(version: FormVersion) -> list[tuple[str, list[str]]]:
    criteria = version.criteria.prefetch_related("points").order_by("position", "pk")
    return [(one.question, [point.value for point in one.points.all()]) for one in criteria]
