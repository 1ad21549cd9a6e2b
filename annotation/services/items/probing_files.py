"""Probing questions from files: items with options and correct answers, and the answers in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import FileProblem, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.domain.questions.option_settings import OptionSettings
from annotation.io.items.probing_file import ANSWER, ProbingFile, ProbingQuestion, read_probing
from annotation.models import Criterion, Item, Rater, RaterKind, Study, User
from annotation.selectors.items.probing_table import IMPORTED, probing_criterion
from annotation.services.base import audit
from annotation.services.base.bulk_insert import Progress, ignore_progress
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, refuse_unless_draft
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items

SLOT = "1"


@dataclass(frozen=True)
class LoadedQuestions:
    """Numbers of questions and answers stored, and the answers that were refused."""

    questions: int
    answers: int
    refused: list[FileProblem] = field(default_factory=list)


def import_probing(
    *,
    study: Study,
    paths: Sequence[tuple[Path, str]],
    answers: bool = False,
    file_format: str = "",
    actor: User | None = None,
) -> LoadedQuestions:
    """Add the questions of files to a draft whose form asks for one of an item's own options.

    Parameters
    ----------
    study : Study
        A draft made from the protocol “The property of a simile (probing)”.
    paths : sequence of (Path, str)
        The files, and what messages call them; without its ending that is the `system` of its items.
    answers : bool
        Store the column `human_idx` as the answers of an anonymous rater; otherwise it is stored with the
        items, for an export.
    file_format : str
        By the files' endings where empty.
    actor : User or None
        User who imports.

    Returns
    -------
    LoadedQuestions
        With the answers that are none of the options; their questions are stored.

    Raises
    ------
    FileRefused
        A file cannot be taken; nothing was stored.
    NotAllowedNow
        The study is no draft (`not_a_draft`), or has raters (`not_empty`).
    InvalidContent
        Its form has no such question (`no_own_options`).
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    if answers and study.raters.exclude(kind=RaterKind.TRIAL).exists():
        raise NotAllowedNow(
            message("You can only import answers into a study without raters."), code="not_empty"
        )
    files = [read_probing(path, name=name, file_format=file_format) for path, name in paths]
    return store_probing(study=study, files=files, answers=answers, actor=actor)


def store_probing(
    *,
    study: Study,
    files: Sequence[ProbingFile],
    answers: bool,
    actor: User | None = None,
    progress: Progress = ignore_progress,
) -> LoadedQuestions:
    """Store questions that were read, and their answers where wanted; all of them or none.

    Parameters
    ----------
    study : Study
        A draft, or a published study while it is loaded.
    files, answers, actor
        As for `import_probing`, but read.
    progress : callable
        As for `bulk_insert.store`.

    Raises
    ------
    InvalidContent
        The study's form does not ask for one of an item's own options (`no_own_options`).
    """
    criterion = _own_options(study)
    asked = [(Path(file.name).stem, question) for file in files for question in file.questions]
    refused = [problem for file in files for problem in file.refused]
    with transaction.atomic():
        first = study.items.count()
        key = OptionSettings.of(criterion.settings).answer_key
        rows = [
            _item(number, system, question, key) for number, (system, question) in enumerate(asked, first + 1)
        ]
        add_items(study=study, rows=rows)
        items = list(study.items.order_by("position")[first:])
        questions = [question for _, question in asked]
        stored = _store_answers(study, criterion, items, questions, progress) if answers else 0
        audit.record(
            study=study,
            actor=actor,
            act=IMPORTED,
            questions=len(asked),
            answers=stored,
            refused=[str(problem) for problem in refused],
        )
    return LoadedQuestions(len(asked), stored, refused)


def _own_options(study: Study) -> Criterion:
    criterion = probing_criterion(study)
    if criterion is None:
        raise InvalidContent(
            message(
                "This study has no question with separate options for each item. Create the study from "
                "the protocol "
                "“The property of a simile (probing)”."
            ),
            code="no_own_options",
        )
    return criterion


def _item(number: int, system: str, question: ProbingQuestion, key: str) -> NewItem:
    given = {} if question.answer is None else {ANSWER: str(question.answer)}
    return NewItem(
        key=f"Q{number:04d}",
        system=system,
        fields={"sentence": question.sentence, "options": "\n".join(question.options)},
        metadata={key or "right": str(question.key), **question.parts, **given},
    )


def _store_answers(
    study: Study,
    criterion: Criterion,
    items: Sequence[Item],
    questions: Sequence[ProbingQuestion],
    progress: Progress,
) -> int:
    """Store the answers of one anonymous rater; a rejected one becomes “can’t rate”."""
    Study.objects.filter(pk=study.pk).update(identified=False)
    rater = Rater.objects.create(study=study, code=SLOT, kind=RaterKind.SLOT, state=RaterState.FINISHED)
    loaded = [
        LoadedResponse(item=item, rater=rater, version=criterion.version, **_answer(criterion, question))
        for item, question in zip(items, questions, strict=True)
        if question.answer is not None or question.refused
    ]
    store_responses(loaded=loaded, progress=progress)
    return sum(bool(one.values) for one in loaded)


def _answer(criterion: Criterion, question: ProbingQuestion) -> dict[str, Any]:
    if question.answer is not None:
        return {"values": {criterion: str(question.answer)}}
    remark = f"the file has the answer {question.refused[:60]}"
    return {"values": {}, "cannot_rate": "other", "remark": remark}
