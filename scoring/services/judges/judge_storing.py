"""Judges of a study: created with their answers, deleted with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.domain.questions.kinds.kind import Answer
from annotation.models import Criterion, Study, User
from annotation.models.questions.given_answer import answer_columns
from annotation.services.base import audit
from scoring.models import Judge, Judgement
from scoring.selectors.judges.families import systems_of

LONGEST_NAME = 80
LONGEST_NOTE = 2000
CHUNK_SIZE = 2000
# Why there is no answer where a file or a metric has none.
NOT_GIVEN = "not_given"


@dataclass(frozen=True)
class JudgeNotes:
    """What a study member states about a judge."""

    name: str
    description: str = ""
    same_family_as: str = ""  # System of the study from the same family of models, or empty
    saw_items: str = ""  # On which items it was trained or tuned


@dataclass(frozen=True)
class Judged:
    """An answer to store, None with a reason where there is none."""

    item: int  # Key of the row
    criterion: Criterion
    sample: int
    answer: Answer | None
    raw: str = ""


def checked_notes(study: Study, notes: JudgeNotes) -> JudgeNotes:
    """Check what is stated about a new judge.

    Parameters
    ----------
    study : Study
        The study of the judge.
    notes : JudgeNotes
        As entered.

    Returns
    -------
    JudgeNotes
        Without surrounding space.

    Raises
    ------
    InvalidContent
        `no_name`, `judge_taken`, `unknown_system` or `too_long`; `fields` names the field.
    """
    name, family = validated_text(notes.name), validated_text(notes.same_family_as)
    texts = {"description": validated_text(notes.description), "saw_items": validated_text(notes.saw_items)}
    if not 0 < len(name) <= LONGEST_NAME:
        sentence = message("Enter a name of up to %(n)d characters.", n=LONGEST_NAME)
        raise InvalidContent(sentence, code="no_name", fields={"name": sentence})
    if Judge.objects.filter(study=study, name=name).exists():
        sentence = message("The study already has a judge “%(name)s”. Choose another name.", name=name)
        raise InvalidContent(sentence, code="judge_taken", fields={"name": sentence})
    if family and family not in systems_of(study):
        sentence = message("The study has no system “%(name)s”.", name=family)
        raise InvalidContent(sentence, code="unknown_system", fields={"same_family_as": sentence})
    for field, text in texts.items():
        if len(text) > LONGEST_NOTE:
            sentence = message("Use at most %(n)d characters.", n=LONGEST_NOTE)
            raise InvalidContent(sentence, code="too_long", fields={field: sentence})
    return JudgeNotes(name, texts["description"], family, texts["saw_items"])


def store_judge(
    *,
    study: Study,
    actor: User | None,
    notes: JudgeNotes,
    way: str,
    settings: dict[str, Any],
    judged: Iterable[Judged],
) -> Judge:
    """Store a judge with its answers; called inside a transaction.

    Parameters
    ----------
    study, actor
        The study, and who adds the judge; None on the command line.
    notes : JudgeNotes
        From `checked_notes`.
    way : str
        One of the ways of `Judge`.
    settings : dict
        How the answers came about.
    judged : iterable of Judged
        The answers.
    """
    judge = Judge.objects.create(study=study, created_by=actor, way=way, settings=settings, **vars(notes))
    count = len(Judgement.objects.bulk_create((_row(judge, one) for one in judged), batch_size=CHUNK_SIZE))
    audit.record(study=study, actor=actor, act="add_judge", name=judge.name, count=count)
    return judge


def delete_judge(*, judge: Judge, actor: User | None) -> None:
    """Delete a judge with all of its answers and calls; nothing happens if it is already deleted.

    Parameters
    ----------
    judge : Judge
        Judge of any way.
    actor : User or None
        Who deletes it; None on the command line.
    """
    with transaction.atomic():
        locked = Judge.objects.select_for_update(of=("self",)).select_related("study").filter(pk=judge.pk)
        for found in locked:
            audit.record(study=found.study, actor=actor, act="delete_judge", name=found.name)
            found.delete()


def _row(judge: Judge, judged: Judged) -> Judgement:
    columns = answer_columns(judged.criterion, judged.answer or Answer())
    reason = "" if judged.answer else NOT_GIVEN
    return Judgement(
        judge=judge, item_id=judged.item, sample=judged.sample, reason=reason, raw=judged.raw, **columns
    )
