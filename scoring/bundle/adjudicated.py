"""Final answers in a bundle; no figure uses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotation.domain.base.codebook import ADJUDICATED, ADJUDICATED_TUPLES, DISCUSSION
from annotation.models import Comment, Criterion, QueueMove, Verdict
from annotation.selectors.adjudication.discussion import discussion_rows
from annotation.selectors.adjudication.final_answers import adjudicated_rows, adjudicated_tuples_table
from annotation.selectors.questions.tuple_tables import has_tuples
from scoring.bundle.contents import BundleFile, Contents, table_files
from scoring.bundle.ratings import IN_WORDS


def adjudicated_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/adjudicated`, with tuples `data/adjudicated_tuples`, and `data/adjudication_discussion`.

    Each where there is something to tell.
    """
    yield from _final_answers(contents)
    of_study = {"case__study": contents.study}
    if Comment.objects.filter(**of_study).exists() or QueueMove.objects.filter(**of_study).exists():
        yield from table_files(contents, "adjudication_discussion", DISCUSSION, lambda: _said(contents))


def _final_answers(contents: Contents) -> Iterator[BundleFile]:
    if not Verdict.objects.filter(case__study=contents.study).exists():
        return
    yield from table_files(contents, "adjudicated", ADJUDICATED, lambda: _rows(contents), every_format=True)
    if has_tuples(contents.study):
        yield from table_files(contents, "adjudicated_tuples", ADJUDICATED_TUPLES, lambda: _tuples(contents))


def _rows(contents: Contents) -> Iterator[dict[str, Any]]:
    redactor = contents.redactor
    criteria = Criterion.objects.filter(version__form__study=contents.study, kind__in=IN_WORDS)
    in_words = set(criteria.values_list("version__form__key", "key"))
    for row in adjudicated_rows(contents.study):
        row["note"] = redactor.note(row["note"])
        if row["value"] and (row["form"], row["criterion"]) in in_words:
            row["value"] = redactor.answer(row["value"])
        yield row


def _said(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in discussion_rows(contents.study):
        yield {**row, "text": contents.redactor.note(row["text"])}


def _tuples(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in adjudicated_tuples_table(contents.study)[1]:
        yield {**row, "text": contents.redactor.answer(row["text"])}
