"""Checks of the contents of responses: complete, and in the format of their kind of question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.questions.kinds.condition import Condition
from annotation.domain.questions.kinds.kind import Answer, Yields
from annotation.domain.questions.kinds.registry import KINDS, cell_of, keys_yielding
from annotation.models import Criterion, FinalAnswer, RaterKind, Rating, Response
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.studies.verify.breach import MOST_NAMED, Breach, Rule
from annotation.selectors.studies.verify.constraints import RESTORE

READ_AT_ONCE = 2000
NO_NUMBER = Rule("answer_of_another_kind", "Its question needs a number, but it has none.", RESTORE)
A_NUMBER = Rule("answer_of_another_kind", "It has a number, but its question does not take one.", RESTORE)
UNREADABLE = Rule("answer_unreadable", "Its content is not in the format of its kind of question.", RESTORE)
INCOMPLETE = Rule(
    "rating_missing",
    "It lacks the rating of a required criterion: one was deleted.",
    "Copy the rating from a backup, or restore the last backup for which `verify` finds nothing.",
)


def find_incomplete_answers() -> Iterator[Breach]:
    """Yield responses that lack the rating of a required criterion.

    Imported responses and previews may be incomplete.
    """
    submitted = Response.objects.filter(
        cannot_rate="",
        assignment__rater__kind=RaterKind.PERSON,
        assignment__rater__consented_at__isnull=False,
    )
    required = Criterion.objects.filter(required=True)
    ratings = Rating.objects.filter(response=OuterRef(OuterRef("pk")), criterion=OuterRef("pk"))
    always = required.filter(version=OuterRef("version"), asked_after="")
    keys = set(submitted.filter(Exists(always.exclude(Exists(ratings)))).values_list("pk", flat=True))
    for criterion in required.exclude(asked_after=""):
        keys |= _led_to(criterion, submitted)
    yield from INCOMPLETE.of_keys(Response, sorted(keys)[:MOST_NAMED], total=len(keys))


def _led_to(criterion: Criterion, submitted: QuerySet[Response]) -> set[int]:
    """Responses without this criterion although their earlier answer leads to it."""
    earlier = Rating.objects.filter(
        criterion__version=criterion.version_id, criterion__key=criterion.asked_after, response__in=submitted
    )
    answered = Rating.objects.filter(response=OuterRef("response"), criterion=criterion)
    rows = earlier.exclude(Exists(answered)).values_list("response", *ANSWER_COLUMNS).order_by()
    condition = Condition.read(criterion.asked_when)
    return {
        response
        for response, kind, *columns in rows.iterator(chunk_size=READ_AT_ONCE)
        if condition.holds(KINDS[kind].decided_by(cell_of(kind, *columns)))
    }


def find_wrong_contents() -> Iterator[Breach]:
    """Yield answers that are not valid for their kind of question."""
    numbers = keys_yielding(Yields.NUMBER)
    for answers in (Rating.objects.all(), FinalAnswer.objects.all()):
        yield from NO_NUMBER.breaches(answers.filter(criterion__kind__in=numbers, value=None))
        others = answers.exclude(criterion__kind__in=numbers)
        yield from A_NUMBER.breaches(others.filter(value__isnull=False))
        rows = others.filter(content__isnull=False).values_list("pk", "criterion__kind", "content")
        keys = [
            key
            for key, kind, content in rows.order_by().iterator(chunk_size=READ_AT_ONCE)
            if not _is_readable(kind, content)
        ]
        yield from UNREADABLE.of_keys(answers.model, sorted(keys)[:MOST_NAMED], total=len(keys))


def _is_readable(kind: str, content: Any) -> bool:
    """Whether writing to a file and reading back gives the same content."""
    try:
        own = KINDS[kind]
        return isinstance(content, list) and own.of_cell(own.cell(Answer(content=content))).content == content
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
