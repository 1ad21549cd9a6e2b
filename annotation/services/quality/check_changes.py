"""A check of a draft is changed in its place: what it tells, shows and accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.domain.quality.check_settings import read_check, refuse_unpassable, settings_of
from annotation.domain.quality.checks import CheckKind
from annotation.models import Check, Form, Item, User
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.items.item_storage import PLANTED_KEY
from annotation.services.quality.checks import refuse_incomplete
from annotation.services.quality.planted_items import plant_item
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

    Parameters
    ----------
    check : Check
        Of a draft.
    actor : User
        Who changes it.
    kind, form, settings, texts, original
        As for `create_check`.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        As `create_check`; the check stays as it is.
    """
    with transaction.atomic():
        study = lock_draft(check.study_id, "Checks are changed in a draft only.")
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
        check.save()
        if earlier_item is not None:
            earlier_item.delete()
        if earlier_form.planted and earlier_form.pk != form.pk:
            earlier_form.delete()
        audit.record(study=study, actor=actor, act="change_check", check=check.key, kind=kind.value)
    return check
