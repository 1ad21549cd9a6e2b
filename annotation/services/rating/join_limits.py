"""How many people may join by one link in a while: from one network, and from everywhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django.utils.formats import date_format

from annotation.domain.base.errors import TooManyJoins
from annotation.domain.base.messages import Message, counted_message
from annotation.models import Invitation

# Seconds in which joins are counted together.
WINDOW = 600


def check_joins(*, invitation: Invitation, network: str) -> None:
    """Refuse a new rater where too many have joined just now; nothing is counted yet.

    Call it, and `count_join` after it, while the study is locked: of joins at the same time each then knows
    of those before it.

    Parameters
    ----------
    invitation : Invitation
        The link by which a new rater joins; returning raters are not counted.
    network : str
        Where they come from; empty where that is not known.

    Raises
    ------
    TooManyJoins
        The link has brought as many as the settings allow.
    """
    now = time.time()
    left = WINDOW - int(now % WINDOW)
    by_link, by_network = _counts(invitation, network, now)
    if cache.get(by_link, 0) >= settings.JOINS_BY_LINK:
        raise TooManyJoins(_by_link(now + left, -(-left // 60)), seconds=left)
    if network and cache.get(by_network, 0) >= settings.JOINS_BY_NETWORK:
        raise TooManyJoins(_by_network(now + left, -(-left // 60)), seconds=left)


def count_join(*, invitation: Invitation, network: str) -> None:
    """Count a new rater once nothing can refuse them any more: a count is not taken back.

    The count is shared by all processes, and is reset every ten minutes.

    Parameters
    ----------
    invitation, network
        As of `check_joins`.
    """
    for key in _counts(invitation, network, time.time()):
        # Not `incr`: outside Redis it gives the entry the cache's usual end, which is earlier.
        cache.set(key, cache.get(key, 0) + 1, timeout=2 * WINDOW)


@contextmanager
def counted_join(*, invitation: Invitation, network: str | None) -> Iterator[None]:
    """Check the limits before a rater joins, and count the join once nothing has refused it.

    Parameters
    ----------
    invitation
        As of `check_joins`.
    network : str or None
        As of `check_joins`; None for a returning rater, who is neither checked nor counted.

    Raises
    ------
    TooManyJoins
        As `check_joins`.
    """
    if network is not None:
        check_joins(invitation=invitation, network=network)
    yield
    if network is not None:
        count_join(invitation=invitation, network=network)


def _counts(invitation: Invitation, network: str, now: float) -> tuple[str, str]:
    """Under which names joins by the link are counted now: all, and those from the network."""
    by_link = f"joins:{invitation.pk}:{int(now // WINDOW)}"
    return by_link, f"{by_link}:{network}"


def _by_link(until: float, minutes: int) -> Message:
    return counted_message(
        "Too many people have joined through this link in the last few minutes. Try again in about "
        "%(n)d minute, at %(time)s. You can leave this page open until then.",
        "Too many people have joined through this link in the last few minutes. Try again in about "
        "%(n)d minutes, at %(time)s. You can leave this page open until then.",
        n=minutes,
        time=_clock(until),
    )


def _by_network(until: float, minutes: int) -> Message:
    return counted_message(
        "Too many people have joined from your network in the last few minutes. Try again in about "
        "%(n)d minute, at %(time)s. You can leave this page open until then.",
        "Too many people have joined from your network in the last few minutes. Try again in about "
        "%(n)d minutes, at %(time)s. You can leave this page open until then.",
        n=minutes,
        time=_clock(until),
    )


def _clock(until: float) -> str:
    return date_format(timezone.localtime(datetime.fromtimestamp(until, UTC)), "H:i T")
