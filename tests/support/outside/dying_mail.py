"""Mail that leaves, and a worker that dies before it can store that it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.mail.backends.locmem import EmailBackend

BACKEND = f"{__name__}.Backend"


class Killed(BaseException):
    """The end of a process: nothing catches it."""


class Backend(EmailBackend):
    def send_messages(self, messages: Sequence[Any]) -> int:
        super().send_messages(messages)
        raise Killed
