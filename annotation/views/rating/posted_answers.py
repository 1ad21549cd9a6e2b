"""Answers as the rating page posts them: by criterion, some in several fields, one a part."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.core.exceptions import BadRequest
from django.http import QueryDict

from annotation.domain.base.page_activity import read_presence, read_seconds
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.marked_text import marked_field
from annotation.domain.questions.tuple_fields import from_plain
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Criterion, Item
from annotation.selectors.rating.ahead import MOST_RESERVED
from annotation.selectors.rating.rating_page import Given

ANSWER = "answer-"
FIRST = "first-"
HEARD = "heard-"
PART = ":"
LONGEST_REVISION = 4
LONGEST_KEY = 18
PART_OF_ROW = re.compile(r"(?P<key>[-\w]+)\.(?P<row>[0-9]{1,3})\.(?P<part>[-\w]+)", re.ASCII)
Rows = Mapping[int, Mapping[str, str]]


def given_in(posted: QueryDict, item: Item, criteria: Sequence[Criterion]) -> Given:
    """What a page sent.

    Parameters
    ----------
    posted : QueryDict
        Its fields. Plain fields of tuples come with the answer that they showed.
    item : Item
        Item that was answered.
    criteria : sequence of Criterion
        Of the version that was shown.
    """
    named = {name.removeprefix(ANSWER): posted.getlist(name) for name in posted if name.startswith(ANSWER)}
    answers = _whole({name: values for name, values in named.items() if not PART_OF_ROW.fullmatch(name)})
    asked = {criterion.key: criterion for criterion in criteria}
    for key, rows in _rows(named).items():
        before = answers.get(key, [""])[-1]
        answers[key] = [_written(rows, before, item, asked.get(key))]
    heard = {name.removeprefix(HEARD): posted.get(name, "") for name in posted if name.startswith(HEARD)}
    return Given(
        answers=answers,
        cannot_rate=posted.get("cannot_rate", ""),
        remark=posted.get("remark", ""),
        heard={name: way for name, way in heard.items() if way},
    )


def submission_in(posted: QueryDict, given: Given, left_at: datetime | None = None) -> Submission:
    """What a page sent, as it is to be stored; `BadRequest` where its submission key is damaged.

    Parameters
    ----------
    posted : QueryDict
        Its fields.
    given : Given
        From `given_in`.
    left_at : datetime or None
        When the rater last left their pages, from the session.
    """
    try:
        page_key = uuid.UUID(posted.get("submission_key", ""))
    except ValueError as problem:
        raise BadRequest("The page's submission key is missing or damaged.") from problem
    seen = posted.get("seen_revision", "")
    return Submission(
        page_key=page_key,
        answers=given.answers,
        cannot_rate=given.cannot_rate,
        remark=given.remark,
        seen_revision=int(seen) if _is_number(seen, LONGEST_REVISION) else None,
        presence=read_presence({name: str(posted.get(name, "")) for name in posted}),
        first_values={
            name.removeprefix(FIRST): posted.get(name, "") for name in posted if name.startswith(FIRST)
        },
        heard=given.heard,
        interface_language=posted.get("interface_language", ""),
        shown_seconds=read_seconds(posted.get("shown_seconds", "")),
        waited_seconds=read_seconds(posted.get("waited_seconds", "")) or 0.0,
        left_at=left_at,
    )


def number_in(posted: QueryDict, name: str) -> int:
    """A key that the page sent; `BadRequest` where it is missing or damaged."""
    text = posted.get(name, "")
    if not _is_number(text, LONGEST_KEY):
        raise BadRequest(f"The page does not say which {name} it is about.")
    return int(text)


def held_in(posted: QueryDict) -> list[int]:
    """The pages that the browser has already: the one it shows now and those after it."""
    named = posted.get("held", "").split()
    usable = len(named) <= MOST_RESERVED and all(_is_number(name, LONGEST_KEY) for name in named)
    return [int(name) for name in named] if usable else []


def _is_number(text: str, longest: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= longest


def _written(rows: Rows, before: str, item: Item, criterion: Criterion | None) -> str:
    if criterion is None:
        return from_plain(rows)
    within = item.fields.get(marked_field(criterion.version.blocks))
    return from_plain(rows, before=before, settings=TupleSettings.of(criterion.settings), within=within)


def _whole(named: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """By criterion; a field `KEY:PART` that is filled gives the value `PART:VALUE` of the answer to `KEY`."""
    answers: dict[str, list[str]] = {}
    for name, values in named.items():
        key, sign, part = name.partition(PART)
        given = [f"{part}{PART}{value}" for value in values if value.strip()] if sign else values
        answers.setdefault(key, []).extend(given)
    return answers


def _rows(named: Mapping[str, list[str]]) -> dict[str, dict[int, dict[str, str]]]:
    """By criterion, the rows of parts that were written, by their numbers on the page."""
    rows: dict[str, dict[int, dict[str, str]]] = {}
    for name, values in named.items():
        found = PART_OF_ROW.fullmatch(name)
        if found:
            row = rows.setdefault(found["key"], {}).setdefault(int(found["row"]), {})
            row[found["part"]] = values[-1]
    return rows
