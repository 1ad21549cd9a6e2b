"""Writing down what others are to be told of a study, while it happens."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone

from annotation.models import Study, Webhook, WebhookDelivery
from annotation.services.jobs import enqueue

KIND = "webhook"
# Of which others may be told, with the details that go with it: acts of the log, and what no member does.
EVENTS: dict[str, tuple[str, ...]] = {
    "change_state": ("before", "after"),
    "change_consent": ("version",),
    "change_form": ("form", "version"),
    "import_items": ("count",),
    "import_ratings": ("count",),
    "import_scores": ("run", "count"),
    "rater_finished": (),
    "check_failed": ("check",),
    "withdraw": (),
    "exclude_items": ("n",),
    "exclude_rater": (),
    "exclude_response": (),
    "lift_exclusion": (),
    "apply_rule": ("rule", "n_items", "n_raters", "n_responses"),
    "lift_rule": ("rule", "n"),
    "report_ready": ("kind", "report"),
    "scores_ready": ("run",),
    "export_bundle": ("job",),
}


def announce(*, study: Study, event: str, detail: dict[str, Any]) -> None:
    """Write a message for every address that wants the event, in the transaction of the event itself.

    Parameters
    ----------
    study : Study
        In which it happened.
    event : str
        Others than `EVENTS`, such as further acts of the audit log, are told to nobody.
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
