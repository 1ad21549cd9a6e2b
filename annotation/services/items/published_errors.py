"""Published files of marked errors, as the items and answers of a study."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.items.published.error_marks import Mark, plain_name
from annotation.io.items.published.marked_errors import (
    OF_SCALES,
    PublishedAnswer,
    PublishedErrors,
    read_published_errors,
)
from annotation.models import Criterion, FormVersion, Study, User
from annotation.selectors.questions.form_versions import form_versions
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, refuse_unless_draft
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.rating_files import import_ratings
from annotation.services.questions.criteria import question_of

FALSE_WORDS = {"", "false", "0", "no"}


@dataclass(frozen=True)
class _Asked:
    """The question that asks for errors, the scales beside it, and the values of its points by any name."""

    question: Question
    scales: Mapping[str, Question]
    categories: Mapping[str, str]
    severities: Mapping[str, str]
    version: FormVersion


def import_published_errors(
    *, study: Study, path: Path, name: str = "", file_format: str = "", actor: User | None = None
) -> int:
    """Add the texts of a published file of marked errors to a draft, with the errors as answers.

    Parameters
    ----------
    study, actor
        A draft without raters whose form asks for marked errors, and who imports.
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty. One row an error:
        `system`, `doc`, `seg_id` (or `item`), `rater` (or `slot`), `source`, `target`, `category` and
        `severity`; the place is `<v>…</v>` in the target, or `start` and `end`; `overall` is the value on
        the scale beside. Or one row an answer, as our own table `error_texts`. Categories and severities
        are values or labels of the points of the form, in any case.

    Returns
    -------
    int
        Ratings stored.

    Raises
    ------
    FileRefused, NotAllowedNow, InvalidContent
        The file has errors, the study is no draft (`not_a_draft`), has raters, or asks for no errors
        (`no_errors_asked`).
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    asked = _asked(study)
    name = name or path.name
    file = read_published_errors(path, name=name, file_format=file_format)
    known = dict(study.items.values_list("key", "fields"))
    texts = _texts(file, known, asked.question.field, name)
    rows = _checked(file, asked, texts, name)
    with transaction.atomic(), NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as written:
        add_items(study=study, rows=list(_new_items(file, asked, known)))
        written.writelines(json.dumps(row) + "\n" for row in rows)
        written.flush()
        return import_ratings(study=study, path=Path(written.name), name=name, actor=actor)


def _asked(study: Study) -> _Asked:
    for version in form_versions(study=study):
        for criterion in version.criteria.all():
            if criterion.question_kind.yields is Yields.ERRORS:
                return _as_asked(version, criterion)
    raise InvalidContent(
        message("No form of this study asks for marked errors. Add such a question to a form first."),
        code="no_errors_asked",
    )


def _as_asked(version: FormVersion, criterion: Criterion) -> _Asked:
    rules, question = ErrorSettings.of(criterion.settings), question_of(criterion)
    labels = {point.value: point.label for point in criterion.points.all()}

    def named(values: Sequence[str]) -> dict[str, str]:
        by_label = {plain_name(labels[value]): value for value in values if labels[value].strip()}
        return by_label | {plain_name(value): value for value in values}

    return _Asked(
        question=question,
        scales={
            one.key: question_of(one)
            for one in version.criteria.all()
            if one.question_kind.yields is Yields.NUMBER
        },
        categories=named(rules.categories(question.options)),
        severities=named(rules.severities(question.options)),
        version=version,
    )


def _texts(
    file: PublishedErrors, known: Mapping[str, Mapping[str, str]], field: str, name: str
) -> dict[str, str]:
    """The marked text of each item; what the study has must not be contradicted."""
    problems = Problems(name)
    texts = {key: fields.get(field, "") for key, fields in known.items()}
    rows: dict[str, int] = {}
    column = file.columns.get("target", "target")
    for answer in file.answers:
        if answer.text is None and answer.item not in texts:
            sentence = message("the study has no item %(key)s; add the column target", key=repr(answer.item))
            problems.add(answer.row, column, "no_text", sentence)
        elif answer.text is not None and texts.setdefault(answer.item, answer.text) != answer.text:
            sentence = (
                message(
                    "the text differs from that in row %(row)d; texts of one item must be equal",
                    row=rows[answer.item],
                )
                if answer.item in rows
                else message("the text differs from that of item %(key)s of the study", key=repr(answer.item))
            )
            problems.add(answer.row, column, "text_differs", sentence)
        elif answer.text is not None and not answer.text.strip():
            problems.add(answer.row, column, "no_text", message("the text is empty"))
        rows.setdefault(answer.item, answer.row)
    problems.refuse_if_any()
    return texts


def _new_items(
    file: PublishedErrors, asked: _Asked, known: Mapping[str, Mapping[str, str]]
) -> Iterator[NewItem]:
    """The items that the study lacks; the source is the other text that the form shows."""
    field = asked.question.field
    others = [block["field"] for block in asked.version.blocks if block["field"] != field]
    first: dict[str, PublishedAnswer] = {}
    for answer in file.answers:
        if answer.item not in known:
            first.setdefault(answer.item, answer)
    for answer in first.values():
        source = {others[0]: answer.source} if others and answer.source else {}
        yield NewItem(
            key=answer.item,
            group=answer.group,
            system=answer.system,
            fields={**source, field: answer.text or ""},
        )


def _checked(
    file: PublishedErrors, asked: _Asked, texts: Mapping[str, str], name: str
) -> list[dict[str, Any]]:
    """The answers as rows of a ratings file, or a refusal with all problems."""
    problems, rows = Problems(name), []
    overall = next(iter(asked.scales), "")
    if not overall and any("" in answer.values for answer in file.answers):
        sentence = message("the form has no scale for the overall value; add one, or remove the column")
        raise refusal(name, "no_scale", sentence, column=file.columns.get("overall", "overall"))
    for answer in file.answers:
        common = {"item": answer.item, file.who: answer.rater, **_of_form(asked), **answer.state}
        common |= {
            name: value for name, value in (("group", answer.group), ("system", answer.system)) if value
        }
        cannot_rate = answer.state.get("cannot_rate", "").lower() not in FALSE_WORDS
        marks = _marks(answer, asked, file, problems)
        cell = "" if cannot_rate else _errors_cell(answer, marks, asked, texts, file, problems)
        rows.append({**common, "criterion": asked.question.key, "value": cell})
        for key, value in answer.values.items():
            _check_value(answer, key, value, asked.scales.get(key or overall), file, problems)
            rows.append({**common, "criterion": key or overall, "value": value})
        if cannot_rate:
            rows += [{**common, "criterion": one, "value": ""} for one in asked.scales]
    problems.refuse_if_any()
    return rows


def _of_form(asked: _Asked) -> dict[str, Any]:
    version = asked.version
    return {
        "form": version.form.key,
        "form_version": version.number,
        "form_correction": version.correction,
    }


def _marks(
    answer: PublishedAnswer, asked: _Asked, file: PublishedErrors, problems: Problems
) -> list[Mark] | None:
    """The errors with the values of the form’s points; None where a name is not known."""
    found, bad = [], False
    for row, mark in zip(answer.rows, answer.marks, strict=True):
        named = {}
        for part, values in (("category", asked.categories), ("severity", asked.severities)):
            value = values.get(plain_name(mark[part]))
            if value is None:
                sentence = message(
                    "the form has no %(value)s; change the cell or add a point. It has: %(there)s",
                    value=repr(mark[part][:60]),
                    there=", ".join(dict.fromkeys(values.values())),
                )
                problems.add(row, file.columns.get(part, "spans"), f"unknown_{part}", sentence)
                bad = True
            named[part] = value
        found.append({**mark, **named})
    return None if bad else found


def _errors_cell(
    answer: PublishedAnswer,
    marks: Sequence[Mark] | None,
    asked: _Asked,
    texts: Mapping[str, str],
    file: PublishedErrors,
    problems: Problems,
) -> str:
    question = asked.question
    if marks is None:
        return ""
    within = {question.field: texts[answer.item]}
    try:
        checked = question.kind.checked(question, json.dumps(list(marks)), within)
    except ValueError as problem:
        column = next(
            (file.columns[one] for one in ("spans", "start", "target") if one in file.columns), "spans"
        )
        problems.add(answer.row, column, "not_an_answer", str(problem.args[0]))
        return ""
    return "" if checked is None else str(question.kind.cell(checked))


def _check_value(
    answer: PublishedAnswer,
    key: str,
    value: str,
    question: Question | None,
    file: PublishedErrors,
    problems: Problems,
) -> None:
    column = f"{OF_SCALES}{key}" if key else file.columns["overall"]
    if question is None:
        sentence = message("the form has no scale of this name; remove the column or add a scale")
        problems.add(answer.row, column, "no_scale", sentence)
        return
    try:
        question.kind.checked(question, value)
    except ValueError as problem:
        problems.add(answer.row, column, "not_an_answer", str(problem.args[0]))
