"""Writing down what others are to be told of a study, while it happens."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone

from annotation.models import Study, Webhook, WebhookDelivery
from annotation.services.jobs import enqueue

KIND = "webhook"
# Acts of the audit log of which others may be told, with the details that go with them.
EVENTS: dict[str, tuple[str, ...]] = {
    "change_state": ("before", "after"),
    "change_consent": ("version",),
    "change_form": ("form", "version"),
    "import_items": ("count",),
    "import_ratings": ("count",),
}


def announce(*, study: Study, event: str, detail: dict[str, Any]) -> None:
    """Write a message for every address that wants the event, in the transaction of the event itself.

    Parameters
    ----------
    study : Study
        In which it happened.
    event : str
        An act of the audit log; others than `EVENTS` are told to nobody.
    detail : dict
        Of which the parts that `EVENTS` names are told.
    """
    if event not in EVENTS:
        return
    told = {name: detail[name] for name in EVENTS[event] if name in detail}
    at = timezone.now().isoformat()
    body = json.dumps({"event": event, "study": study.slug, "at": at, "detail": told})
    for webhook in Webhook.objects.filter(study=study):
        if event in webhook.events:
            delivery = WebhookDelivery.objects.create(webhook=webhook, event=event, body=body)
            enqueue_delivery(delivery)


def enqueue_delivery(delivery: WebhookDelivery) -> None:
    """Ask a worker to send a message."""
    params = {"delivery": delivery.pk, "attempt": delivery.attempts + 1}
    enqueue(kind=KIND, study=delivery.webhook.study, params=params, created_by=None)
