"""How many people may join by one link in a while: from one network, and from everywhere."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.domain.base.errors import TooManyJoins
from annotation.models import Invitation

# Seconds in which joins are counted together.
WINDOW = 600


def count_join(*, invitation: Invitation, network: str) -> None:
    """Count a new rater; the count is shared by all processes, and begins anew every ten minutes.

    Call it while the study is locked, so that two joins are not counted as one.

    Parameters
    ----------
    invitation : Invitation
        The link that somebody new joins by; who comes back is not counted.
    network : str
        Where they come from; empty where that is not known.

    Raises
    ------
    TooManyJoins
        The link has brought as many as the settings allow; nobody is stored.
    """
    now = time.time()
    window, left = int(now // WINDOW), WINDOW - int(now % WINDOW)
    limits = [(f"joins:{invitation.pk}:{window}", settings.JOINS_BY_LINK)]
    if network:
        limits.append((f"joins:{invitation.pk}:{window}:{network}", settings.JOINS_BY_NETWORK))
    for key, most in limits:
        if cache.get(key, 0) >= most:
            raise TooManyJoins(_sentence(now + left, -(-left // 60)), seconds=left)
    for key, _most in limits:
        cache.add(key, 0, timeout=2 * WINDOW)
        cache.incr(key)


def _sentence(until: float, minutes: int) -> str:
    clock = date_format(timezone.localtime(datetime.fromtimestamp(until, UTC)), "H:i")
    message = _(
        "Too many people have joined by this link in the last minutes. Try again at %(time)s, "
        "in about %(minutes)d min. Nothing is lost if you leave this page open until then."
    )
    return message % {"time": clock, "minutes": minutes}
