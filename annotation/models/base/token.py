"""API tokens with their permissions."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

from annotation.models.base.accounts import User

# The time before its expiry at which the owner of a token is warned.
WARNED_FOR = timedelta(days=14)


class ApiToken(models.Model):
    """A token for a program, of which only the digest is stored.

    It has the rights of its `scopes` or, if it was created by signing in over the API (`signs_in`), all
    rights of its owner. `prefix` is the beginning of the token, by which its owner recognises it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12, blank=True)
    scopes = models.JSONField(default=list)
    signs_in = models.BooleanField(default=False)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["user_id", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def ends_soon(self) -> bool:
        return not self.is_expired and self.expires_at <= timezone.now() + WARNED_FOR
