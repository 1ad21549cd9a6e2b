"""Selection of items: all, those of a group, or those of a list of item IDs."""

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
    """Return items of a study, selected in exactly one of three ways.

    Parameters
    ----------
    study : Study
        The study of the items.
    every : bool
        Whether to return all items.
    group : str
        The group whose items to return.
    keys : sequence of str
        The IDs of the items to return.

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
