"""Which raters a message reaches, in which language, and what became of earlier messages."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.domain.people.rater_messages import (
    REMINDER_INTERVAL,
    DeliveryState,
    MessageKind,
    Unreachable,
)
from annotation.models import (
    Agreement,
    MessageDelivery,
    PlatformIdentity,
    Rater,
    RaterKind,
    RaterMessage,
    Response,
    Seat,
    Study,
)
from annotation.selectors.base.table_types import Table
from config.interface_language import known_language

COLUMNS = ("study", "rater", "platform", "person")
ENDED = (RaterState.FINISHED, RaterState.FAILED)


@dataclass(frozen=True)
class Recipient:
    """A rater and the language of their pages; `refusal` says why no message reaches them, if none does."""

    rater: Rater
    language: str
    by_email: bool
    refusal: Unreachable | None


def people_of(study: Study) -> QuerySet[Rater]:
    """The raters of a study who joined it or can join it, by code; no previews and no imported slots."""
    return study.raters.filter(kind=RaterKind.PERSON).order_by("code")


def recipients_of(study: Study, kind: MessageKind, codes: Collection[str], now: datetime) -> list[Recipient]:
    """The chosen raters by code, each with the language of a message and whether it can reach them.

    A rater with an account gets an email; one from a crowd platform is listed, so that a member can send the
    text there.

    Parameters
    ----------
    study, kind
        The study, and what the message is for.
    codes : collection of str
        Rater codes; unknown ones are left out.
    now : datetime
        Present time, for reminders.
    """
    chosen = people_of(study).filter(code__in=list(codes)).select_related("user")
    agreed = Agreement.objects.filter(rater=OuterRef("pk")).order_by("-text__number")
    platform = PlatformIdentity.objects.filter(rater=OuterRef("pk"), erased_at__isnull=True)
    saved = Response.objects.filter(assignment__rater=OuterRef("pk"), current=True)
    people = chosen.annotate(
        read_in=Subquery(agreed.values("interface_language")[:1]),
        from_platform=Exists(platform),
        has_saved=Exists(saved),
        reminded=Exists(_reminders(now).filter(rater=OuterRef("pk"))),
    )
    whole_study = _refusal_of_study(study, kind)
    return [_recipient(study, kind, one, whole_study) for one in people]


def _reminders(now: datetime) -> QuerySet[MessageDelivery]:
    """Recent reminders; not those that failed or were not sent."""
    recent = MessageDelivery.objects.filter(
        message__kind=MessageKind.REMINDER, message__created_at__gt=now - REMINDER_INTERVAL
    )
    return recent.exclude(state__in=[DeliveryState.FAILED, DeliveryState.NOT_SENT])


def _refusal_of_study(study: Study, kind: MessageKind) -> Unreachable | None:
    if kind is not MessageKind.REMINDER:
        return None
    if study.state != StudyState.OPEN:
        return Unreachable.NOT_OPEN
    open_slots = Seat.objects.filter(form__study=study, state__in=[SeatState.FREE, SeatState.RESERVED])
    return None if open_slots.exists() else Unreachable.NOTHING_LEFT


def _recipient(study: Study, kind: MessageKind, rater: Any, whole_study: Unreachable | None) -> Recipient:
    by_email = bool(rater.user and rater.user.is_active and rater.user.email)
    language = known_language(rater.read_in or "") or _language_of(study)
    refusal = (
        unreachable(rater, by_email=by_email, from_platform=rater.from_platform)
        or _not_wanted(kind, rater)
        or whole_study
    )
    return Recipient(rater, language, by_email, refusal)


def _language_of(study: Study) -> str:
    """The language in which raters read the pages, where nothing is known of one of them."""
    known = known_language(study.interface_language) or known_language(study.language)
    return known or settings.LANGUAGE_CODE


def unreachable(rater: Rater, *, by_email: bool, from_platform: bool) -> Unreachable | None:
    """Why no message of any kind reaches a rater; None if one does.

    Parameters
    ----------
    rater : Rater
        Of any state.
    by_email, from_platform : bool
        Whether the rater has an account with an address, and a platform ID that was not erased.
    """
    if rater.simulated:
        return Unreachable.SIMULATED
    if rater.state == RaterState.WITHDRAWN:
        return Unreachable.WITHDRAWN
    if rater.consented_at is None:
        return Unreachable.NOT_JOINED
    if rater.messages_stopped_at is not None:
        return Unreachable.STOPPED
    if not by_email and not from_platform:
        return Unreachable.NO_ADDRESS
    return Unreachable.NO_MAIL_SERVER if by_email and not settings.SENDS_MAIL else None


def _not_wanted(kind: MessageKind, rater: Any) -> Unreachable | None:
    if kind is MessageKind.THANKS and not rater.has_saved:
        return Unreachable.NOTHING_SAVED
    if kind is not MessageKind.REMINDER:
        return None
    if rater.finished_at is not None or rater.state in ENDED:
        return Unreachable.FINISHED
    return Unreachable.REMINDED if rater.reminded else None


def messages_of(study: Study) -> QuerySet[RaterMessage]:
    """The messages of a study, newest first, each with the number of raters by what became of it."""
    counts = {
        f"n_{state.value}": Count("deliveries", filter=Q(deliveries__state=state)) for state in DeliveryState
    }
    listed = RaterMessage.objects.filter(study=study).select_related("author")
    return listed.annotate(n=Count("deliveries"), **counts).order_by("-number")


def messages_to(rater: Rater) -> QuerySet[MessageDelivery]:
    """The messages to a rater, newest first."""
    return rater.message_deliveries.select_related("message").order_by("-message__number")


def finished_codes(study: Study) -> list[str]:
    """The codes of the raters who have finished, without simulated ones."""
    finished = people_of(study).filter(state=RaterState.FINISHED, simulated=False)
    return list(finished.values_list("code", flat=True))


def listed_table(message: RaterMessage) -> Table:
    """Code and platform ID of each rater who gets the text of a message on the platform from a member."""
    listed = message.deliveries.filter(state=DeliveryState.LISTED, rater__messages_stopped_at=None)
    known = PlatformIdentity.objects.filter(rater__in=listed.values("rater"), erased_at__isnull=True)
    rows = (
        {
            "study": message.study.slug,
            "rater": one.rater.code,
            "platform": one.platform,
            "person": one.person,
        }
        for one in known.select_related("rater").order_by("rater__code").iterator(chunk_size=1000)
    )
    return COLUMNS, rows
