"""Removal of all items of a draft: how an import of the wrong file is undone."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.messages import message
from annotation.models import (
    Assignment,
    Check,
    Exclusion,
    Item,
    Job,
    RaterKind,
    Rating,
    Response,
    Study,
    User,
)
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.base.job_kinds import queue_of
from annotation.services.base.jobs import UNFINISHED

# Queues of the jobs that read items, and store what they find about them.
READING_ITEMS = frozenset({Queue.MODELS, Queue.REPORTS})


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
        The study is no draft (`not_a_draft`), has raters or imported ratings (`holds_ratings`), an attention
        check or an exclusion refers to an item (`items_in_use`), or a job reads the items
        (`items_are_read`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, message("You can only remove items while the study is a draft."))
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                message("You cannot remove the items, because the study has raters or imported ratings."),
                code="holds_ratings",
            )
        refuse_while_items_are_read(study)
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


def refuse_while_items_are_read(study: Study) -> None:
    """Refuse (`items_are_read`) while a job scores or judges items; called under the lock of the study.

    Parameters
    ----------
    study : Study
        Whose items are to be deleted.
    """
    kinds = Job.objects.filter(UNFINISHED, study=study).values_list("kind", flat=True).distinct()
    if any(queue_of(kind) in READING_ITEMS for kind in kinds):
        raise NotAllowedNow(
            message(
                "A job is working on the items of this study. Wait until it has ended, or cancel it under "
                "Jobs. Then delete again."
            ),
            code="items_are_read",
        )


def _delete_previews(study: Study) -> None:
    previews = Assignment.objects.filter(item__in=Item.objects.filter(study=study))
    answers = Response.objects.filter(assignment__in=previews)
    Rating.objects.filter(response__in=answers).delete()
    answers.delete()
    previews.delete()
