"""Sentences with annotated tuples from CMDAG files: items, and the answers of one rater."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import RaterState
from annotation.domain.items.rater_codes import TAKEN_CODE, explain_trial_code, is_trial_code
from annotation.domain.questions.cmdag_records import LOCATIONS, PARTS, RecordExtras, location, marks_of
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.tuples import in_one_line
from annotation.io.items.cmdag_file import read_records
from annotation.models import Criterion, Rater, RaterKind, Study, User
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.tuple_tables import marked_field, parts_asked
from annotation.services.base import audit
from annotation.services.base.bulk_insert import Progress, ignore_progress
from annotation.services.base.drafts import lock_draft
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.questions.criteria import question_of

EARLIER = "earlier"


@dataclass(frozen=True)
class LoadedTuples:
    """What was stored: how many items and tuples, and how many tuples are located, by `LOCATIONS`."""

    items: int
    tuples: int
    located: Mapping[str, int]


@dataclass(frozen=True)
class _Sentence:
    """The records about one context, as an item and its tuples."""

    key: str
    metaphor_id: int | str
    context: str
    places: Sequence[int]
    marks: Sequence[dict[str, Any]]
    extras: Sequence[RecordExtras]


def import_tuples(
    *, study: Study, path: Path, name: str = "", rater: str = EARLIER, actor: User | None = None
) -> LoadedTuples:
    """Add the sentences of a file in CMDAG's JSON to a draft, with their tuples as the answers of one rater.

    Parameters
    ----------
    study, actor
        A draft without raters, and who imports. The tuples answer the first form that asks for all their
        parts.
    path, name
        The file, and what messages call it.
    rater : str
        Code of the rater whose tuples they are.

    Raises
    ------
    FileRefused
        The file cannot be taken; nothing was stored.
    NotAllowedNow
        The study is no draft (`not_a_draft`), or has raters already (`not_empty`).
    InvalidContent
        The rater’s code is one of a member’s trial (`code_taken`), no form asks for tuples
        (`no_tuples_criterion`) or for all parts that those of the file have
        (`parts_lacking`), or the study has an item of that key (`bad_item_key`).
    """
    records = read_records(path, name=name)
    with transaction.atomic():
        study = lock_draft(
            study.pk, message("You can only import annotated sentences while the study is a draft.")
        )
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                message("You can only import annotated sentences into a study without raters."),
                code="not_empty",
            )
        if is_trial_code(rater):
            raise InvalidContent(message("%(problem)s.", problem=explain_trial_code(rater)), code=TAKEN_CODE)
        loaded = load_records(study=study, records=records, code=rater)
        audit.record(study=study, actor=actor, act="import_tuples", count=loaded.tuples, **loaded.located)
    return loaded


def load_records(
    *, study: Study, records: Sequence[Mapping[str, Any]], code: str, progress: Progress = ignore_progress
) -> LoadedTuples:
    """Store records from `read_records`; called inside the loading transaction.

    Parameters
    ----------
    study, records, code
        A form of the study asks for all parts that the records have; the code is that of their rater.
    progress : callable
        As for `bulk_insert.store`.

    Raises
    ------
    InvalidContent
        As `import_tuples`.
    """
    sentences = _sentences(records)
    criterion = _criterion_for(study, sentences)
    field = marked_field(criterion.version)
    shown = {block["field"] for block in criterion.version.blocks}
    add_items(study=study, rows=[_item(one, field, shown, code) for one in _in_order(sentences)])
    stored = {item.key: item for item in study.items.all()}
    annotator = Rater.objects.create(study=study, code=code, kind=RaterKind.PERSON, state=RaterState.FINISHED)
    store_responses(
        progress=progress,
        loaded=[
            LoadedResponse(
                item=stored[one.key],
                rater=annotator,
                version=criterion.version,
                values={**_earlier_answer(criterion), criterion: _text(one.marks)},
            )
            for one in sentences
        ],
    )
    return _counted([one.marks for one in sentences])


def _counted(sentences: Sequence[Sequence[dict[str, Any]]]) -> LoadedTuples:
    """How many sentences and tuples there are, by where their parts are located."""
    located = Counter(
        location(mark for mark in marks if mark["tuple"] == number)
        for marks in sentences
        for number in {mark["tuple"] for mark in marks}
    )
    return LoadedTuples(len(sentences), located.total(), {where: located[where] for where in LOCATIONS})


def _criterion_for(study: Study, sentences: Sequence[_Sentence]) -> Criterion:
    """The first of the study's criteria whose parts are all that the tuples have."""
    asked = [
        criterion
        for version in form_versions(study=study)
        for criterion in version.criteria.all()
        if criterion.question_kind.yields is Yields.SPANS
    ]
    if not asked:
        raise InvalidContent(
            message("No form of this study asks for tuples. Create a study from a protocol that does."),
            code="no_tuples_criterion",
        )
    named = {mark["part"] for one in sentences for mark in one.marks}
    lacking = {criterion: _lacking(criterion, named) for criterion in asked}
    fitting = next((criterion for criterion, parts in lacking.items() if not parts), None)
    if fitting is None:
        raise InvalidContent(_lacking_components(lacking), code="parts_lacking")
    return fitting


def _lacking(criterion: Criterion, named: Collection[str]) -> list[str]:
    """The parts of the records that the criterion lacks."""
    has = parts_asked(criterion)
    return [part for part in PARTS if part in named and part not in has]


def _lacking_components(lacking: Mapping[Criterion, Sequence[str]]) -> str:
    named = [
        message(
            "“%(criterion)s” of the form “%(form)s” lacks %(components)s.",
            criterion=criterion.name,
            form=criterion.version.form.title,
            components=", ".join(parts),
        )
        for criterion, parts in lacking.items()
    ]
    return joined(
        [
            message("No form asks for all components of the tuples in the file."),
            *named,
            message("Add the missing components to one of these criteria, with these values."),
        ]
    )


def _earlier_answer(criterion: Criterion) -> dict[Criterion, float | str]:
    """An answer after which tuples are asked for."""
    if not criterion.asked_after:
        return {}
    earlier = criterion.version.criteria.get(key=criterion.asked_after)
    if earlier.question_kind.yields is not Yields.NUMBER:
        return {earlier: earlier.question_kind.cell_deciding(question_of(earlier), criterion.asked_when)}
    condition = Condition.read(criterion.asked_when)
    # A bound may lie between two points: the next one that meets it, within the scale.
    if condition.comparison is Comparison.AT_LEAST:
        return {earlier: min(ceil(condition.bound), earlier.maximum or inf)}
    if condition.comparison is Comparison.AT_MOST:
        return {earlier: max(floor(condition.bound), earlier.minimum or -inf)}
    return {earlier: condition.bound}


def _sentences(records: Sequence[Mapping[str, Any]]) -> list[_Sentence]:
    """By ID and context; an ID with several contexts gets numbered keys."""
    positions: dict[tuple[int | str, str], list[int]] = {}
    for position, record in enumerate(records):
        positions.setdefault((record["metaphor_id"], record["context"]), []).append(position)
    keys: Counter[str] = Counter()
    sentences = []
    for (metaphor_id, context), found in positions.items():
        keys[str(metaphor_id)] += 1
        number = keys[str(metaphor_id)]
        key = str(metaphor_id) if number == 1 else f"{metaphor_id}-{number}"
        marks, extras = marks_of([records[position] for position in found])
        sentences.append(_Sentence(key, metaphor_id, context, found, marks, extras))
    return sentences


def _in_order(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """Drop the positions of the records if they are in the order of the sentences."""
    positions = [position for one in sentences for position in one.places]
    if positions != sorted(positions):
        return list(sentences)
    return [_Sentence(one.key, one.metaphor_id, one.context, (), one.marks, one.extras) for one in sentences]


def _item(one: _Sentence, field: str, shown: set[str], code: str) -> NewItem:
    texts = {field: one.context}
    if "earlier" in shown:
        texts["earlier"] = in_one_line(_text(one.marks))
    document: dict[str, Any] = {"rater": code, "records": [record.as_dict() for record in one.extras]}
    if one.places:
        document["places"] = list(one.places)
    metadata = {"metaphor_id": one.metaphor_id, "cmdag": json.dumps(document, ensure_ascii=False)}
    return NewItem(key=one.key, fields=texts, metadata=metadata)


def _text(marks: Sequence[dict[str, Any]]) -> str:
    return json.dumps(list(marks), ensure_ascii=False)
