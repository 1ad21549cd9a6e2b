"""The webhooks of a study, with the outcome of their latest messages."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max, OuterRef, Q, Subquery

from annotation.models import Study, WebhookDelivery


def webhooks_of(study: Study) -> Any:
    """The webhooks of a study, in one query.

    Each has `n_sent`, `last_sent`, and the `error` of the newest message; empty where it arrived.
    """
    newest = WebhookDelivery.objects.filter(webhook=OuterRef("pk")).order_by("-pk")
    arrived = Q(deliveries__delivered_at__isnull=False)
    return study.webhooks.annotate(
        n_sent=Count("deliveries", filter=arrived),
        last_sent=Max("deliveries__delivered_at"),
        error=Subquery(newest.values("error")[:1]),
    ).order_by("pk")
