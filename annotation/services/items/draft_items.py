"""Repair of one item of a draft: missing texts are entered, or the item is deleted."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_ITEM_TEXT
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose
from annotation.io.base.strict_documents import unstorable
from annotation.models import Assignment, Check, Exclusion, Item, Rating, Response, User
from annotation.services.base import audit
from annotation.services.base.drafts import CHANGES_IN_DRAFTS, lock_draft
from annotation.services.items.removal import refuse_while_items_are_read


def enter_texts(*, item: Item, texts: Mapping[str, str], actor: User) -> Item:
    """Enter texts that an item of a draft lacks; texts that it has stay as they are.

    Parameters
    ----------
    item : Item
        The item.
    texts : mapping of str to str
        By the name of the text; empty ones are ignored.
    actor : User
        The member who enters them.

    Raises
    ------
    InvalidContent
        Nothing was entered (`no_text`), or a text is too long or cannot be stored (`bad_text`).
    NotAllowedNow
        The study is no draft (`not_a_draft`), or the item was deleted (`item_deleted`).
    """
    given = {name: text.replace("\r\n", "\n") for name, text in texts.items() if text.strip()}
    _refuse_unusable(given)
    with transaction.atomic():
        study = lock_draft(item.study_id, CHANGES_IN_DRAFTS)
        item = _locked(item)
        new = {name: text for name, text in given.items() if not item.fields.get(name)}
        item.fields = {**item.fields, **new}
        item.save(update_fields=["fields"])
        audit.record(study=study, actor=actor, act="enter_texts", item=item.key, fields=sorted(new))
    return item


def delete_item(*, item: Item, actor: User) -> None:
    """Delete an item of a draft, with its previews.

    Parameters
    ----------
    item, actor
        The item, and the member who deletes it.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`), the item was deleted (`item_deleted`) or has ratings
        (`holds_ratings`), an attention check or an exclusion refers to it (`items_in_use`), or a job reads
        the items (`items_are_read`).
    """
    with transaction.atomic():
        study = lock_draft(item.study_id, message("You can only remove items while the study is a draft."))
        item = _locked(item)
        refuse_while_items_are_read(study)
        assigned = Assignment.objects.filter(item=item)
        if assigned.exclude(purpose=Purpose.TRIAL).exists():
            raise NotAllowedNow(
                message("You cannot delete the item, because it has ratings."), code="holds_ratings"
            )
        if Check.objects.filter(original=item).exists() or Exclusion.objects.filter(item=item).exists():
            raise NotAllowedNow(
                message("You cannot delete the item: an attention check or an exclusion refers to it."),
                code="items_in_use",
            )
        answers = Response.objects.filter(assignment__in=assigned)
        Rating.objects.filter(response__in=answers).delete()
        answers.delete()
        assigned.delete()
        study.items.filter(position__gt=item.position).update(position=F("position") - 1)
        audit.record(study=study, actor=actor, act="delete_item", item=item.key)
        item.delete()


def _locked(item: Item) -> Item:
    """The item as it is now, locked."""
    locked = Item.objects.select_for_update(no_key=True, of=("self",)).filter(pk=item.pk).first()
    if locked is None:
        raise NotAllowedNow(
            message("The item has been deleted. Go back to the list of items."), code="item_deleted"
        )
    return locked


def _refuse_unusable(texts: Mapping[str, str]) -> None:
    if not texts:
        raise InvalidContent(message("Enter the text."), code="no_text")
    too_long = any(len(text) > LONGEST_ITEM_TEXT for text in texts.values())
    if too_long or unstorable({"texts": dict(texts)}, ""):
        sentence = message("Enter at most %(n)d characters, without control characters.", n=LONGEST_ITEM_TEXT)
        raise InvalidContent(sentence, code="bad_text")
