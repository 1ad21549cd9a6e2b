"""Webhooks of a study and their deliveries."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.base.sealing import Purpose
from annotation.models.base.sealed import sealed, sealed_column, unsealed
from annotation.models.base.study import Study


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    """An address that is notified of `events`; `secret` signs the messages."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    sealed_secret = sealed_column()
    events = models.JSONField(default=list)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "pk"]

    def __str__(self) -> str:
        return self.address

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.sealed_secret:
            self.secret = new_secret()
        super().save(*args, **kwargs)

    @property
    def secret(self) -> str:
        """The secret; empty if the keys of this installation do not decrypt it."""
        return unsealed(self.sealed_secret, Purpose.WEBHOOK)

    @secret.setter
    def secret(self, secret: str) -> None:
        self.sealed_secret = sealed(secret, Purpose.WEBHOOK)


class WebhookDelivery(models.Model):
    """One message to an address. It is sent again at `next_at`; None if delivered or given up."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["webhook_id", "-pk"]
        indexes = [
            models.Index(fields=["next_at"], name="delivery_due", condition=Q(next_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.event} to webhook {self.webhook_id}"
