"""What answers hold: a number, a text or parts, as their kind of question stores them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotation.domain.questions.kinds.kind import Answer, Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import FinalAnswer, Rating
from annotation.selectors.studies.verify.breach import MOST_NAMED, Breach, Rule
from annotation.selectors.studies.verify.constraints import RESTORE

READ_AT_ONCE = 2000
NO_NUMBER = Rule("answer_of_another_kind", "Its question asks for a number, and it has none.", RESTORE)
A_NUMBER = Rule("answer_of_another_kind", "It has a number, and its question asks for none.", RESTORE)
UNREADABLE = Rule(
    "answer_unreadable", "The parts of the answer are not as its kind of question stores them.", RESTORE
)


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
