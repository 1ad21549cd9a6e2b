"""An open study whose form is reworded while raters answer it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation.models import FormVersion, Rater, Study, User
from annotation.selectors.studies.definition import form_as_document
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.form_editing import change_form, newest_version


def reword(study: Study, actor: User, words: str, *, correction: bool) -> FormVersion:
    """Save another text above the criteria."""
    form = study.forms.get(key="similes")
    document = form_as_document(newest_version(form))
    return change_form(
        form=form, document={**document, "question": words}, actor=actor, correction=correction
    )


def rate(study: Study, code: str, items: Iterable[str], version: FormVersion, *, value: int = 0) -> None:
    """One rater answers items; without a `value` the ratings vary with rater and item."""
    rater, _ = Rater.objects.get_or_create(
        study=study, code=code, defaults={"state": "active", "simulated": code.startswith("S")}
    )
    known = {item.key: item for item in study.items.all()}
    criteria = list(version.criteria.all())
    store_responses(
        loaded=[
            LoadedResponse(
                item=known[key],
                rater=rater,
                version=version,
                values={one: value or _varied(code, key, one.position) for one in criteria},
            )
            for key in items
        ]
    )


def _varied(code: str, key: str, position: int) -> Any:
    digits = [int(one) for one in code + key if one.isdigit()]
    return 1 + (sum(digits) + 2 * digits[-1] + position * digits[0]) % 5
