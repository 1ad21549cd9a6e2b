"""Answers as the rating page posts them: by criterion, tuples also as plain fields, one a part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.http import QueryDict

from annotation.domain.questions.marked_text import marked_field
from annotation.domain.questions.tuple_fields import from_plain
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Criterion, Item
from annotation.selectors.rating.rating_page import Given

ANSWER = "answer-"
PART_OF_ROW = re.compile(r"(?P<key>[-\w]+)\.(?P<row>[0-9]{1,3})\.(?P<part>[-\w]+)", re.ASCII)
Rows = Mapping[int, Mapping[str, str]]


def given_in(posted: QueryDict, item: Item, criteria: Sequence[Criterion]) -> Given:
    """What a page sent.

    Parameters
    ----------
    posted : QueryDict
        Its fields. Beside the plain fields of tuples stands the answer that they showed.
    item : Item
        That was answered.
    criteria : sequence of Criterion
        Of the version that was shown.
    """
    named = {name.removeprefix(ANSWER): posted.getlist(name) for name in posted if name.startswith(ANSWER)}
    answers = {name: values for name, values in named.items() if not PART_OF_ROW.fullmatch(name)}
    asked = {criterion.key: criterion for criterion in criteria}
    for key, rows in _rows(named).items():
        before = answers.get(key, [""])[-1]
        answers[key] = [_written(rows, before, item, asked.get(key))]
    return Given(answers=answers, cannot_rate=posted.get("cannot_rate", ""), remark=posted.get("remark", ""))


def _written(rows: Rows, before: str, item: Item, criterion: Criterion | None) -> str:
    if criterion is None:
        return from_plain(rows)
    within = item.fields.get(marked_field(criterion.version.blocks))
    return from_plain(rows, before=before, settings=TupleSettings.of(criterion.settings), within=within)


def _rows(named: Mapping[str, list[str]]) -> dict[str, dict[int, dict[str, str]]]:
    """By criterion, the rows of parts that were written, by their numbers on the page."""
    rows: dict[str, dict[int, dict[str, str]]] = {}
    for name, values in named.items():
        found = PART_OF_ROW.fullmatch(name)
        if found:
            row = rows.setdefault(found["key"], {}).setdefault(int(found["row"]), {})
            row[found["part"]] = values[-1]
    return rows
