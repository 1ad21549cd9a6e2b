"""Judges whose answers come from a file."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import FileRefused, InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import Answer
from annotation.io.base.cells import refuse_unnamed_codes
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.readers import read_all_rows
from annotation.models import Criterion, Item, Study, Upload, User
from scoring.io.judgement_columns import JudgementCell, judgement_cells
from scoring.models import Judge
from scoring.selectors.judges.criteria import criteria_by_name
from scoring.services.judges.judge_storing import Judged, JudgeNotes, checked_notes, store_judge
from scoring.services.judges.scores_as_answers import (
    Mapped,
    NoAnswer,
    answer_from,
    on_scale,
    rated_values,
    refused_criterion,
)


@dataclass(frozen=True)
class JudgementFile:
    """Settings and study data for reading a file of a judge's answers."""

    notes: JudgeNotes
    mapped: Mapped = Mapped.ANSWERS


def import_judgements(
    *, study: Study, actor: User | None, path: Path, name: str, asked: JudgementFile
) -> list[Judge]:
    """Store the answers of a file as one judge, or as one for each name in its column `judge`.

    Parameters
    ----------
    study : Study
        In any state.
    actor : User or None
        Who imports it; None on the command line.
    path : Path
        The file: CSV, TSV, JSONL, JSON, XLSX or Parquet.
    name : str
        What messages call it.
    asked : JudgementFile
        Without a name where the file names its judges.

    Returns
    -------
    list of Judge
        In the order of the file.

    Raises
    ------
    FileRefused
        The file cannot be read; as `judgement_cells`; `unknown_item`, `doubled_judgement`, `not_an_answer`,
        `not_a_number`, `outside_scale`, `no_scale`, `no_ratings`, `several_judges` or `no_answers`, each with
        its row. Nothing was stored.
    InvalidContent
        As `checked_notes`.
    """
    rows, unread = read_all_rows(path, name=name)
    if unread:
        raise FileRefused(unread)
    refuse_unnamed_codes(name, rows)
    criteria = criteria_by_name(study)
    cells = judgement_cells(name, rows, _called(criteria))
    judges = _by_judge(name, cells, asked.notes.name)
    items = {item.key: item for item in Item.objects.filter(study=study)}
    problems = Problems(name)
    found = {
        judge: list(_judged(own, items, criteria, partial(_read, study, asked.mapped), problems))
        for judge, own in judges.items()
    }
    problems.refuse_if_any()
    if asked.mapped is Mapped.QUANTILES:
        found = {judge: _on_scales(study, name, own, criteria) for judge, own in found.items()}
    settings = {"file_name": name, "sha256": _digest(path), "mapping": asked.mapped.value}
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return [
            store_judge(
                study=study,
                actor=actor,
                notes=checked_notes(study, replace(asked.notes, name=judge)),
                way="file",
                settings=settings,
                judged=judged,
            )
            for judge, judged in found.items()
        ]


def import_uploaded_judgements(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Store a sent file, as `import_judgements`; its options are the fields of `JudgeNotes`, and `mapped`.

    Raises
    ------
    InvalidContent
        The upload belongs to no study (`no_study`).
    """
    if upload.study is None:
        raise InvalidContent(message("Choose a study."), code="no_study")
    options = dict(upload.options)
    asked = JudgementFile(mapped=Mapped(options.pop("mapped")), notes=JudgeNotes(**options))
    judges = import_judgements(
        study=upload.study, actor=upload.created_by, path=path, name=upload.name, asked=asked
    )
    return {"judges": [judge.pk for judge in judges]}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _called(criteria: Mapping[str, Criterion]) -> dict[str, str]:
    """What a file may call each criterion: its name in statistics, or a key or title that only it has."""
    called: dict[str, list[str]] = defaultdict(list)
    for name, criterion in criteria.items():
        for words in {name.lower(), criterion.key.lower(), criterion.name.strip().lower()}:
            called[words].append(name)
    named = {words: names[0] for words, names in called.items() if len(names) == 1}
    return {**named, **{name.lower(): name for name in criteria}}


def _by_judge(name: str, cells: Sequence[JudgementCell], judge: str) -> dict[str, list[JudgementCell]]:
    found: dict[str, list[JudgementCell]] = {}
    for cell in cells:
        found.setdefault(cell.judge, []).append(cell)
    if judge and len(found) > 1:
        sentence = message("the file has several judges; leave the name empty to give each its own")
        raise refusal(name, "several_judges", sentence, column="judge")
    return {judge: list(cells)} if judge else found


def _judged(
    cells: Sequence[JudgementCell],
    items: Mapping[str, Item],
    criteria: Mapping[str, Criterion],
    read: Callable[[Any, Criterion, Item], Answer | None],
    problems: Problems,
) -> Iterator[Judged]:
    """The answers of one judge; what is wrong is added to the problems."""
    first: dict[tuple[str, str, int], int] = {}
    for cell in cells:
        item, criterion = items.get(cell.item), criteria[cell.criterion]
        place = cell.item, cell.criterion, cell.sample
        if item is None:
            sentence = message("the study has no item %(item)r", item=cell.item[:80])
            problems.add(cell.row, "item", "unknown_item", sentence)
        elif place in first:
            sentence = message("row %(row)d has this answer already", row=first[place])
            problems.add(cell.row, cell.column, "doubled_judgement", sentence)
        else:
            first[place] = cell.row
            try:
                answer = read(cell.cell, criterion, item)
            except NoAnswer as problem:
                problems.add(cell.row, cell.column, problem.code, problem.sentence)
            else:
                yield Judged(item.pk, criterion, cell.sample, answer, str(cell.cell))


def _read(study: Study, mapped: Mapped, cell: Any, criterion: Criterion, item: Item) -> Answer | None:
    if refused := refused_criterion(study, criterion, mapped):
        raise NoAnswer("no_scale", refused)
    return answer_from(cell, criterion, mapped, item.fields)


def _on_scales(
    study: Study, name: str, judged: Sequence[Judged], criteria: Mapping[str, Criterion]
) -> list[Judged]:
    """The answers with the distribution of the ratings of their criteria."""
    values = rated_values(study)
    found: list[Judged] = []
    for called, criterion in criteria.items():
        own = [one for one in judged if one.criterion == criterion]
        if not own:
            continue
        if called not in values:
            sentence = message("the study has no ratings yet whose distribution the scores could get")
            raise refusal(name, "no_ratings", sentence, column=called)
        mapped = on_scale(values[called], [one.answer for one in own])
        found += [replace(one, answer=answer) for one, answer in zip(own, mapped, strict=True)]
    return found
