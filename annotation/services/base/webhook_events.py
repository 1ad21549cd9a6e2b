"""Events of studies, and messages to webhooks, which are stored when an event happens."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise

from annotation.models import Study, Webhook, WebhookDelivery
from annotation.services.base.jobs import enqueue

KIND = "webhook"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in studies and that webhooks can be notified of.

    `name` is stable: an act of the audit log, or what no member does. Only the details in `fields` are sent.
    """

    name: str
    title: str | Promise
    fields: tuple[str, ...] = ()


_events: dict[str, Event] = {}


def register_event(name: str, title: str | Promise, *, fields: tuple[str, ...] = ()) -> None:
    """Register an event of webhooks; the application that owns it does so when it starts.

    Parameters
    ----------
    name, title, fields
        As in `Event`; the name must be new.

    Raises
    ------
    ValueError
        Another event has the same name.
    """
    event = Event(name, title, fields)
    if _events.setdefault(name, event) != event:
        raise ValueError(f"The event {name!r} is registered twice.")


def registered_events() -> Mapping[str, Event]:
    """All events by their names, in the order of their registration."""
    return MappingProxyType(_events)


def announce(*, study: Study, event: str, detail: dict[str, Any]) -> None:
    """Store a message for every webhook that wants the event, in the transaction of the event itself.

    Parameters
    ----------
    study, event
        Events that are not registered, such as further acts of the audit log, are not sent.
    detail : dict
        Only the fields that the event names are sent.
    """
    announce_in_many(studies=[study], event=event, detail=detail)


def announce_in_many(*, studies: Collection[Study], event: str, detail: dict[str, Any]) -> None:
    """Announce one event in several studies: their webhooks are read at once.

    Parameters
    ----------
    studies : collection of Study
        In which it has happened.
    event, detail
        As in `announce`.
    """
    if event not in _events or not studies:
        return
    sent = {name: detail[name] for name in _events[event].fields if name in detail}
    at = timezone.now().isoformat()
    for webhook in Webhook.objects.filter(study__in=studies).select_related("study").order_by("pk"):
        if event in webhook.events:
            body = {"event": event, "study": webhook.study.slug, "at": at, "detail": sent}
            delivery = WebhookDelivery.objects.create(webhook=webhook, event=event, body=json.dumps(body))
            enqueue_delivery(delivery)


def enqueue_delivery(delivery: WebhookDelivery) -> None:
    """Ask a worker to send a message."""
    params = {"delivery": delivery.pk, "attempt": delivery.attempts + 1}
    enqueue(kind=KIND, study=delivery.webhook.study, params=params, created_by=None)
