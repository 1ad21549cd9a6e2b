"""Saving what members answer in the human evaluation sheet of a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.sheet.answers import design_answers, read_answers
from annotation.models import Criterion, EvaluationSheet, Study, User
from annotation.services.base import audit


def save_sheet(
    *, study: Study, actor: User, answers: Mapping[str, Mapping[str, Any]], seen: int | None = None
) -> EvaluationSheet:
    """Store all answers of members; answers that are not given are removed.

    Parameters
    ----------
    study, actor
        The study, and who answers.
    answers : mapping of str to mapping
        `choice` and `text` by place: `3.1.2`, or `4.1.1:form:criterion`.
    seen : int or None
        The revision that the member saw; None to replace any.

    Returns
    -------
    EvaluationSheet
        With its `revision`, which does not change where no answer did.

    Raises
    ------
    InvalidContent
        As for `read_answers`; nothing is stored.
    NotAllowedNow
        `sheet_changed`: another member has saved since.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        sheet = EvaluationSheet.objects.filter(study=study).first() or EvaluationSheet(study=study)
        if seen is not None and seen != sheet.revision:
            sentence = message(
                "Nothing was saved. Another study member has changed this sheet. Reload the page, and enter "
                "your answers again."
            )
            raise NotAllowedNow(sentence, code="sheet_changed")
        stored = read_answers(answers, criteria_of_study(study))
        changed = sorted(
            key for key in stored.keys() | sheet.answers.keys() if stored.get(key) != sheet.answers.get(key)
        )
        if changed:
            sheet.answers, sheet.revision = stored, sheet.revision + 1
            sheet.save()
            audit.record(study=study, actor=actor, act="change_evaluation_sheet", questions=changed)
    return sheet


def copy_design_answers(*, source: Study, target: Study, actor: User) -> None:
    """Copy the answers about the design of a study to a copy of it: none about results or publication.

    Parameters
    ----------
    source, target
        The study, and its copy, which has no sheet.
    actor : User
        User who copies.
    """
    sheet = EvaluationSheet.objects.filter(study=source).first()
    answers = design_answers(sheet.answers, criteria_of_study(target)) if sheet else {}
    if answers:
        save_sheet(study=target, actor=actor, answers=answers)


def criteria_of_study(study: Study) -> frozenset[tuple[str, str]]:
    """The keys of form and criterion of every question of a study, also of earlier versions."""
    found = Criterion.objects.filter(version__form__study=study, version__form__planted=False)
    return frozenset(found.order_by().values_list("version__form__key", "key"))
