"""The items of a study."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotation.models import ImportFile, Item, Study
from annotation.selectors.questions.counting import PROGRESS, counted


def items_of(*, study: Study) -> QuerySet[Item]:
    """The items in order, each with `n_responses`: those that fill the number of ratings it needs."""
    filling = Q(assignments__responses__in=counted(study, PROGRESS))
    numbered = study.items.annotate(n_responses=Count("assignments__responses", filter=filling))
    return numbered.order_by("position", "pk")


def waiting_item_files(study: Study) -> QuerySet[ImportFile]:
    """The uploaded item files whose columns nobody has chosen yet, without their rows.

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
    return sum(study.forms.filter(fed_by=None).values_list("overlap", flat=True))
