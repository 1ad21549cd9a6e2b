"""Which key is sent to the chat endpoint for a study."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from django.conf import settings

from annotation.models import Study
from scoring.models import JudgeKey

# Of a shorter key, four characters would tell too much.
SHORTEST_SHOWN = 12
N_SHOWN = 4


class KeyUsed(StrEnum):
    """The key that is sent to the endpoint, or why none is."""

    STUDY = "study"
    UNREADABLE = "unreadable"
    INSTALLATION = "installation"
    NONE = "none"


@dataclass(frozen=True)
class KeyState:
    """What may be shown of the key.

    Parameters
    ----------
    used
        Which key is sent.
    host
        Host of the endpoint, with its port; empty where this installation has none.
    last_four
        End of the study’s key; empty where it has none, or a short or unreadable one.
    set_at
        When the study’s key was set; None where it has none.
    other_host
        The host for which the study’s key was set, if that is no longer the endpoint; else empty.
    """

    used: KeyUsed
    host: str
    last_four: str = ""
    set_at: datetime | None = None
    other_host: str = ""


def stored_key(study: Study) -> JudgeKey | None:
    """The study’s key for the present endpoint; one that was set for another address is none.

    Parameters
    ----------
    study : Study
        The study.
    """
    return JudgeKey.objects.filter(study=study, address=settings.JUDGE_ADDRESS).first()


def key_state(study: Study) -> KeyState:
    """Which key is sent for a study, and what may be shown of it.

    Parameters
    ----------
    study : Study
        The study.
    """
    host = urlsplit(settings.JUDGE_ADDRESS).netloc
    default = KeyUsed.INSTALLATION if settings.JUDGE_KEY else KeyUsed.NONE
    own = JudgeKey.objects.filter(study=study).first()
    if own is None:
        return KeyState(default, host)
    if own.address != settings.JUDGE_ADDRESS:
        return KeyState(default, host, set_at=own.set_at, other_host=urlsplit(own.address).netloc)
    key = own.key
    used = KeyUsed.STUDY if key else KeyUsed.UNREADABLE
    return KeyState(used, host, key[-N_SHOWN:] if len(key) >= SHORTEST_SHOWN else "", own.set_at)
