"""Items under lock: what the answers of a stage decide about one item is decided by one after the other."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Item


def lock_items(items: QuerySet[Item]) -> None:
    """Lock items until the caller's transaction ends: after a rater's row, before any seat or answer.

    Parameters
    ----------
    items : queryset of Item
        Locked in one order by everybody, so that nobody waits in a circle.
    """
    # Not the whole row: who stores an answer about the item refers to it meanwhile.
    rows = items.select_for_update(of=("self",), no_key=True)
    list(rows.order_by("pk").values_list("pk", flat=True))
