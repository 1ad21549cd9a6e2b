"""Notifying other software of events in a study by signed messages, with retries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import joined, message
from annotation.io.base.signed_http import NotPosted, address_problem, post, signature
from annotation.models import Study, User, Webhook, WebhookDelivery
from annotation.models.base.webhook import new_secret
from annotation.services.base import audit
from annotation.services.base.jobs import Lease
from annotation.services.base.webhook_events import enqueue_delivery, registered_events

MOST_WEBHOOKS = 10
LONGEST_ADDRESS = 500
RETRY_DELAYS = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480)]
INTERRUPTED = "Sending was interrupted."
NOT_SIGNED = "Not sent: the secret was encrypted with another key. Replace the secret."


def add_webhook(*, study: Study, actor: User, address: str, events: Sequence[str]) -> Webhook:
    """Notify an https address of registered events of a study, at least one.

    Parameters
    ----------
    study : Study
        In any state.
    actor : User
        User who adds it.
    address : str
        With https.
    events : sequence of str
        Names of registered events, at least one.

    Raises
    ------
    InvalidContent
        `bad_webhook`: `fields` says what is wrong.
    """
    problem = address_problem(address, private_allowed=settings.WEBHOOKS_PRIVATE)
    if len(address) > LONGEST_ADDRESS:
        problem = message("Enter an address of at most %(n)d characters.", n=LONGEST_ADDRESS)
    problems = {"address": problem} if problem else {}
    if not events or set(events) - registered_events().keys():
        problems["events"] = message("Choose at least one of the listed events.")
    if study.webhooks.count() >= MOST_WEBHOOKS:
        problems["address"] = message(
            "A study can have at most %(n)d webhooks. Remove one first.", n=MOST_WEBHOOKS
        )
    if problems:
        raise InvalidContent(joined(problems.values()), code="bad_webhook", fields=problems)
    chosen = [event for event in registered_events() if event in events]
    with transaction.atomic():
        webhook = Webhook.objects.create(study=study, address=address, events=chosen, created_by=actor)
        audit.record(study=study, actor=actor, act="add_webhook", host=_host(address), events=chosen)
    return webhook


def remove_webhook(*, webhook: Webhook, actor: User) -> None:
    """Remove a webhook; its waiting messages are dropped."""
    with transaction.atomic():
        audit.record(study=webhook.study, actor=actor, act="remove_webhook", host=_host(webhook.address))
        webhook.delete()


def replace_secret(*, webhook: Webhook, actor: User) -> Webhook:
    """Sign what is sent from now on with a new secret, which is shown this once.

    Parameters
    ----------
    webhook, actor
        Whose secret, and who replaces it.
    """
    with transaction.atomic():
        webhook.secret = new_secret()
        webhook.save(update_fields=["sealed_secret"])
        audit.record(
            study=webhook.study, actor=actor, act="replace_webhook_secret", host=_host(webhook.address)
        )
    return webhook


def deliver(*, lease: Lease) -> None:
    """Send the message of a job from `announce` or `retry_due`; if it fails, retry up to five times later.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `announce` or `retry_due`.
    """
    number = lease.job.params["delivery"]
    delivery = WebhookDelivery.objects.select_related("webhook").filter(pk=number).first()
    if delivery is None or delivery.delivered_at is not None:
        lease.complete(lambda: None)
        return
    attempts = delivery.attempts + 1
    row = WebhookDelivery.objects.filter(pk=number, delivered_at__isnull=True)
    # Stored before sending, so that the message is sent again even if this worker dies.
    row.update(attempts=attempts, next_at=_next_at(attempts), error=INTERRUPTED)
    error = _send(delivery)
    delivered_at = None if error else timezone.now()
    next_at = _next_at(attempts) if error else None
    # If the webhook was removed meanwhile, there is no row, and none is created.
    lease.complete(lambda: row.update(error=error[:200], delivered_at=delivered_at, next_at=next_at))


def retry_due() -> int:
    """Enqueue the messages that are due to be sent again; returns how many."""
    due = WebhookDelivery.objects.filter(next_at__lte=timezone.now()).select_related("webhook__study")
    found = list(due[:100])
    for delivery in found:
        with transaction.atomic():
            taken = WebhookDelivery.objects.filter(pk=delivery.pk, next_at=delivery.next_at)
            if taken.update(next_at=None):
                enqueue_delivery(delivery)
    return len(found)


def _next_at(attempts: int) -> datetime | None:
    return timezone.now() + RETRY_DELAYS[attempts - 1] if attempts <= len(RETRY_DELAYS) else None


def _host(address: str) -> str:
    """Return the host of an address for the log; the rest of the address is often a credential."""
    return urlsplit(address).hostname or ""


def _send(delivery: WebhookDelivery) -> str:
    """Send the message; return why it failed, empty if it arrived."""
    webhook = delivery.webhook
    secret = webhook.secret
    if not secret:
        return NOT_SIGNED
    headers = {
        "Groundwork-Event": delivery.event,
        "Groundwork-Delivery": str(delivery.pk),
        "Groundwork-Signature": signature(secret, int(time.time()), delivery.body),
    }
    try:
        post(webhook.address, delivery.body, headers, private_allowed=settings.WEBHOOKS_PRIVATE)
    except NotPosted as failure:
        return str(failure)
    return ""
