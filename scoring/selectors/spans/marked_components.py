"""The components of items that most of their raters marked, with these answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Rating, Response, Study
from annotation.selectors.questions.counting import MARKS, counted
from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.raters_components import find_majority_components


class Marked(NamedTuple):
    """What most raters of an item marked, and the primary keys of all answers that were counted."""

    components: Extraction
    answers: tuple[int, ...]


def marked_components(study: Study, texts: Mapping[int, str]) -> dict[int, Marked]:
    """Components from raters' tuples.

    Parameters
    ----------
    study : Study
        Study of the raters. Late and excluded answers, those of excluded raters and can't-rate do not count.
        Answers about an excluded item do, because excluding an item changes no score.
    texts : mapping
        The text that is scored of each item, by primary key.

    Returns
    -------
    dict
        By primary key, without the items that no answer is counted for.
    """
    answers: dict[int, dict[int, list[dict[str, Any]]]] = defaultdict(dict)
    responses = _responses(study, list(texts))
    marks: dict[int, Any] = dict(
        Rating.objects.filter(
            response__in=responses.order_by(), criterion__kind__in=keys_yielding(Yields.SPANS)
        )
        .order_by()
        .values_list("response_id", "content")
    )
    for response, item in responses.values_list("pk", "assignment__item_id"):
        answers[item][response] = marks.get(response, [])
    return {
        item: Marked(find_majority_components(list(of_item.values()), texts[item]), tuple(of_item))
        for item, of_item in answers.items()
    }


def raters_of(answers: Sequence[int]) -> list[str]:
    """Codes of the raters whose answers were counted, as far as the answers are still there."""
    found = Response.objects.filter(pk__in=answers).order_by("assignment__rater__code")
    return list(found.values_list("assignment__rater__code", flat=True))


def _responses(study: Study, items: Sequence[int]) -> QuerySet[Response]:
    return (
        counted(study, MARKS)
        .filter(
            assignment__item__in=items,
            cannot_rate="",
            version__criteria__kind__in=keys_yielding(Yields.SPANS),
        )
        .order_by("assignment__rater__code", "pk")
        .distinct()
    )
