"""How long the last items of a study are reserved for a rater."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_MINUTES
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.services.base import audit


def set_last_seat_minutes(*, study: Study, actor: User, minutes: int | None) -> None:
    """Set the reservation time of the last items, in a study that is not closed.

    Reservations that exist keep their end; the setting applies to new ones and to those that are renewed.

    Parameters
    ----------
    study, actor
        The study, and who decides.
    minutes : int or None
        None for the usual reservation time.

    Raises
    ------
    InvalidContent
        `bad_minutes`: not from 1 to 100,000, or longer than the usual reservation time; `minimum_too_long`:
        not longer than the minimum page time.
    NotAllowedNow
        The study is closed (`study_closed`).
    """
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if locked.state == StudyState.CLOSED:
            raise NotAllowedNow(message("The study is closed."), code="study_closed")
        check_last_seat_minutes(locked, minutes)
        if minutes != locked.last_seat_minutes:
            locked.last_seat_minutes = minutes
            locked.save(update_fields=["last_seat_minutes"])
            audit.record(study=study, actor=actor, act="set_last_seat_minutes", minutes=minutes)
    study.last_seat_minutes = minutes


def check_last_seat_minutes(study: Study, minutes: int | None) -> None:
    """Refuse a reservation time of the last items that does not fit the other numbers of a study.

    Parameters
    ----------
    study, minutes
        The study with its other numbers, and the new one; None for the usual reservation time.

    Raises
    ------
    InvalidContent
        `bad_minutes` or `minimum_too_long`.
    """
    if minutes is None:
        return
    if not 1 <= minutes <= min(study.seat_minutes, MOST_MINUTES):
        sentence = message(
            "Enter 1 to %(most)s minutes (the usual reservation time), or leave the field empty.",
            most=f"{study.seat_minutes:,}",
        )
        raise InvalidContent(sentence, code="bad_minutes", fields={"last_seat_minutes": sentence})
    if study.least_seconds is not None and study.least_seconds >= 60 * minutes:
        sentence = message(
            "The reservation time of the last items must be longer than the minimum page time "
            "(%(seconds)s s).",
            seconds=study.least_seconds,
        )
        raise InvalidContent(sentence, code="minimum_too_long", fields={"last_seat_minutes": sentence})
