"""The items before and after one in the list from which its page was opened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Q

from annotation.models import Item, Study
from annotation.selectors.items.of_study import items_with
from scoring.models import FigureSet, ItemSummary
from scoring.selectors.raters.item_matches import matching_keys
from scoring.selectors.raters.item_query import ItemView


@dataclass(frozen=True)
class Neighbours:
    """Keys of the items before and after, empty at an end; `position` is 0 where it is not counted."""

    before: str
    after: str
    position: int = 0
    total: int = 0


def neighbours_in_view(figure_set: FigureSet, view: ItemView, item: Item) -> Neighbours | None:
    """Neighbours in a view of *Disagreement*; None where the view no longer has the item.

    Parameters
    ----------
    figure_set, view
        The figures, and filters and order of the view.
    item : Item
        The item.
    """
    keys = matching_keys(figure_set, view)
    own = ItemSummary.objects.filter(made=figure_set, item=item).values_list("pk", flat=True).first()
    found = np.flatnonzero(keys == (own or 0))
    if not len(found):
        return None
    place = int(found[0])
    around = {step: int(keys[place + step]) for step in (-1, 1) if 0 <= place + step < len(keys)}
    names = dict(ItemSummary.objects.filter(pk__in=around.values()).values_list("pk", "key"))
    before, after = names.get(around.get(-1, 0), ""), names.get(around.get(1, 0), "")
    return Neighbours(before, after, place + 1, len(keys))


def neighbours_in_list(study: Study, words: str, item: Item) -> Neighbours:
    """Neighbours on *Items*, among those that a search finds.

    Parameters
    ----------
    study, item
        The study, and an item of it.
    words : str
        What was searched for; empty for all items.
    """
    found = items_with(study, words)
    same = Q(position=item.position)
    before = found.filter(Q(position__lt=item.position) | (same & Q(pk__lt=item.pk)))
    after = found.filter(Q(position__gt=item.position) | (same & Q(pk__gt=item.pk)))
    return Neighbours(
        before.order_by("-position", "-pk").values_list("key", flat=True).first() or "",
        after.order_by("position", "pk").values_list("key", flat=True).first() or "",
    )
