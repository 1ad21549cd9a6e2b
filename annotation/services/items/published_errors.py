"""Published files of marked errors, as the items and answers of a study."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.items.media import MEDIA_ROLES
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.io.base.file_errors import Problems
from annotation.io.items.published.error_marks import Mark, plain_name
from annotation.io.items.published.marked_errors import (
    OF_SCALES,
    PublishedAnswer,
    PublishedErrors,
    read_published_errors,
)
from annotation.models import Criterion, FormVersion, Study, User
from annotation.selectors.questions.shown_options import OF_OPTIONS
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, refuse_unless_draft
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.rating_files import import_ratings
from annotation.services.questions.criteria import question_of

FALSE_WORDS = {"", "false", "0", "no"}
OF_PLACE = ("form", "form_version", "form_correction", "criterion")
PlacedRows = list[tuple[int, dict[str, Any]]]


@dataclass(frozen=True)
class _Asked:
    """A question that asks for errors, the scales of its form, and the values of its points by any name.

    `place` has what an export calls it, and `source` the field of the other text that the form shows.
    """

    question: Question
    scales: Mapping[str, Question]
    categories: Mapping[str, str]
    severities: Mapping[str, str]
    place: Mapping[str, str]
    source: str


# An answer, and the question that it is for.
Placed = tuple[PublishedAnswer, _Asked]


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
        the first scale of the form. Or one row an answer, as our own table `error_texts`. Categories and
        severities are values or labels of the points of the form, in any case. `form`, `form_version`,
        `form_correction` and `criterion` say which question a row answers; the first one that asks for
        errors where they are empty.

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
    asked = _all_asked(study)
    name = name or path.name
    file = read_published_errors(path, name=name, file_format=file_format)
    placed = _placed(file, asked, name)
    known = dict(study.items.values_list("key", "fields"))
    texts = _texts(placed, known, file, name)
    rows = _checked(placed, file, texts, name)
    with transaction.atomic():
        add_items(study=study, rows=_new_items(placed, known, texts))
        return import_ratings(study=study, path=path, name=name, rows=rows, actor=actor)


def _all_asked(study: Study) -> list[_Asked]:
    """The questions that ask for errors, in the order of the forms, of the newest version first."""
    versions = FormVersion.objects.filter(form__study=study, form__planted=False).select_related("form")
    found = [
        _as_asked(version, criterion)
        for version in versions.prefetch_related("criteria__points").order_by(
            "form__position", "form_id", "-number", "-correction"
        )
        for criterion in version.criteria.all()
        if criterion.question_kind.yields is Yields.ERRORS
    ]
    if not found:
        raise InvalidContent(
            message("No form of this study asks for marked errors. Add such a question to a form first."),
            code="no_errors_asked",
        )
    return found


def _as_asked(version: FormVersion, criterion: Criterion) -> _Asked:
    rules, question = ErrorSettings.of(criterion.settings), question_of(criterion)
    labels = {point.value: point.label for point in criterion.points.all()}

    def named(values: Sequence[str]) -> dict[str, str]:
        by_label = {plain_name(labels[value]): value for value in values if labels[value].strip()}
        return by_label | {plain_name(value): value for value in values}

    names = (version.form.key, str(version.number), str(version.correction), criterion.key)
    return _Asked(
        question=question,
        scales={
            one.key: question_of(one)
            for one in version.criteria.all()
            if one.question_kind.yields is Yields.NUMBER
        },
        categories=named(rules.categories(question.options)),
        severities=named(rules.severities(question.options)),
        place=dict(zip(OF_PLACE, names, strict=True)),
        source=_source_field(version, question.field),
    )


def _source_field(version: FormVersion, marked: str) -> str:
    """The other text that the form shows: `source` if it has such a field, or else the first one."""
    others = [
        block["field"]
        for block in version.blocks
        if block["field"] != marked and block.get("role") not in (*MEDIA_ROLES, *OF_OPTIONS)
    ]
    return "source" if "source" in others else next(iter(others), "")


def _placed(file: PublishedErrors, asked: Sequence[_Asked], name: str) -> list[Placed]:
    """Each answer with the question that its row names, or a refusal of those that the study lacks."""
    problems, found = Problems(name), []
    for answer in file.answers:
        left = asked
        for column in OF_PLACE:
            cell = answer.state.get(column, "").strip()
            wanted = slugify(cell)[:60] if column == "form" else cell.removesuffix(".0")
            there = dict.fromkeys(one.place[column] for one in left)
            left = [one for one in left if not cell or one.place[column] == wanted]
            if not left:
                sentence = message(
                    "the study asks for no marked errors in %(value)s; choose one of: %(there)s",
                    value=repr(cell[:60]),
                    there=", ".join(there),
                )
                problems.add(answer.row, column, f"unknown_{column}", sentence)
                break
        found += [(answer, one) for one in left[:1]]
    problems.refuse_if_any()
    return found


def _texts(
    placed: Sequence[Placed], known: Mapping[str, Mapping[str, str]], file: PublishedErrors, name: str
) -> dict[tuple[str, str], str]:
    """The marked texts by item and field; what the study has must not be contradicted."""
    problems = Problems(name)
    fields = dict.fromkeys(asked.question.field for _, asked in placed)
    texts = {(key, field): own.get(field, "") for key, own in known.items() for field in fields}
    rows: dict[tuple[str, str], int] = {}
    column = file.columns.get("target", "target")
    for answer, asked in placed:
        place = answer.item, asked.question.field
        if answer.text is None and place not in texts:
            sentence = message("the study has no item %(key)s; add the column target", key=repr(answer.item))
            problems.add(answer.row, column, "no_text", sentence)
        elif answer.text is not None and texts.setdefault(place, answer.text) != answer.text:
            sentence = (
                message(
                    "the text differs from that in row %(row)d; texts of one item must be equal",
                    row=rows[place],
                )
                if place in rows
                else message("the text differs from that of item %(key)s of the study", key=repr(answer.item))
            )
            problems.add(answer.row, column, "text_differs", sentence)
        elif answer.text is not None and not answer.text.strip():
            problems.add(answer.row, column, "no_text", message("the text is empty"))
        rows.setdefault(place, answer.row)
    problems.refuse_if_any()
    return texts


def _new_items(
    placed: Sequence[Placed],
    known: Mapping[str, Mapping[str, str]],
    texts: Mapping[tuple[str, str], str],
) -> list[NewItem]:
    """The items that the study lacks, with their marked texts and the first source of each."""
    first: dict[str, PublishedAnswer] = {}
    marked: dict[str, dict[str, str]] = {}
    sources: dict[str, dict[str, str]] = {}
    for answer, asked in placed:
        if answer.item in known:
            continue
        first.setdefault(answer.item, answer)
        field = asked.question.field
        marked.setdefault(answer.item, {})[field] = texts[answer.item, field]
        if asked.source and answer.source:
            sources.setdefault(answer.item, {}).setdefault(asked.source, answer.source)
    return [
        NewItem(key=key, group=one.group, system=one.system, fields={**sources.get(key, {}), **marked[key]})
        for key, one in first.items()
    ]


def _checked(
    placed: Sequence[Placed], file: PublishedErrors, texts: Mapping[tuple[str, str], str], name: str
) -> PlacedRows:
    """The answers as rows of a ratings file, or a refusal with all problems."""
    problems, rows = Problems(name), PlacedRows()
    values = _ValuesOfPages(file, problems)
    for answer, asked in placed:
        own = {"item": answer.item, file.who: answer.rater, **answer.state, **asked.place}
        of_item = {"group": answer.group, "system": answer.system}
        own |= {column: cell for column, cell in of_item.items() if cell}
        marks = _marks(answer, asked, file, problems)
        cannot_rate = answer.state.get("cannot_rate", "").lower() not in FALSE_WORDS
        says_nothing = cannot_rate and not answer.has_marks
        cell = "" if says_nothing else _errors_cell(answer, marks, asked, texts, file, problems)
        rows.append((answer.row, {**own, "value": cell}))
        for criterion, value in values.new_ones(answer, asked):
            rows.append((answer.row, {**own, "criterion": criterion, "value": value}))
    problems.refuse_if_any()
    return rows


class _ValuesOfPages:
    """Values on scales; the rows of several questions of one page repeat them."""

    def __init__(self, file: PublishedErrors, problems: Problems) -> None:
        self.columns, self.problems = file.columns, problems
        self.given: dict[tuple[str, ...], str] = {}

    def new_ones(self, answer: PublishedAnswer, asked: _Asked) -> list[tuple[str, str]]:
        """Criterion and value where no earlier row of the page has the value."""
        page = (answer.item, answer.rater, asked.place["form"], answer.state.get("revision", ""))
        found = []
        for key, value in answer.values.items():
            criterion = key or next(iter(asked.scales), "")
            column = f"{OF_SCALES}{key}" if key else self.columns["overall"]
            earlier = self.given.get((*page, criterion))
            if earlier is None:
                self.given[*page, criterion] = value
                found.append((criterion, value))
                self._check(answer.row, column, value, asked.scales.get(criterion))
            elif earlier != value:
                sentence = message(
                    "%(value)s here, but %(other)s in an earlier row of the same answer",
                    value=repr(value[:60]),
                    other=repr(earlier[:60]),
                )
                self.problems.add(answer.row, column, "contradicting_rows", sentence)
        return found

    def _check(self, row: int, column: str, value: str, question: Question | None) -> None:
        if question is None:
            sentence = message("the form has no scale of this name; remove the column or add a scale")
            if column == self.columns.get("overall"):
                sentence = message(
                    "the form has no scale for the overall value; add one, or remove the column"
                )
            self.problems.add(row, column, "no_scale", sentence)
            return
        try:
            question.kind.checked(question, value)
        except ValueError as problem:
            self.problems.add(row, column, "not_an_answer", str(problem.args[0]))


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
    texts: Mapping[tuple[str, str], str],
    file: PublishedErrors,
    problems: Problems,
) -> str:
    question = asked.question
    if marks is None:
        return ""
    within = {question.field: texts[answer.item, question.field]}
    try:
        checked = question.kind.checked(question, json.dumps(list(marks)), within)
    except ValueError as problem:
        column = next(
            (file.columns[one] for one in ("spans", "start", "target") if one in file.columns), "spans"
        )
        problems.add(answer.row, column, "not_an_answer", str(problem.args[0]))
        return ""
    return "" if checked is None else str(question.kind.cell(checked))
