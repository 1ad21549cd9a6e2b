"""Check of the worker's clock before deletions by date, which cannot be undone."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from config.postgresql.shared_clock import shared_now

MOST_DIFFERENCE = timedelta(minutes=1)
AHEAD = message(
    "Nothing was deleted: the clock of the worker is %(minutes)s min ahead of the clock of the database. "
    "Correct both, for example with NTP. The job will try again."
)
BEHIND = message(
    "Nothing was deleted: the clock of the worker is %(minutes)s min behind the clock of the database. "
    "Correct both, for example with NTP. The job will try again."
)


def refuse_wrong_clocks() -> None:
    """Refuse to delete anything while the clock of the worker is not that of the database.

    Raises
    ------
    GroundworkError
        They differ by more than a minute (`clocks_differ`).
    """
    ahead = timezone.now() - shared_now()
    if abs(ahead) > MOST_DIFFERENCE:
        minutes = round(abs(ahead).total_seconds() / 60)
        sentence = AHEAD if ahead > timedelta() else BEHIND
        raise GroundworkError(message(sentence, minutes=f"{minutes:,}"), code="clocks_differ")
