"""The queues of jobs, so that short work does not wait for long work."""

from __future__ import annotations

from enum import StrEnum

# The queue of earlier versions, which had one for all jobs; messages in it are passed on.
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
