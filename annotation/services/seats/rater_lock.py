"""A rater's row under lock: whatever one rater does is done one after the other."""

from __future__ import annotations

from django.db.models import BigIntegerField

from annotation.models import Exclusion, Rater, Study
from annotation.selectors.base.prepared_queries import Compiled

_rater = Compiled(
    lambda pk: Rater.objects.select_for_update(of=("self",)).filter(pk=pk), pk=BigIntegerField()
)
_excluded = Compiled(
    lambda pk: Exclusion.objects.filter(rater=pk, lift__isnull=True).order_by("pk").values_list("pk")[:1],
    pk=BigIntegerField(),
)
_study = Compiled(lambda pk: Study.objects.filter(pk=pk), pk=BigIntegerField())


def locked_rater(pk: int) -> Rater:
    """The rater, locked until the caller's transaction ends, with the study as it is now.

    Parameters
    ----------
    pk : int
        Of the rater.

    Returns
    -------
    Rater
        With `study`, and `is_excluded`: whether an exclusion that nobody lifted names the rater.
    """
    (rater,) = _rater(pk=pk)
    # Read after the lock is held: asked for with it, they would be as they were before the wait.
    rater.is_excluded = _excluded.first(pk=pk) is not None
    (rater.study,) = _study(pk=rater.study_id)
    return rater
