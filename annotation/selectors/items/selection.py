"""Which items an act is about: all, those of a group, or those of a list of item IDs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import MOST_ITEMS_NAMED
from annotation.domain.base.messages import message
from annotation.models import Item, Study

MOST_NAMED = 5


def select_items(
    study: Study, *, every: bool = False, group: str = "", keys: Sequence[str] = ()
) -> QuerySet[Item]:
    """Return the items of a study that are asked for in exactly one of three ways.

    Parameters
    ----------
    study : Study
        Whose items.
    every : bool
        All of them.
    group : str
        Those of a group.
    keys : sequence of str
        Those with these item IDs.

    Raises
    ------
    InvalidContent
        Not exactly one way is chosen (`no_selection`), the list is too long (`too_many_items`), or the study
        has no such group (`no_such_group`) or items (`no_such_item`).
    """
    if [every, bool(group), bool(keys)].count(True) != 1:
        raise InvalidContent(message("Choose all items, a group, or item IDs."), code="no_selection")
    if len(keys) > MOST_ITEMS_NAMED:
        sentence = message("Enter at most %(most)d item IDs.", most=MOST_ITEMS_NAMED)
        raise InvalidContent(sentence, code="too_many_items")
    items = Item.objects.filter(study=study)
    if every:
        return items
    if group:
        found = items.filter(group=group)
        if not found.exists():
            raise InvalidContent(
                message("The study has no group “%(group)s”.", group=group), code="no_such_group"
            )
        return found
    found = items.filter(key__in=keys)
    unknown = sorted(set(keys) - set(found.values_list("key", flat=True)))
    if unknown:
        named = ", ".join(unknown[:MOST_NAMED]) + (" …" if len(unknown) > MOST_NAMED else "")
        raise InvalidContent(message("The study has no item %(keys)s.", keys=named), code="no_such_item")
    return found
