"""A rater by the address of a study."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, CharField

from annotation.models import Rater
from annotation.selectors.base.prepared_queries import Compiled

_RATERS = Rater.objects.select_related("study", "invitation")
_one = Compiled(
    lambda pk, slug: _RATERS.filter(pk=pk, study__slug=slug), pk=BigIntegerField(), slug=CharField()
)


def enrolled_as(joined: Sequence[int], *, slug: str) -> Rater | None:
    """The rater of a study among those, given by their numbers, that a browser has joined as."""
    if len(joined) == 1:
        return _one.first(pk=joined[0], slug=slug)
    return _RATERS.filter(pk__in=joined, study__slug=slug).first()
