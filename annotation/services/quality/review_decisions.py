"""Raters with flags whom somebody has reviewed and keeps: they are not listed until there are other flags."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Rater, User
from annotation.selectors.quality.rater_profile import profiles
from annotation.services.base import audit


def keep_rater(*, rater: Rater, flags: Collection[str], actor: User) -> list[str]:
    """Keep a rater in spite of the flags that were seen, and write it into the audit log.

    Parameters
    ----------
    rater : Rater
        Whose responses stay included.
    flags : collection of str
        Keys of the flags on the page; those that the rater no longer has are ignored.
    actor : User
        Member who decides.

    Returns
    -------
    list of str
        The flags that no longer list the rater.

    Raises
    ------
    InvalidContent
        `no_such_flag`: the rater has none of these flags any more.
    """
    with transaction.atomic():
        found = profiles(rater.study, [rater])[0].flagged
        kept = [one.key for one in found if one.key in flags]
        if not kept:
            raise InvalidContent(
                message("%(rater)s no longer has these flags.", rater=rater.code), code="no_such_flag"
            )
        audit.record(study=rater.study, actor=actor, act="keep_rater", rater=rater.code, flags=kept)
    return kept


def list_rater_again(*, rater: Rater, actor: User) -> None:
    """Undo `keep_rater`: the flags of a rater are listed again.

    Parameters
    ----------
    rater : Rater
        Who was kept.
    actor : User
        Member who decides.
    """
    audit.record(study=rater.study, actor=actor, act="list_rater_again", rater=rater.code)
