"""Raters who want no messages, and the end of what is stored about messages to a rater."""

from __future__ import annotations

import time

from django.core.cache import cache
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import TooManyChanges
from annotation.domain.base.messages import message
from annotation.models import Rater, RaterMessage
from annotation.services.base import audit
from annotation.services.people.messages.letters import SALT

# How often anybody with the link may allow emails again in one day. Stopping them is never refused.
MOST_ALLOWED = 5
DAY = 24 * 60 * 60


def rater_of_link(token: str) -> Rater | None:
    """The rater whose link to stop messages this is; None for any other text.

    Parameters
    ----------
    token : str
        The end of the link.
    """
    try:
        pk = Signer(salt=SALT).unsign(token)
    except BadSignature:
        return None
    return Rater.objects.select_related("study").filter(pk=pk).first()


def set_messages_stopped(*, rater: Rater, stopped: bool) -> None:
    """Stop messages of a study to a rater, or allow them again, as the rater asks.

    Parameters
    ----------
    rater : Rater
        Who opened the link of an email.
    stopped : bool
        Whether messages stop.

    Raises
    ------
    TooManyChanges
        They have been stopped and allowed again several times today, and stay stopped.
    """
    with transaction.atomic():
        locked = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if stopped != (locked.messages_stopped_at is not None):
            if not stopped:
                _count_allowed(locked)
            locked.messages_stopped_at = timezone.now() if stopped else None
            locked.save(update_fields=["messages_stopped_at"])
            act = "stop_messages" if stopped else "allow_messages"
            audit.record(study=locked.study, actor=None, act=act, rater=locked.code)
    rater.messages_stopped_at = locked.messages_stopped_at


def _count_allowed(rater: Rater) -> None:
    """Count that emails are allowed again; all processes share the count, which is reset every day."""
    now = time.time()
    key = f"emails-allowed:{rater.pk}:{int(now // DAY)}"
    before = cache.get(key, 0)
    if before >= MOST_ALLOWED:
        raise TooManyChanges(
            message(
                "The emails stay stopped: they were allowed several times today. You can allow them tomorrow."
            ),
            seconds=DAY - int(now % DAY),
        )
    # Not `incr`: outside Redis it gives the entry the cache's usual end, which is earlier.
    cache.set(key, before + 1, timeout=DAY)


def erase_messages(rater: Rater) -> None:
    """Erase what is stored of messages to a rater; a message without further recipients goes, with its text.

    Parameters
    ----------
    rater : Rater
        Locked by the caller's transaction.
    """
    got = list(rater.message_deliveries.values_list("message", flat=True))
    rater.message_deliveries.all().delete()
    RaterMessage.objects.filter(pk__in=got, deliveries=None).delete()
