"""Removal of all items of a draft: how an import of the wrong file is undone."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Assignment, Check, Exclusion, Item, RaterKind, Rating, Response, Study, User
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft


def remove_items(*, study: Study, actor: User) -> int:
    """Remove all items of a draft, with the previews of its members.

    Parameters
    ----------
    study : Study
        A draft without raters.
    actor : User
        The member who removes them.

    Returns
    -------
    int
        How many items were removed.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`), has raters or imported ratings (`holds_ratings`), or an
        attention check or an exclusion refers to an item (`items_in_use`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, message("You can only remove items while the study is a draft."))
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                message("You cannot remove the items, because the study has raters or imported ratings."),
                code="holds_ratings",
            )
        items = Item.objects.filter(study=study)
        checked, excluded = Check.objects.filter(original__in=items), Exclusion.objects.filter(item__in=items)
        if checked.exists() or excluded.exists():
            raise NotAllowedNow(
                message("You cannot remove the items: an attention check or an exclusion refers to one."),
                code="items_in_use",
            )
        _delete_previews(study)
        count = items.count()
        items.delete()
        audit.record(study=study, actor=actor, act="remove_items", count=count)
    return count


def _delete_previews(study: Study) -> None:
    previews = Assignment.objects.filter(item__in=Item.objects.filter(study=study))
    answers = Response.objects.filter(assignment__in=previews)
    Rating.objects.filter(response__in=answers).delete()
    answers.delete()
    previews.delete()
