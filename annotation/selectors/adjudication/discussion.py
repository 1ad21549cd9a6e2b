"""Comments on cases, and removals from the queue with their reasons, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from heapq import merge
from typing import Any

from django.db.models import QuerySet

from annotation.domain.base.codebook import DISCUSSION
from annotation.domain.base.timestamps import utc_timestamp
from annotation.models import Comment, QueueMove, Study, Verdict
from annotation.selectors.base.table_types import Table

CHUNK_SIZE = 500
COMMENT, WITHDRAWN, PUT_BACK = "comment", "withdrawn", "put_back"


def discussion_table(study: Study) -> Table:
    """Comments on cases, and removals from the queue and returns to it, one row each.

    Parameters
    ----------
    study : Study
        The study. Members are identified by role and number, as in `adjudicated_table`.
    """
    return tuple(DISCUSSION), discussion_rows(study)


def discussion_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows of `discussion_table`, by item and then by time."""
    known = adjudicators(study)
    comments = (
        (_place(one, one.created_at), _row(one, COMMENT, one.text, known)) for one in _of(Comment, study)
    )
    moves = (
        (_place(one, one.moved_at), _row(one, WITHDRAWN if one.withdrawn else PUT_BACK, one.reason, known))
        for one in _of(QueueMove, study)
    )
    for _, row in merge(comments, moves, key=lambda placed: placed[0]):
        yield row


def adjudicators(study: Study) -> Mapping[int, str]:
    """Role and number of each member who decided, commented on or moved a case; number of a former member."""
    authors: set[int] = set()
    for model in (Verdict, Comment, QueueMove):
        found = model.objects.filter(case__study=study, author__isnull=False).order_by()
        authors.update(found.values_list("author", flat=True).distinct())
    roles = dict(study.memberships.values_list("user", "role"))
    return {
        key: f"{roles.get(key, 'former member')} {place}"
        for place, key in enumerate(sorted(authors), start=1)
    }


def _of(model: type[Comment] | type[QueueMove], study: Study) -> Iterator[Any]:
    when = "created_at" if model is Comment else "moved_at"
    found: QuerySet[Any] = model.objects.filter(case__study=study).select_related(
        "case__study", "case__item", "case__form"
    )
    return found.order_by("case__position", "case", when, "pk").iterator(chunk_size=CHUNK_SIZE)


def _place(one: Comment | QueueMove, when: datetime) -> tuple[int, int, datetime]:
    return one.case.position, one.case_id, when


def _row(one: Comment | QueueMove, kind: str, text: str, known: Mapping[int, str]) -> dict[str, Any]:
    when = one.created_at if isinstance(one, Comment) else one.moved_at
    return {
        "study": one.case.study.slug,
        "item": one.case.item.key,
        "form": one.case.form.key,
        "kind": kind,
        "text": text,
        "author": known.get(one.author_id or 0, ""),
        "at": utc_timestamp(when),
        "state": one.case.state,
    }
