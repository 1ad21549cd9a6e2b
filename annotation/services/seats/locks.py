"""Row locks that serialise the acts of one rater, and the decisions about one item."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import BigIntegerField, QuerySet

from annotation.models import Exclusion, Item, Rater, Study
from annotation.selectors.base.prepared_queries import Compiled

_rater = Compiled(
    lambda pk: Rater.objects.select_related("invitation").select_for_update(of=("self",)).filter(pk=pk),
    pk=BigIntegerField(),
)
_excluded = Compiled(
    lambda pk: Exclusion.objects.filter(rater=pk, lift__isnull=True).order_by("pk").values_list("pk")[:1],
    pk=BigIntegerField(),
)
_study = Compiled(lambda pk: Study.objects.filter(pk=pk), pk=BigIntegerField())


def locked_rater(pk: int) -> Rater:
    """The rater, locked until the caller's transaction ends, with the `study` as it is now.

    Parameters
    ----------
    pk : int
        Of the rater.

    Returns
    -------
    Rater
        With `study`, `invitation` and `is_excluded`: whether an active exclusion names the rater.
    """
    (rater,) = _rater(pk=pk)
    # Read after the lock is held: asked for with it, they would be as they were before the wait.
    rater.is_excluded = _excluded.first(pk=pk) is not None
    (rater.study,) = _study(pk=rater.study_id)
    return rater


def lock_studies(pks: Iterable[int]) -> None:
    """Lock studies until the caller's transaction ends: before the accounts of their members.

    Parameters
    ----------
    pks : iterable of int
        Every transaction locks them in the same order, so that there are no deadlocks.
    """
    rows = Study.objects.select_for_update(no_key=True).filter(pk__in=list(pks))
    list(rows.order_by("pk").values_list("pk", flat=True))


def lock_items(items: QuerySet[Item]) -> None:
    """Lock items until the caller's transaction ends: after a rater's row, before any slot or answer.

    Every transaction locks them in the same order, so that there are no deadlocks.

    Parameters
    ----------
    items : queryset of Item
        The items to lock.
    """
    # Not the whole row: who stores an answer about the item refers to it meanwhile.
    rows = items.select_for_update(of=("self",), no_key=True)
    list(rows.order_by("pk").values_list("pk", flat=True))
