"""One change of chosen items, as pages, the API and the command line ask for it."""

from __future__ import annotations

from enum import StrEnum

from django.db.models import QuerySet

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.models import Form, Item, Study, User
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.seats.retirement import restore_items, retire_items


class ItemAct(StrEnum):
    """What can be done with items of an open or paused study."""

    RATINGS = "ratings"
    RETIRE = "retire"
    RESTORE = "restore"


def form_asked(study: Study, key: str) -> Form:
    """Return the form that is named, or the only one.

    Parameters
    ----------
    study : Study
        Study of the form.
    key : str
        Its key; may be empty where the study has one form.

    Raises
    ------
    InvalidContent
        `no_such_form`.
    """
    forms = list(study.forms.filter(key=key) if key else study.forms.all()[:2])
    if len(forms) != 1:
        raise InvalidContent(message("Choose a form of the study."), code="no_such_form")
    return forms[0]


def change_items(
    *,
    study: Study,
    act: ItemAct,
    items: QuerySet[Item],
    actor: User | None,
    form: str = "",
    to: int | None = None,
    for_new_items: bool = False,
    reason: str = "",
) -> int:
    """Change chosen items; return how many rating slots came or went.

    Parameters
    ----------
    study, act, items, actor
        The study, what is done, with which of its items, and who does it; None on the command line.
    form : str
        With `ratings`, the key of the form; may be empty where there is one.
    to : int or None
        With `ratings`, how many each item is to have.
    for_new_items : bool
        With `ratings`, items that are added later need as many too.
    reason : str
        With `retire`, for the audit log.

    Raises
    ------
    NotAllowedNow, InvalidContent
        As `raise_overlap`, `retire_items` and `restore_items`.
    """
    if act is ItemAct.RETIRE:
        return retire_items(study=study, items=items, reason=reason, actor=actor).slots
    if act is ItemAct.RESTORE:
        return restore_items(study=study, items=items, actor=actor).slots
    return raise_overlap(
        form=form_asked(study, form), items=items, to=to or 0, actor=actor, for_new_items=for_new_items
    )
