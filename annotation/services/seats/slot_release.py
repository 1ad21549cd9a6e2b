"""Releasing the rating slots that raters hold and do not answer, by a member of the study."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Rater, Study, User
from annotation.services.base import audit
from annotation.services.seats import reservations

ALL_FREE = message("Nothing was released: the selected raters hold no reserved rating slots.")


def release_slots(*, study: Study, codes: Collection[str], actor: User) -> int:
    """Release the reserved slots of some raters, so that other raters can get the items at once.

    Responses stay as they are. A rater whose page is still open can save it: the response fills a slot of the
    item if one is free, and is otherwise late. A rater who comes back gets the items again that are still
    free.

    Parameters
    ----------
    study : Study
        Theirs, in any state.
    codes : collection of str
        Rater codes, at least one.
    actor : User
        User who releases them.

    Returns
    -------
    int
        Number of released slots.

    Raises
    ------
    InvalidContent
        No rater is chosen (`no_rater`), or one is not in the study (`unknown_rater`).
    NotAllowedNow
        None of them holds a slot (`nothing_reserved`).
    """
    if not codes:
        raise InvalidContent(message("Select at least one rater."), code="no_rater")
    released = 0
    with transaction.atomic():
        for rater in _locked(study, set(codes)):
            n = reservations.release(raters=[rater.pk])
            released += n
            if n:
                audit.record(study=study, actor=actor, act="release_slots", rater=rater.code, n=n)
        if not released:
            raise NotAllowedNow(ALL_FREE, code="nothing_reserved")
    return released


def _locked(study: Study, codes: set[str]) -> list[Rater]:
    """The raters under their locks: none of them saves or is given anything meanwhile."""
    possible = {code for code in codes if "\x00" not in code}
    rows = Rater.objects.select_for_update(of=("self",)).filter(study=study, code__in=possible)
    found = list(rows.order_by("pk"))
    unknown = sorted(codes - {rater.code for rater in found})
    if unknown:
        raise InvalidContent(
            message("Nothing was released: the study has no rater “%(code)s”.", code=unknown[0]),
            code="unknown_rater",
        )
    return found
