"""The queues of jobs, so that short work does not wait for long work."""

from __future__ import annotations

from enum import StrEnum

# The one queue of all jobs before there were four; what still waits in it is passed on.
BEFORE = "groundwork"


class Queue(StrEnum):
    """What a job waits in; a worker takes jobs of one queue or of several."""

    SHORT = "short"
    REPORTS = "reports"
    MODELS = "models"
    MESSAGES = "messages"

    @property
    def broker_name(self) -> str:
        """As the broker and `celery -Q` have it."""
        return f"{BEFORE}.{self.value}"
