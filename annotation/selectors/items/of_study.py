"""The items of a study."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet

from annotation.models import ImportFile, Item, Study
from annotation.selectors.base.item_search import json_contains
from annotation.selectors.questions.counting import PROGRESS, counted


def items_of(*, study: Study) -> QuerySet[Item]:
    """The items in order."""
    return study.items.order_by("position", "pk")


def items_with(study: Study, words: str) -> QuerySet[Item]:
    """The items in order whose ID or texts contain some words, or whose group or system they are.

    Parameters
    ----------
    study, words
        The study, and what is searched for; empty for all items.
    """
    found = items_of(study=study)
    if not words:
        return found
    return found.filter(
        Q(key__icontains=words) | Q(group=words) | Q(system=words) | json_contains("fields", words)
    )


def add_responses(study: Study, items: Sequence[Item]) -> None:
    """Give each of some items `n_responses`, the number of responses that fill the ratings it needs.

    Counted for the items of one page: for all of a large study it takes seconds.

    Parameters
    ----------
    study, items
        The study, and items of it.
    """
    filling = counted(study, PROGRESS).filter(assignment__item__in=[item.pk for item in items]).order_by()
    numbers = dict(filling.values_list("assignment__item").annotate(n=Count("pk")))
    for item in items:
        item.n_responses = numbers.get(item.pk, 0)  # type: ignore[attr-defined]


def waiting_item_files(study: Study) -> QuerySet[ImportFile]:
    """The uploaded item files whose columns have not been chosen yet, without their rows.

    Parameters
    ----------
    study : Study
        The study.
    """
    return study.import_files.filter(what=ImportFile.ITEMS, stored=None).defer("rows")


def slots_per_item(study: Study) -> int:
    """Count the rating slots that an item gets when it is added; those of later stages come with responses.

    Parameters
    ----------
    study : Study
        Open or paused.
    """
    return sum(study.forms.filter(fed_by=None, pairing=None).values_list("overlap", flat=True))
