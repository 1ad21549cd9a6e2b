"""What answers hold: all that must be answered, and a number, a text or parts as their kind stores them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.questions.kinds.kind import Answer, Yields
from annotation.domain.questions.kinds.registry import KINDS, cell_of, keys_yielding
from annotation.models import Criterion, FinalAnswer, RaterKind, Rating, Response
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.studies.verify.breach import MOST_NAMED, Breach, Rule
from annotation.selectors.studies.verify.constraints import RESTORE

READ_AT_ONCE = 2000
NO_NUMBER = Rule("answer_of_another_kind", "Its question asks for a number, and it has none.", RESTORE)
A_NUMBER = Rule("answer_of_another_kind", "It has a number, and its question asks for none.", RESTORE)
UNREADABLE = Rule(
    "answer_unreadable", "The parts of the answer are not as its kind of question stores them.", RESTORE
)
INCOMPLETE = Rule(
    "rating_missing",
    "It has no rating of a criterion that was asked and must be answered: one was deleted.",
    "Copy the rating from a backup that has it, or restore the last backup in which `verify` finds nothing.",
)


def find_incomplete_answers() -> Iterator[Breach]:
    """Yield answers that lack a rating of a criterion without which they would not have been saved.

    Answers of imported files, and of members who try a draft, may lack some.
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
    """Answers without this criterion whose earlier answer leads to it."""
    earlier = Rating.objects.filter(
        criterion__version=criterion.version_id, criterion__key=criterion.asked_after, response__in=submitted
    )
    answered = Rating.objects.filter(response=OuterRef("response"), criterion=criterion)
    rows = earlier.exclude(Exists(answered)).values_list("response", *ANSWER_COLUMNS).order_by()
    return {
        response
        for response, *columns in rows.iterator(chunk_size=READ_AT_ONCE)
        if str(cell_of(*columns)) == criterion.asked_when
    }


def find_wrong_contents() -> Iterator[Breach]:
    """Yield answers that no question of their kind could have."""
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
    """Whether the way to a file and back gives the same parts."""
    try:
        own = KINDS[kind]
        return isinstance(content, list) and own.of_cell(own.cell(Answer(content=content))).content == content
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
